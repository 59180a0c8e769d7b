import * as vscode from 'vscode';
import { showQuickPick } from '../../editor/quickInput.ts';
import { confirmDeactivatePolicy, confirmUnassignment } from './confirmDeactivatePolicy.ts';
import { activatePolicy as setActive, assignGroup, assignUsers } from './policyAssignment.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../../editor/displayText.ts';
import { idText } from '../../contract/idText.ts';
import { confirmingUnreadLists } from '../../editor/pickers/confirmRisk.ts';
import { policyKind } from '../../objects/kinds/securityKinds.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import { adminServerOf, verifiedServer, type VerifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { selectedOf, distinctBy, isDrop, objectKey } from '../../editor/nodes/selectedNodes.ts';
import { attempt } from '../../editor/commandError.ts';
import { forEachObject } from '../../editor/forEachObject.ts';
import { objectTargetOf } from '../../editor/nodes/objectTarget.ts';
import { listObjects, pickObject, pickObjects, type PickedObject } from '../../editor/pickers/objectPicks.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { refreshOpenDocuments } from '../../editor/openTabs.ts';

interface Named {
  id: string;
  name: string;
}
/** A group or user that a policy can restrict. */
interface Assignee extends Named {
  kind: 'group' | 'user';
}

/** Assigns policies to groups and users: dropped, selected or chosen from the lists. */
export async function assignPolicy(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  await changeAssignment(services, argument, selection, true);
}

/** Unassigns policies from groups and users. */
export async function unassignPolicy(
  services: CommandServices,
  argument?: unknown,
  selection?: unknown,
): Promise<void> {
  await changeAssignment(services, argument, selection, false);
}

/** Activates policies, so that they restrict data. */
export async function activatePolicy(
  services: CommandServices,
  argument?: unknown,
  selection?: unknown,
): Promise<void> {
  await changeState(services, argument, selection, true);
}

/** Disables policies without deleting them. */
export async function deactivatePolicy(
  services: CommandServices,
  argument?: unknown,
  selection?: unknown,
): Promise<void> {
  await changeState(services, argument, selection, false);
}

async function changeAssignment(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
  isAssigned: boolean,
): Promise<void> {
  const title = isAssigned ? vscode.l10n.t('Assign Policy') : vscode.l10n.t('Unassign Policy');
  const asked = isDrop(argument) ? argument.onto : argument;
  const connection = await adminServerOf(asked, services, title);
  if (!connection) return;
  const policies = await policiesFor(services, connection, asked, isDrop(argument) ? undefined : selection, title);
  if (policies.length === 0) return;
  const given = isDrop(argument)
    ? assigneesAmong(services, argument.dropped[0], argument.dropped)
    : assigneesAmong(services, argument, selection);
  const assignees = given ?? (await pickAssignees(connection, policies, isAssigned));
  if (!assignees || assignees.length === 0) return;
  const shown = await verifiedServer(connection, argument, selection);
  if (!isAssigned && !(await confirmUnassignment(await reached(connection, shown), policies, assignees))) return;
  const names = namesOf(policies);
  await forEachObject(
    services,
    {
      title: isAssigned ? vscode.l10n.t('Assign "{0}"', names) : vscode.l10n.t('Unassign "{0}"', names),
      items: policies.flatMap((policy) => assignees.map((assignee) => ({ policy, assignee }))),
      nameOf: ({ assignee }) => assignee.name,
      whatFailed: ({ policy, assignee: { name } }) =>
        isAssigned
          ? vscode.l10n.t('Could not assign policy "{0}" to {1} on {2}', policy.name, name, connection.name)
          : vscode.l10n.t('Could not unassign policy "{0}" from {1} on {2}', policy.name, name, connection.name),
      done: (worked) => changedWords(names, worked, connection.name, isAssigned),
      after: () => showChange(services, connection, policies),
    },
    async ({ policy, assignee: { kind, id, name } }) =>
      kind === 'group'
        ? assignGroup(
            await shown.client(),
            { policyId: policy.id, groupId: id, words: vscode.l10n.t('policy {0} and group {1}', policy.name, name) },
            isAssigned,
          )
        : assignUser(await shown.server(), policy.id, id, isAssigned),
  );
}

