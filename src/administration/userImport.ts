import type { AnalyticsClient } from '../client/client.ts';
import { isClientError, type ClientErrorKind } from '../client/clientError.ts';
import { writeOnce } from '../client/writes.ts';
import type { User } from '../contract/resources/user.ts';
import { addMember } from './membership.ts';
import type { UserRow } from './userCsv.ts';

/** What became of one row. `partial`: the user is there, but not in every group. */
export interface RowOutcome {
  line: number;
  loginName: string;
  kind: 'created' | 'partial' | 'failed' | 'unknown' | 'notTried';
  /** Id of the user, where one was created. */
  userId: string;
  /** Why, for everything but `created`. */
  reason: string;
}

/** What an import works with. */
export interface ImportOptions {
  client: AnalyticsClient;
  rows: readonly UserRow[];
  groupIds: ReadonlyMap<string, string>;
  /** Password of users whose row has none; they are asked to change it when they first sign in. */
  initialPassword: string;
  signal: AbortSignal;
  /** Told of every row before it is sent and after, so that a journal can be kept on disk. */
  onStart(row: UserRow): Promise<void>;
  onOutcome(outcome: RowOutcome): Promise<void>;
  /** Pauses, in ms, before each look at whether a user whose reply was lost was created. */
  pauses?: readonly number[];
}

const atATime = 3;
/** After such a failure the next row would fail as well: the rest is left untried, not failed one by one. */
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
 * Creates users one by one, a few at a time, and puts each into its groups. A user whose reply was lost is looked for by
 * login name and never sent twice; when the server goes away or the import is cancelled, what is left is told as not
 * tried. Never rejects for what a server does.
 */
export async function importUsers(options: ImportOptions): Promise<RowOutcome[]> {
  const outcomes = new Map<number, RowOutcome>();
  const queue = [...options.rows];
  let ending = '';
  const template = await options.client.call('Contact/NewContact', {});
  const settle = async (outcome: RowOutcome) => {
    outcomes.set(outcome.line, outcome);
    await options.onOutcome(outcome);
  };
  const work = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      if (options.signal.aborted) ending ||= 'The import was cancelled.';
      if (ending !== '') {
        await settle({ ...facts(row), kind: 'notTried', reason: ending });
        continue;
      }
      await options.onStart(row);
      const { outcome, isEnd } = await importRow(options, template, row);
      if (isEnd) ending ||= outcome.reason;
      await settle(outcome);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return options.rows.map((row) => outcomes.get(row.line) ?? { ...facts(row), kind: 'notTried', reason: ending });
}

async function importRow(
  options: ImportOptions,
  template: User,
  row: UserRow,
): Promise<{ outcome: RowOutcome; isEnd: boolean }> {
  let userId: string;
  try {
    userId = await createUser(options, template, row);
  } catch (error) {
    const failure = isClientError(error) ? error.kind : undefined;
    const isUnknown = failure === 'unknownOutcome';
    const isEnd = isUnknown || (failure !== undefined && endings.includes(failure));
    return { outcome: { ...facts(row), kind: isUnknown ? 'unknown' : 'failed', reason: reasonOf(error) }, isEnd };
  }
  const missing: string[] = [];
  for (const { groupName, roleId } of row.memberships) {
    const groupId = options.groupIds.get(groupName.toLowerCase()) ?? '';
    try {
      await addMember(options.client, { groupId, userId, roleId, words: `${row.loginName} in ${groupName}` });
    } catch (error) {
      missing.push(reasonOf(error));
    }
  }
  const kind = missing.length === 0 ? 'created' : 'partial';
  return { outcome: { ...facts(row), kind, userId, reason: missing.join(' ') }, isEnd: false };
}

async function createUser(
  { client, initialPassword, pauses }: ImportOptions,
  template: User,
  row: UserRow,
): Promise<string> {
  const user: User = {
    ...template,
    ID: null,
    LoginName: row.loginName,
    FirstName: row.firstName,
    LastName: row.lastName,
    EmailAddress: row.email,
    Company: row.company,
    Description: row.description,
    Tag1: row.tags[0],
    Tag2: row.tags[1],
    Tag3: row.tags[2],
    Tag4: row.tags[3],
    Pin: row.password || initialPassword,
    bforcepasschange: row.password === '',
  };
  const written = await writeOnce(
    client,
    {
      path: 'Contact/SaveContact',
      body: { withpin: true, user },
      object: `the user ${row.loginName}`,
      // Login names are unique and this one was free, so that whoever carries it is ours.
      kind: 'change',
      read: async (signal) =>
        withLogin(await client.call('Contact/GetContactList', {}, signal ? { signal } : {}), row.loginName),
      idOf: ({ ID }) => String(ID),
      hasContent: () => true,
    },
    pauses ? { pauses } : {},
  );
  const saved = written.kind === 'answered' ? written.reply : written.found;
  const id = saved?.ID ?? withLogin(await client.call('Contact/GetContactList', {}), row.loginName)[0]?.ID;
  return String(id ?? '');
}

function withLogin(users: readonly User[], loginName: string): User[] {
  return users.filter((user) => user.LoginName?.toLowerCase() === loginName.toLowerCase());
}

function facts({ line, loginName }: UserRow): Pick<RowOutcome, 'line' | 'loginName' | 'userId'> {
  return { line, loginName, userId: '' };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
