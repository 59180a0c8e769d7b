import type { AnalyticsClient } from '../../client/client.ts';
import { isClientError, type ClientErrorKind, ClientError } from '../../client/clientError.ts';
import { writeOnce, type Write, asAnswered } from '../../client/writes/writes.ts';
import { unknownOutcome } from '../../client/writes/writeVerdict.ts';
import type { User } from '../../contract/resources/user.ts';
import { setApplicationRole, type AssignedRole } from '../../access/applicationRoles.ts';
import { objectServer } from '../../objects/objectServer.ts';
import { addMember } from '../../access/membership.ts';
import type { UserRow } from './userCsv.ts';
import * as l10n from '../../l10n/l10n.ts';

/**
 * Outcome of a row. `partial`: the user exists, but lacks a group or role; `unknown`: the reply was lost and the user was
 * not found; `notTried`: the import ended before; `undone`: created, then deleted again.
 */
export interface RowOutcome {
  line: number;
  loginName: string;
  kind: 'created' | 'partial' | 'failed' | 'unknown' | 'notTried' | 'undone';
  /** Id of the user, if one was created. */
  userId: string;
  /** The reason in the server's words; empty if there was no error, or the user stopped the import. */
  reason: string;
}

/** A row to send; `userId` identifies a user created by an earlier attempt, who is only added to groups. */
export interface RowToImport {
  row: UserRow;
  userId: string;
  /** Whether it was sent before and may still arrive. */
  wasSent: boolean;
}

/** Options of an import. */
export interface ImportOptions {
  client: AnalyticsClient;
  /** What the server gives for a new user. */
  template: User;
  rows: readonly RowToImport[];
  /** Group ids by lower-case name and by `#id`; without names shared by several groups. */
  groupIds: ReadonlyMap<string, string>;
  /** Roles on applications by id, as the server writes them. */
  roles: ReadonlyMap<string, AssignedRole>;
  /** Password of users whose row has none; they must change it when they first sign in. */
  initialPassword: string;
  signal: AbortSignal;
  /** Called for every row before and after it is sent, to write a journal to disk. */
  onStart(row: UserRow): Promise<void>;
  onOutcome(outcome: RowOutcome): Promise<void>;
  /** Pauses, in ms, before each check whether a user whose reply was lost was created. */
  pauses?: readonly number[];
}

/** Maximum number of users sent at the same time. On a far server, serial calls take most of the time. */
const atATime = 10;
/** Failures after which the next row would fail, too: the remaining rows are not tried. */
const endings: readonly ClientErrorKind[] = [
  'unreachable',
  'timeout',
  'notSignedIn',
  'takenOver',
  'signInRefused',
  'noPermission',
  'tls',
  'proxy',
];

/**
 * Creates users, a few at a time, adds each to their groups, and gives each their role on an application. A user whose
 * reply was lost is looked up by login name and never sent twice; if the server becomes unreachable or the import is stopped, the remaining rows are reported as
 * not tried. API description, Users (SaveContact), Groups (AddUser).
 * @throws {Error} what `onStart` or `onOutcome` threw, after the operations in progress have ended: a row that cannot
 * be recorded is not sent.
 */
export async function sendUsers(options: ImportOptions): Promise<void> {
  const queue = [...options.rows];
  let ending: string | undefined;
  let fault: { error: unknown } | undefined;
  const noted = async (work: Promise<void>): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      fault ??= { error };
      ending ??= reasonOf(error);
      return false;
    }
  };
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { row } = next;
      if (options.signal.aborted) ending ??= '';
      if (ending !== undefined || !(await noted(options.onStart(row)))) {
        await noted(options.onOutcome(untried(next, ending ?? '')));
        continue;
      }
      const { outcome, isEnd } = await importRow(options, next);
      // Rows stopped by the user need no other reason.
      if (isEnd) ending ??= options.signal.aborted ? '' : outcome.reason;
      await noted(options.onOutcome(outcome));
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  if (fault) throw fault.error;
}

async function importRow(options: ImportOptions, next: RowToImport): Promise<{ outcome: RowOutcome; isEnd: boolean }> {
  const { row, wasSent } = next;
  let { userId } = next;
  try {
    userId ||= await createUser(options, next);
  } catch (error) {
    if (isClientError(error, 'cancelled')) return { outcome: untried(next, ''), isEnd: false };
    // A failed second attempt does not determine the outcome of the first one.
    const isOpen = isClientError(error, 'unknownOutcome') || (wasSent && !isClientError(error, 'refused'));
    const kind = isOpen ? 'unknown' : 'failed';
    return { outcome: { ...facts(row), userId: '', kind, reason: reasonOf(error) }, isEnd: isEnding(error) };
  }
  const reasons: string[] = [];
  let isEnd = false;
  for (const { groupName, roleId } of row.memberships) {
    const groupId = options.groupIds.get(groupName.toLowerCase());
    if (groupId === undefined) {
      reasons.push(l10n.t('{0} has no group, or more than one, named {1}.', options.client.target.name, groupName));
      continue;
    }
    const words = l10n.t('{0} in {1}', row.loginName, groupName);
    try {
      await addMember(options.client, { groupId, userId, roleId, words }, options.pauses);
    } catch (error) {
      reasons.push(reasonOf(error));
      isEnd ||= isEnding(error);
    }
  }
  if (row.application && !isEnd) {
    const { roleId } = row.application;
    const role = options.roles.get(roleId) ?? { id: roleId, name: roleId, type: roleId };
    try {
      await setApplicationRole(objectServer(options.client), userId, row.application, role, options.pauses);
    } catch (error) {
      reasons.push(reasonOf(error));
      isEnd ||= isEnding(error);
    }
  }
  const kind = reasons.length === 0 ? 'created' : 'partial';
  return { outcome: { ...facts(row), userId, kind, reason: reasons.join(' ') }, isEnd };
}

