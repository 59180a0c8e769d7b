import type { AnalyticsClient } from '../client/client.ts';
import { writeOnce, type Write } from '../client/writes/writes.ts';
import { WriteNotDone } from '../client/writes/writeVerdict.ts';
import type { User } from '../contract/resources/user.ts';
import * as l10n from '../l10n/l10n.ts';

/** A user in a group, and the user's role there. */
export interface Membership {
  groupId: string;
  userId: string;
  roleId: string;
  /** Name of the membership for messages, for example `nora in North`. */
  words: string;
}

/**
 * Adds a user to a group with a role, or changes a member's role, and reads the user back: the reply is only text, and
 * a group would include every member in full. Succeeds only if this is the user's only role in the group: a server that
 * also keeps the earlier role has not reduced any rights. API description, Groups (AddUser).
 * @param pauses in ms, before each check of a call whose reply was lost.
 * @throws {ClientError} when the server refuses, or the user is not in the group when read back.
 */
export async function addMember(
  client: AnalyticsClient,
  membership: Membership,
  pauses?: readonly number[],
): Promise<void> {
  const { groupId, userId, roleId } = membership;
  await writeOnce(
    client,
    {
      path: 'Group/AddUser',
      body: { GroupId: groupId, ContactId: userId, RoleId: roleId },
      object: membership.words,
      kind: 'change',
      read: async (signal) => [await readUser(client, userId, signal)],
      idOf: () => userId,
      hasContent: (user) => isOnly(rolesOf(user, groupId), roleId),
    },
    async () => {
      const roles = rolesOf(await readUser(client, userId), groupId);
      if (!isOnly(roles, roleId)) throw notAdded(client, membership.words, roles);
    },
    { pauses },
  );
}

/**
 * Ids of the users' roles in a group, by user id; users who are not members are omitted. Only reads. API description,
 * Groups (GetSecurityGroupById), Users (GetContactById).
 * @throws {ClientError} when the group or a member cannot be read.
 */
export async function rolesInGroup(
  client: AnalyticsClient,
  groupId: string,
  userIds: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const { Membership } = await client.call('Group/GetSecurityGroupById', { GroupId: groupId });
  const members = new Set((Membership ?? []).map(({ ID }) => String(ID)));
  const found = new Map<string, readonly string[]>();
  for (const userId of userIds.filter((id) => members.has(id))) {
    const held = rolesOf(await readUser(client, userId), groupId);
    if (held) found.set(userId, held);
  }
  return found;
}

function notAdded(client: AnalyticsClient, words: string, roles: readonly string[] | undefined): WriteNotDone {
  const { name } = client.target;
  const message =
    roles === undefined
      ? l10n.t('{0} reported that {1} was added, but the user is not in the group.', name, words)
      : l10n.t('{0} reported that {1} was added, but the user has the role {2}.', name, words, roles.join(', ') || '–');
  return new WriteNotDone(message, { server: name });
}

/**
 * Removes a user from a group and reads the user back. API description, Groups (RemoveUser).
 * @throws {ClientError} when the server refuses, or the user is still in the group.
 */
export async function removeMember(
  client: AnalyticsClient,
  membership: Omit<Membership, 'roleId'>,
  pauses?: readonly number[],
): Promise<void> {
  const { groupId, userId } = membership;
  const write: Write<'Group/RemoveUser', User> = {
    path: 'Group/RemoveUser',
    body: { GroupId: groupId, ContactId: userId },
    object: membership.words,
    kind: 'change',
    read: async (signal) => [await readUser(client, userId, signal)],
    idOf: () => userId,
    hasContent: (user) => rolesOf(user, groupId) === undefined,
  };
  await writeOnce(
    client,
    write,
    async () => {
      if (rolesOf(await readUser(client, userId), groupId) === undefined) return;
      const { name } = client.target;
      const message = l10n.t('{0} reported that {1} was removed but still shows it.', name, membership.words);
      throw new WriteNotDone(message, { server: name });
    },
    { pauses },
  );
}

function readUser(client: AnalyticsClient, userId: string, signal?: AbortSignal): Promise<User> {
  return client.call('Contact/GetContactById', { ContactId: userId }, signal ? { signal } : {});
}

function isOnly(held: readonly string[] | undefined, roleId: string): boolean {
  return held?.length === 1 && held[0] === roleId;
}

/** Ids of a user's roles in a group; undefined for a user who is not a member. */
function rolesOf({ SecurityGroups }: User, groupId: string): string[] | undefined {
  const here = SecurityGroups?.find(({ GroupId }) => String(GroupId) === groupId);
  return here && (here.GroupRoles ?? []).map(({ RoleId }) => String(RoleId));
}