function assignUser(server: ObjectServer, policyId: string, userId: string, isAssigned: boolean): Promise<void> {
  return assignUsers(server, policyId, [userId], isAssigned, confirmingUnreadLists(policyKind, server.name));
}

/** Text for an assignment or unassignment: one object by name, several by number. */
function changedWords(
  names: string,
  worked: readonly { assignee: Assignee }[],
  server: string,
  isAssigned: boolean,
): string {
  const people = [...new Map(worked.map(({ assignee }) => [`${assignee.kind} ${assignee.id}`, assignee])).values()];
  const [only] = people;
  if (people.length === 1 && only)
    return isAssigned
      ? vscode.l10n.t('{0} assigned to {1} on {2}', names, only.name, server)
      : vscode.l10n.t('{0} unassigned from {1} on {2}', names, only.name, server);
  return isAssigned
    ? vscode.l10n.t('{0} assigned to {1} groups and users on {2}', names, people.length, server)
    : vscode.l10n.t('{0} unassigned from {1} groups and users on {2}', names, people.length, server);
}

async function changeState(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
  isActive: boolean,
): Promise<void> {
  const title = isActive ? vscode.l10n.t('Activate Policy') : vscode.l10n.t('Deactivate Policy');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const given = documentPolicy(argument);
  const nodes = selectedOf(services, argument, selection, 'policy')?.nodes;
  const state = isActive ? vscode.l10n.t('inactive') : vscode.l10n.t('active');
  const policies: Named[] | undefined =
    (given && [given]) ??
    nodes?.filter((node) => node.isActive !== isActive).map(({ policyId, name }) => ({ id: policyId, name })) ??
    (await pickObjects(connection, 'policies', { title, fits: ({ detail }) => detail === state }));
  if (!policies) return;
  const shown = await verifiedServer(connection, argument, selection);
  const isRest = !isActive && policies.length > 0;
  if (isRest && !(await confirmDeactivatePolicy(await reached(connection, shown), policies))) return;
  await forEachObject(
    services,
    {
      title: isActive
        ? vscode.l10n.t('Activate "{0}"', namesOf(policies))
        : vscode.l10n.t('Deactivate "{0}"', namesOf(policies)),
      items: policies,
      nameOf: ({ name }) => name,
      whatFailed: ({ name }) =>
        isActive
          ? vscode.l10n.t('Could not activate policy "{0}" on {1}', name, connection.name)
          : vscode.l10n.t('Could not deactivate policy "{0}" on {1}', name, connection.name),
      done: (worked) => doneWords(worked, connection.name, isActive),
      after: () => showChange(services, connection, policies),
    },
    async ({ id }) => {
      const server = await shown.server();
      await setActive(server, id, isActive, confirmingUnreadLists(policyKind, server.name));
    },
  );
}

function namesOf(policies: readonly Named[]): string {
  return policies.map(({ name }) => name).join(', ');
}

function reached({ name }: Connection, shown: VerifiedServer): Promise<ObjectServer> {
  return attempt(vscode.l10n.t('Could not reach {0}', name), () => shown.server());
}

function doneWords(changed: readonly Named[], server: string, isActive: boolean): string {
  const [only] = changed;
  if (changed.length === 1 && only)
    return isActive
      ? vscode.l10n.t('{0} activated on {1}', only.name, server)
      : vscode.l10n.t('{0} deactivated on {1}', only.name, server);
  return isActive
    ? vscode.l10n.t('{0} policies activated on {1}', changed.length, server)
    : vscode.l10n.t('{0} policies deactivated on {1}', changed.length, server);
}

/** The policy of the document a command was called from. */
function documentPolicy(argument: unknown): Named | undefined {
  if (isTreeNode(argument)) return undefined;
  const target = objectTargetOf(argument);
  return target?.kind === 'policy' ? { id: target.id, name: target.name } : undefined;
}

