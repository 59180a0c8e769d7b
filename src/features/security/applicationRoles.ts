import * as vscode from 'vscode';
import * as l10n from '../../l10n/l10n.ts';
import * as z from 'zod';
import {
  applicationRoles,
  asAssigned,
  readSeats,
  rolesOn,
  setApplicationRole,
  type ApplicationSeats,
  type NamedId,
} from '../../access/applicationRoles.ts';
import { flagOf } from '../../access/rows/snapshot.ts';
import type { Connection } from '../../connections/connection.ts';
import { idText } from '../../contract/idText.ts';
import { attempt } from '../../editor/commandError.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { displayText } from '../../editor/displayText.ts';
import { forEachObject } from '../../editor/forEachObject.ts';
import { showInformationMessage } from '../../editor/messages.ts';
import { distinctBy, objectKey, selectedOf } from '../../editor/nodes/selectedNodes.ts';
import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import { refreshOpenDocuments } from '../../editor/openTabs.ts';
import { pickObjects } from '../../editor/pickers/objectPicks.ts';
import { adminServerOf, verifiedServer, type VerifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { fieldOf } from '../../objects/json.ts';
import { textField } from '../../objects/kinds/objectEntry.ts';
import { callForList } from '../../objects/objectServer.ts';
import { confirmGrant, confirmRevoke, currentRole, roleNames, seatsLeft, type Holder } from './confirmRole.ts';

type Verb = 'grant' | 'change' | 'revoke';

/** A grant that another command offers. */
const offered = z.object({
  application: z.object({ id: z.string(), name: z.string() }),
  users: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
});

/** Gives users, or the members of groups, a role on an application. */
export function grantRole(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  return changeRoles('grant', services, argument, selection);
}

/** Changes the role that users have on an application. */
export function changeRole(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  return changeRoles('change', services, argument, selection);
}

/** Takes users' roles on an application away, which releases their seats. */
export function revokeRole(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  return changeRoles('revoke', services, argument, selection);
}

async function changeRoles(verb: Verb, services: CommandServices, argument: unknown, selection: unknown) {
  const title = titles()[verb];
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await verifiedServer(connection, argument, selection);
  const what = vscode.l10n.t('Could not read the users and applications of {0}', connection.name);
  const records = await attempt(what, async () => callForList(await shown.server(), 'Contact/GetContactList', {}));
  const holdersOf = (users: readonly NamedId[], application: NamedId) =>
    users.map(({ id, name }): Holder => {
      const record = records.find((user) => textField(user, 'ID') === id);
      const isSuperAdmin = record && flagOf(fieldOf(record, 'isSuperAdmin'));
      return { id, name, roles: record ? rolesOn(record, application.id) : [], isSuperAdmin };
    });
  const given = await attempt(what, () => usersOf(services, shown, argument, selection));
  const application = await applicationFor(verb, { connection, shown, argument, given, title, holdersOf, what });
  if (!application) return;
  const hasRole = ({ id, name }: NamedId) => (holdersOf([{ id, name }], application)[0]?.roles.length ?? 0) > 0;
  const users = given ?? (await pickUsers(verb, connection, application, title, hasRole));
  if (!users) return;
  const holders = holdersOf(users, application);
  const task = { services, connection, shown, application, records, isChange: verb === 'change' };
  if (verb === 'revoke') return revoke(task, holders);
  const fitting = verb === 'change' ? holders.filter(({ roles }) => roles.length > 0) : holders;
  if (fitting.length === 0) return tellNone(users, application, connection);
  const role = await pickRole(connection, application, fitting);
  if (role) await give(task, fitting, role);
}

interface RoleTask {
  services: CommandServices;
  connection: Connection;
  shown: VerifiedServer;
  application: ApplicationSeats;
  /** All users, as the server returns them. */
  records: Parameters<typeof asAssigned>[1];
  isChange: boolean;
}

async function give(task: RoleTask, holders: readonly Holder[], role: NamedId): Promise<void> {
  const { connection, shown, application, records, isChange } = task;
  const others = holders.filter(({ roles }) => roles.join() !== role.id);
  if (others.length === 0) {
    const words = vscode.l10n.t('All of them already have the role {0} in {1}.', role.name, application.name);
    void showInformationMessage(words);
    return;
  }
  const agreed = await confirmGrant({ connection, shown, application, holders: others, role, isChange });
  const assigned = asAssigned(role, records);
  const place = [role.name, application.name, connection.name] as const;
  await send(
    task,
    agreed,
    ({ name }) => vscode.l10n.t('Could not grant {0} the role {1} in {2} on {3}', name, ...place),
    ([only, ...rest]) =>
      only && rest.length === 0
        ? vscode.l10n.t('{0} has the role {1} in {2} on {3}', only.name, ...place)
        : vscode.l10n.t('{0} users have the role {1} in {2} on {3}', rest.length + 1, ...place),
    async ({ id }) => setApplicationRole(await shown.server(), id, application, assigned),
  );
}

async function revoke(task: RoleTask, all: readonly Holder[]): Promise<void> {
  const { connection, shown, application } = task;
  const holders = all.filter(({ roles }) => roles.length > 0);
  if (holders.length === 0) return tellNone(all, application, connection);
  if (!(await confirmRevoke(connection, application, holders))) return;
  const place = [application.name, connection.name] as const;
  await send(
    task,
    holders,
    ({ name }) => vscode.l10n.t('Could not revoke the role of {0} in {1} on {2}', name, ...place),
    ([only, ...rest]) =>
      only && rest.length === 0
        ? vscode.l10n.t('Role of {0} in {1} on {2} revoked', only.name, ...place)
        : vscode.l10n.t('Roles of {0} users in {1} on {2} revoked', rest.length + 1, ...place),
    async ({ id }) => setApplicationRole(await shown.server(), id, application, undefined),
  );
}

async function send(
  { services, connection, shown, application }: RoleTask,
  items: readonly Holder[],
  whatFailed: (user: Holder) => string,
  done: (worked: readonly Holder[]) => string,
  work: (user: Holder) => Promise<void>,
): Promise<void> {
  await forEachObject(
    services,
    {
      title: vscode.l10n.t('Roles in {0}', application.name),
      items,
      nameOf: ({ name }) => name,
      whatFailed,
      done,
      after: async () => {
        await services.tree.refreshObjects(connection, 'user', 'application', 'licences');
        await refreshOpenDocuments(services, connection, { kind: 'user', objects: items });
      },
    },
    work,
  );
  const own = (await shown.server()).accountId?.();
  // The session keeps the rights that it had at sign-in. API description, Authentication (ResetPassport).
  if (!items.some(({ id }) => id === own)) return;
  await vscode.commands.executeCommand('analytics.session.reloadPermissions', { connectionId: connection.id });
}

function titles(): Record<Verb, string> {
  return {
    grant: vscode.l10n.t('Grant Application Role'),
    change: vscode.l10n.t('Change Application Role'),
    revoke: vscode.l10n.t('Revoke Application Role'),
  };
}

/** The users of the rows, and the members of groups as they are now; undefined if the command has to ask. */
async function usersOf(
  services: CommandServices,
  shown: VerifiedServer,
  argument: unknown,
  selection: unknown,
): Promise<NamedId[] | undefined> {
  const passed = offered.safeParse(argument).data?.users;
  if (passed) return passed;
  const nodes = selectedOf(services, argument, selection, 'user', 'member', 'holder', 'group')?.nodes;
  if (!nodes || nodes.length === 0) return undefined;
  const client = await shown.client();
  const users: NamedId[] = [];
  for (const node of distinctBy(nodes, objectKey)) {
    if (node.kind !== 'group') users.push({ id: node.user.userId, name: node.user.loginName });
    else {
      const { Membership } = await client.call('Group/GetSecurityGroupById', { GroupId: node.groupId });
      users.push(
        ...(Membership ?? []).map(({ ID, LoginName }) => ({
          id: idText(ID),
          name: displayText(LoginName) || idText(ID),
        })),
      );
    }
  }
  return distinctBy(users, ({ id }) => id);
}

interface ApplicationQuestion {
  connection: Connection;
  shown: VerifiedServer;
  argument: unknown;
  given: readonly NamedId[] | undefined;
  title: string;
  holdersOf: (users: readonly NamedId[], application: NamedId) => Holder[];
  what: string;
}

/** The application of the row; otherwise the only one that fits, or the chosen one. Undefined if cancelled. */
async function applicationFor(verb: Verb, question: ApplicationQuestion): Promise<ApplicationSeats | undefined> {
  const { connection, shown, argument, given, title, holdersOf, what } = question;
  const all = await attempt(what, async () => readSeats(await shown.client()));
  const row = applicationOf(argument);
  if (row) return all.find(({ id }) => id === row.id) ?? { ...row, left: undefined };
  const holding = (application: NamedId) => holdersOf(given ?? [], application).filter(({ roles }) => roles.length > 0);
  const fitting = verb === 'grant' || !given ? all : all.filter((application) => holding(application).length > 0);
  const [only] = fitting;
  if (!only) {
    const words =
      all.length === 0
        ? vscode.l10n.t('You see no application on {0}.', connection.name)
        : vscode.l10n.t('They have no role in any application on {0}.', connection.name);
    void showInformationMessage(words);
    return undefined;
  }
  if (fitting.length === 1) return only;
  const items = fitting.map((application) => {
    const held = holding(application);
    const roles = held.length === 1 && given?.length === 1 ? roleNames(held[0]?.roles ?? []) : '';
    const count = held.length > 0 && roles === '' ? vscode.l10n.t('{0} have a role', held.length) : roles;
    const description = [count, seatsLeft(application)].filter((part) => part !== '').join(' · ');
    return { label: displayText(application.name), description, application };
  });
  const placeHolder = vscode.l10n.t('Application');
  return (await showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.application;
}

/** The application of a row, or of a grant that another command offers. */
function applicationOf(argument: unknown): NamedId | undefined {
  if (!isTreeNode(argument)) return offered.safeParse(argument).data?.application;
  if (argument.kind === 'application') return { id: argument.applicationId, name: argument.name };
  const place = argument.kind === 'holder' ? argument.parent : argument;
  if (place.kind !== 'fact' || place.fact.kind !== 'seats') return undefined;
  return { id: place.fact.applicationId, name: place.name };
}

function pickUsers(
  verb: Verb,
  connection: Connection,
  application: ApplicationSeats,
  title: string,
  hasRole: (user: NamedId) => boolean,
): Promise<NamedId[] | undefined> {
  const placeholder = [application.name, seatsLeft(application)].filter((part) => part !== '').join(' · ');
  return pickObjects(connection, 'users', { title, placeholder, fits: (user) => hasRole(user) === (verb !== 'grant') });
}

/** Asks for a role on an application; the present one is marked. */
async function pickRole(
  { name }: Connection,
  application: ApplicationSeats,
  holders: readonly Holder[],
): Promise<NamedId | undefined> {
  const items = applicationRoles.map((role) => {
    const count = holders.filter(({ roles }) => roles.includes(role.id)).length;
    const description = [l10n.listed(role.description), currentRole(count, holders.length)].filter(Boolean).join(' · ');
    return { label: role.name, description, role };
  });
  const [only] = holders;
  const who = holders.length === 1 && only ? only.name : vscode.l10n.t('{0} users', holders.length);
  const picked = await showQuickPick(items, {
    title: vscode.l10n.t('Role of {0} in {1} on {2}', who, application.name, name),
    placeHolder: seatsLeft(application),
    ignoreFocusOut: true,
  });
  return picked?.role;
}

function tellNone(users: readonly NamedId[], application: NamedId, { name }: Connection): void {
  const [only] = users;
  const words =
    users.length === 1 && only
      ? vscode.l10n.t('{0} has no role in {1} on {2}.', only.name, application.name, name)
      : vscode.l10n.t('None of them has a role in {0} on {1}.', application.name, name);
  void showInformationMessage(words);
}