/** The outcome of a row that is not sent now: the results of earlier attempts remain. */
function untried({ row, userId, wasSent }: RowToImport, reason: string): RowOutcome {
  const kind = userId !== '' ? 'partial' : wasSent ? 'unknown' : 'notTried';
  return { ...facts(row), userId, kind, reason };
}

function isEnding(error: unknown): boolean {
  return isClientError(error) && (error.kind === 'unknownOutcome' || endings.includes(error.kind));
}

async function createUser(
  { client, template, initialPassword, pauses }: ImportOptions,
  { row, wasSent }: RowToImport,
): Promise<string> {
  // What the file leaves empty goes as the template has it.
  const user: User = {
    ...template,
    ID: null,
    LoginName: row.loginName,
    FirstName: row.firstName || template.FirstName,
    LastName: row.lastName || template.LastName,
    EmailAddress: row.email || template.EmailAddress,
    Company: row.company || template.Company,
    Description: row.description || template.Description,
    Tag1: row.tags[0] || template.Tag1,
    Tag2: row.tags[1] || template.Tag2,
    Tag3: row.tags[2] || template.Tag3,
    Tag4: row.tags[3] || template.Tag4,
    Pin: row.password || initialPassword,
    bforcepasschange: row.password === '',
  };
  const write: Write<'Contact/SaveContact', User> = {
    path: 'Contact/SaveContact',
    body: { withpin: true, user },
    object: l10n.t('the user {0}', row.loginName),
    // The login name was free when the run started, so a user with it and the same data was created by this run.
    kind: 'change',
    read: (signal) => findUsers(client, row.loginName, signal),
    idOf: ({ ID }) => String(ID),
    hasContent: (found) => isLike(found, row),
  };
  const sent = writeOnce(
    client,
    write,
    async (outcome) => {
      const saved = outcome.kind === 'answered' ? outcome.reply : outcome.found;
      const id = saved?.ID ?? (await findUsers(client, row.loginName))[0]?.ID;
      if (id !== undefined && id !== null) return String(id);
      const { name: server } = client.target;
      throw unknownOutcome(server, write, new Error(l10n.t('{0} accepted it but does not list it.', server)));
    },
    { pauses },
  );
  if (!wasSent) return sent;
  return sent.catch(async (error: unknown) => {
    if (!isClientError(error, 'refused')) throw error;
    // The earlier request has arrived meanwhile and uses the login name.
    const arrived = await findUsers(client, row.loginName).catch((cause: unknown) => {
      throw unknownOutcome(client.target.name, write, cause instanceof Error ? cause : new Error(String(cause)));
    });
    const [mine, ...others] = arrived.filter((found) => isLike(found, row));
    if (mine?.ID === undefined || mine.ID === null || others.length > 0) throw error;
    return String(mine.ID);
  });
}

/** Finds users by login name, case-insensitively. */
export async function findUsers(client: AnalyticsClient, loginName: string, signal?: AbortSignal): Promise<User[]> {
  const users = await client.call('Contact/GetContactList', {}, signal ? { signal } : {});
  return users.filter((user) => user.LoginName?.toLowerCase() === loginName.toLowerCase());
}

/** Whether a user on the server has all the data of a row. */
export function isLike(user: User, row: UserRow): boolean {
  const pairs = [
    [user.FirstName, row.firstName],
    [user.LastName, row.lastName],
    [user.EmailAddress, row.email],
    [user.Company, row.company],
    [user.Description, row.description],
    [user.Tag1, row.tags[0]],
    [user.Tag2, row.tags[1]],
    [user.Tag3, row.tags[2]],
    [user.Tag4, row.tags[3]],
  ];
  return pairs.every(([found, wanted]) => (found ?? '') === wanted);
}

function facts({ line, loginName }: UserRow): Pick<RowOutcome, 'line' | 'loginName'> {
  return { line, loginName };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a user has a login name, case-insensitively. */
export function isNamed(loginName: string | null | undefined, wanted: string): boolean {
  return (loginName ?? '').toLowerCase() === wanted.toLowerCase();
}

/** Error: the user with this id has a different login name than the row that created it. */
export function otherLogin({ target }: AnalyticsClient, userId: string, loginName: string | null | undefined): string {
  return l10n.t('User {1} on {0} is now {2} and was not changed.', target.name, userId, loginName ?? '–');
}

/**
 * Deletes a user that was just read, so that the whole list is only read after a lost reply.
 * @throws {ClientError} if the user's login name differs from the row's: it may be a different user.
 */
export async function deleteUser(
  client: AnalyticsClient,
  userId: string,
  loginName: string,
  pauses: readonly number[] | undefined,
): Promise<void> {
  const user = await client.call('Contact/GetContactById', { ContactId: userId });
  if (!isNamed(user.LoginName, loginName)) {
    throw new ClientError('refused', otherLogin(client, userId, user.LoginName), { server: client.target.name });
  }
  let known: User[] | undefined = [user];
  await writeOnce(
    client,
    {
      path: 'Contact/DeleteContact',
      body: { user },
      object: l10n.t('the user {0}', user.LoginName ?? userId),
      kind: 'delete',
      read: async (signal) => {
        const found = known ?? (await client.call('Contact/GetContactList', {}, signal ? { signal } : {}));
        known = undefined;
        return found.filter(({ ID }) => String(ID) === userId);
      },
      idOf: ({ ID }) => String(ID),
      hasContent: () => true,
    },
    asAnswered,
    { pauses },
  );
}
