import * as vscode from 'vscode';
import * as l10n from '../../l10n/l10n.ts';
import { showInformationMessage, showWarningMessage } from '../../editor/messages.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { addMember, removeMember, rolesInGroup } from '../../access/membership.ts';
import type { AccessEffect } from '../../access/rows/accessEffect.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../../editor/displayText.ts';
import { roles } from '../../contract/roles.ts';
import { idText } from '../../contract/idText.ts';
import { adminServerOf, verifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { selectedOf, distinctBy, isDrop, objectKey } from '../../editor/nodes/selectedNodes.ts';
import { attempt } from '../../editor/commandError.ts';
import { forEachObject } from '../../editor/forEachObject.ts';
import { readingAhead } from '../../client/http/joinedReads.ts';
import { pickObject, pickObjects } from '../../editor/pickers/objectPicks.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { refreshOpenDocuments } from '../../editor/openTabs.ts';
import { currentRole } from './confirmRole.ts';
import { confirmJoining, confirmRemoval, joiningEffect, namedAtMost, type Membership } from './confirmMembership.ts';

interface Named {
  id: string;
  name: string;
}

/** Adds users to a group with a role: the selected or dropped ones, or a choice from the list. */
export function addToGroup(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  return readingAhead(() => addMembers(services, argument, selection));
}

async function addMembers(services: CommandServices, argument: unknown, selection: unknown): Promise<void> {
  const title = vscode.l10n.t('Add Users to Group');
  const asked = isDrop(argument) ? argument.onto : argument;
  const connection = await adminServerOf(asked, services, title);
  if (!connection) return;
  const group = await groupFor(services, connection, asked, title);
  if (!group) return;
  const dropped = isDrop(argument) ? argument.dropped : selection;
  const users =
    namedUsers(services, isDrop(argument) ? argument.dropped[0] : argument, dropped) ??
    (await pickObjects(connection, 'users', { title, placeholder: vscode.l10n.t('Users to add to {0}', group.name) }));
  if (!users || users.length === 0) return;
  const shown = await verifiedServer(connection, argument, selection);
  const client = await attempt(unreachable(connection), () => shown.client());
  const effectOn = (some: readonly Named[], { id }: Pick<Named, 'id'>) =>
    joiningEffect(connection, shown, some, group, id);
  // Read while the user chooses: the same is asked for any role.
  effectOn(users, { id: '' }).catch(() => undefined);
  rolesInGroup(
    client,
    group.id,
    users.map(({ id }) => id),
  ).catch(() => undefined);
  const role = await pickRole(connection, client, users, group);
  if (!role) return;
  const effect = effectOn(users, role);
  effect.catch(() => undefined);
  const { items, said } = await withRolesAgreed(connection, client, users, group, role, effect);
  if (items.length === 0) return;
  // After a question, what was read before it may be old.
  const current = await (items === users ? effect : effectOn(items, role));
  const isSaid = current.statements.length > 0 && current.statements.every((statement) => said.includes(statement));
  if (!isSaid && !(await confirmJoining(connection, items, group, current))) return;
  await forEachObject(
    services,
    {
      title: vscode.l10n.t('Adding users to {0}', group.name),
      items,
      nameOf: ({ name }) => name,
      whatFailed: ({ name }) => vscode.l10n.t('Could not add {0} to {1} on {2}', name, group.name, connection.name),
      done: ([only, ...others]) => {
        const place = [group.name, role.name, connection.name] as const;
        return only && others.length === 0
          ? vscode.l10n.t('{0} added to {1} as {2} on {3}', only.name, ...place)
          : vscode.l10n.t('{0} users added to {1} as {2} on {3}', others.length + 1, ...place);
      },
      after: async () => {
        await services.tree.refreshObjects(connection, 'user');
        await refreshOpenDocuments(
          services,
          connection,
          { kind: 'user', objects: items },
          { kind: 'group', objects: [group] },
        );
      },
    },
    async ({ id, name }) =>
      addMember(await shown.client(), {
        groupId: group.id,
        userId: id,
        roleId: role.id,
        words: vscode.l10n.t('{0} in {1}', name, group.name),
      }),
  );
}

/**
 * The users to send: those who are not members yet and, if the user agrees, members whose role changes. Members who
 * already have the role are omitted. None if cancelled; `users` itself if none is a member. With the statements of the
 * effect that the user agreed to.
 */
async function withRolesAgreed(
  connection: Connection,
  client: AnalyticsClient,
  users: readonly Named[],
  group: Named,
  role: Named,
  effect: Promise<AccessEffect>,
): Promise<{ items: readonly Named[]; said: readonly string[] }> {
  const held = await heldRoles(connection, client, users, group);
  if (held.size === 0) return { items: users, said: [] };
  const fresh = users.filter(({ id }) => !held.has(id));
  const changing = users.filter(({ id }) => held.get(id)?.join() !== role.id && held.has(id));
  if (changing.length === 0) {
    if (fresh.length === 0) {
      void showInformationMessage(
        vscode.l10n.t('All of them are already in {0} on {1} as {2}.', group.name, connection.name, role.name),
      );
    }
    return { items: fresh, said: [] };
  }
  const { lines: effects, statements } = await effect;
  const change = vscode.l10n.t('Change Roles');
  const leave = vscode.l10n.t('Add Only New Members');
  const question =
    changing.length === 1
      ? vscode.l10n.t('Change the role of {0} in {1} to "{2}"?', changing[0]?.name ?? '', group.name, role.name)
      : vscode.l10n.t('Change the roles of {0} users in {1} to "{2}"?', changing.length, group.name, role.name);
  const lines = changing
    .slice(0, namedAtMost)
    .map(({ id, name }) =>
      vscode.l10n.t('{0} currently has {1}', name, (held.get(id) ?? []).map(roleName).join(', ') || '–'),
    );
  const rest = changing.length - lines.length;
  const more = rest > 0 ? [vscode.l10n.t('and {0} more', rest)] : [];
  const detail = [...lines, ...more, ...effects].join('\n');
  const answers = fresh.length > 0 ? [change, leave] : [change];
  const answer = await showWarningMessage(question, { modal: true, detail }, ...answers);
  if (answer === change) return { items: [...fresh, ...changing], said: statements };
  return { items: answer === leave ? fresh : [], said: [] };
}

function heldRoles(
  connection: Connection,
  client: AnalyticsClient,
  users: readonly Named[],
  group: Named,
): Promise<Map<string, readonly string[]>> {
  const what = vscode.l10n.t('Could not read {0} of {1}', group.name, connection.name);
  const ids = users.map(({ id }) => id);
  return attempt(what, () => rolesInGroup(client, group.id, ids));
}

function unreachable({ name }: Connection): string {
  return vscode.l10n.t('Could not reach {0}', name);
}

function roleName(roleId: string): string {
  return roles.find(({ id }) => id === roleId)?.name ?? roleId;
}

/** Removes members from a group: the selected ones, or a choice of its members. */
export async function removeFromGroup(
  services: CommandServices,
  argument?: unknown,
  selection?: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Remove Users from Group');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await verifiedServer(connection, argument, selection);
  const memberships =
    selectedMemberships(services, argument, selection) ??
    (await pickMemberships(services, connection, argument, title));
  if (!memberships || memberships.length === 0) return;
  if (!(await confirmRemoval(connection, shown, memberships))) return;
  await forEachObject(
    services,
    {
      title: vscode.l10n.t('Removing members on {0}', connection.name),
      items: memberships,
      nameOf: ({ user }) => user.name,
      whatFailed: ({ user, group }) =>
        vscode.l10n.t('Could not remove {0} from {1} on {2}', user.name, group.name, connection.name),
      done: ([only, ...others]) =>
        only && others.length === 0
          ? vscode.l10n.t('{0} removed from {1} on {2}', only.user.name, only.group.name, connection.name)
          : vscode.l10n.t('{0} memberships removed on {1}', others.length + 1, connection.name),
      after: async () => {
        await services.tree.refreshObjects(connection, 'user');
        const [users, groups] = [memberships.map(({ user }) => user), memberships.map(({ group }) => group)];
        await refreshOpenDocuments(
          services,
          connection,
          { kind: 'user', objects: users },
          { kind: 'group', objects: groups },
        );
      },
    },
    async ({ user, group }) =>
      removeMember(await shown.client(), {
        groupId: group.id,
        userId: user.id,
        words: vscode.l10n.t('{0} in {1}', user.name, group.name),
      }),
  );
}

async function groupFor(
  services: CommandServices,
  connection: Connection,
  argument: unknown,
  title: string,
): Promise<Named | undefined> {
  const [node] = selectedOf(services, argument, undefined, 'group')?.nodes ?? [];
  if (node) return { id: node.groupId, name: node.name };
  return pickObject(connection, 'groups', { title, placeholder: vscode.l10n.t('Group') });
}

function namedUsers(services: CommandServices, argument: unknown, selection: unknown): Named[] | undefined {
  const nodes = selectedOf(services, argument, selection, 'user', 'member')?.nodes;
  if (!nodes || nodes.length === 0) return undefined;
  // A user can be selected in several places.
  return distinctBy(nodes, objectKey).map(({ user }) => ({ id: user.userId, name: user.loginName }));
}

/** Asks for a role in a group, labeled by the server; the present one is marked. API description, Role. */
async function pickRole(
  connection: Connection,
  client: AnalyticsClient,
  users: readonly Named[],
  group: Named,
): Promise<Named | undefined> {
  const inGroups = new Map(roles.filter(({ appliesTo }) => appliesTo === 'group').map((role) => [role.id, role]));
  const known = await attempt(vscode.l10n.t('Could not read the roles of {0}', connection.name), () =>
    client.call('Contact/GetRolesList', {}),
  );
  const held = [...(await heldRoles(connection, client, users, group)).values()];
  const items = known
    .filter(({ RoleId }) => inGroups.has(idText(RoleId)))
    .map(({ RoleId, RoleName, RoleDescription }) => {
      const id = idText(RoleId);
      const role = inGroups.get(id);
      const count = held.filter((ids) => ids.includes(id)).length;
      const description = [
        displayText(RoleDescription) || l10n.listed(role?.description ?? ''),
        currentRole(count, users.length),
      ];
      return { id, label: displayText(RoleName) || id, description: description.filter(Boolean).join(' · ') };
    })
    // View is the most common role.
    .sort((a, b) => Number(b.id === '2') - Number(a.id === '2'));
  const [only] = users;
  const who = users.length === 1 && only ? only.name : vscode.l10n.t('{0} users', users.length);
  const picked = await showQuickPick(items, {
    title: vscode.l10n.t('Role of {0} in {1} on {2}', who, group.name, connection.name),
    placeHolder: vscode.l10n.t('Role'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked && { id: picked.id, name: picked.label };
}

function selectedMemberships(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Membership[] | undefined {
  const nodes = selectedOf(services, argument, selection, 'member')?.nodes;
  return nodes?.flatMap(({ user, parent }) =>
    parent.kind === 'group'
      ? [{ user: { id: user.userId, name: user.loginName }, group: { id: parent.groupId, name: parent.name } }]
      : [],
  );
}

async function pickMemberships(
  services: CommandServices,
  connection: Connection,
  argument: unknown,
  title: string,
): Promise<Membership[] | undefined> {
  const group = await groupFor(services, connection, argument, title);
  if (!group) return undefined;
  const client = await connection.client();
  const record = await attempt(vscode.l10n.t('Could not read {0} of {1}', group.name, connection.name), () =>
    client.call('Group/GetSecurityGroupById', { GroupId: group.id }),
  );
  const members = new Set((record.Membership ?? []).map(({ ID }) => idText(ID)));
  const users = await pickObjects(connection, 'users', {
    title,
    placeholder: vscode.l10n.t('Members to remove from {0}', group.name),
    fits: ({ id }) => members.has(id),
  });
  return users?.map((user) => ({ user, group }));
}