/** Refreshes changed policies in the sidebar and in open documents. */
async function showChange(services: CommandServices, connection: Connection, policies: readonly Named[]) {
  await services.tree.refreshObjects(connection, 'policy');
  await refreshOpenDocuments(services, connection, { kind: 'policy', objects: policies });
}

/** The policies a command applies to; none if cancelled. */
async function policiesFor(
  services: CommandServices,
  connection: Connection,
  argument: unknown,
  selection: unknown,
  title: string,
): Promise<Named[]> {
  const given = documentPolicy(argument);
  if (given) return [given];
  // Called on a group, it applies to that group, even if policies are also selected.
  const isOnPolicy = isTreeNode(argument) && argument.kind === 'policy';
  const nodes = isOnPolicy ? selectedOf(services, argument, selection, 'policy')?.nodes : undefined;
  if (nodes) return nodes.map(({ policyId, name }) => ({ id: policyId, name }));
  const picked = await pickObject(connection, 'policies', { title, placeholder: vscode.l10n.t('Policy') });
  return picked ? [picked] : [];
}

function assigneesAmong(services: CommandServices, argument: unknown, selection: unknown): Assignee[] | undefined {
  const nodes = selectedOf(services, argument, selection, 'group', 'user', 'member')?.nodes;
  if (!nodes || nodes.length === 0) return undefined;
  // A user can be selected in several places.
  return distinctBy(nodes, objectKey).map((node) =>
    node.kind === 'group'
      ? { kind: 'group', id: node.groupId, name: node.name }
      : { kind: 'user', id: node.user.userId, name: node.user.loginName },
  );
}

/** Asks for groups and users in one list: those without the policy to assign it, those with it to unassign it. */
async function pickAssignees(
  connection: Connection,
  policies: readonly Named[],
  isAssigned: boolean,
): Promise<Assignee[] | undefined> {
  const names = namesOf(policies);
  const what = vscode.l10n.t('Could not read the assignments of policy "{0}" on {1}', names, connection.name);
  const items = attempt(what, async () => {
    const client = await connection.client();
    const [records, groups, users] = await Promise.all([
      client.call('Shield/GetAllShieldPolicies', {}),
      listObjects(client, 'groups'),
      listObjects(client, 'users'),
    ]);
    const own = policies.map(({ id: wanted }) => records.find(({ id }) => idText(id) === wanted));
    const groupsOf = own.map((record) => (record?.Groups ?? []).map(({ GroupId }) => idText(GroupId)));
    const usersOf = own.map((record) => (record?.Users ?? []).map(idOfUser));
    // To assign: those that lack one of the policies. To unassign: those that have one.
    const isOffered = (lists: readonly string[][], id: string) =>
      isAssigned ? lists.some((list) => !list.includes(id)) : lists.some((list) => list.includes(id));
    const choice = (kind: Assignee['kind'], icon: string) => (object: PickedObject) => ({
      label: displayText(object.name),
      description: displayText(object.detail),
      iconPath: new vscode.ThemeIcon(icon),
      assignee: { kind, id: object.id, name: object.name },
    });
    return [
      ...groups.filter(({ id }) => isOffered(groupsOf, id)).map(choice('group', 'organization')),
      ...users.filter(({ id }) => isOffered(usersOf, id)).map(choice('user', 'account')),
    ];
  });
  const picked = await showQuickPick(items, {
    title: isAssigned
      ? vscode.l10n.t('Assign "{0}" on {1}', names, connection.name)
      : vscode.l10n.t('Unassign "{0}" on {1}', names, connection.name),
    placeHolder: isAssigned
      ? vscode.l10n.t('Select groups and users to restrict')
      : vscode.l10n.t('Select groups and users to stop restricting'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ assignee }) => assignee);
}

function idOfUser(user: unknown): string {
  if (typeof user !== 'object' || user === null || !('ID' in user)) return '';
  return typeof user.ID === 'string' || typeof user.ID === 'number' ? String(user.ID) : '';
}
