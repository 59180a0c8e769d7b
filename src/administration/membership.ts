import type { AnalyticsClient } from '../client/client.ts';
import { ClientError } from '../client/clientError.ts';
import { writeOnce } from '../client/writes.ts';
import type { SecurityGroup } from '../contract/resources/securityGroup.ts';

/** A user in a group, and the role there. */
export interface Membership {
  groupId: string;
  userId: string;
  roleId: string;
  /** What is changed, for messages, for example `nora in North`. */
  words: string;
}

/**
 * Puts a user into a group with a role, or gives a member another role, and reads the group back: the reply is only text.
 * API description, Groups (AddUser).
 * @throws {ClientError} when the server refuses, or reads back without the user.
 */
export async function addMember(client: AnalyticsClient, membership: Membership): Promise<void> {
  const { groupId, userId, roleId } = membership;
  await writeOnce(client, {
    path: 'Group/AddUser',
    body: { GroupId: groupId, ContactId: userId, RoleId: roleId },
    object: membership.words,
    kind: 'change',
    read: async (signal) => [await readGroup(client, groupId, signal)],
    idOf: () => groupId,
    hasContent: (group) => rolesOf(group, userId)?.includes(roleId) ?? false,
  });
  const roles = rolesOf(await readGroup(client, groupId), userId);
  if (roles?.includes(roleId)) return;
  const found = roles === undefined ? 'without the user' : `with role ${roles.join(', ') || 'none'}`;
  throw refusal(
    client,
    `${client.target.name} said that ${membership.words} was added, but reads the group back ${found}.`,
  );
}

/**
 * Takes a user out of a group and reads the group back. API description, Groups (RemoveUser).
 * @throws {ClientError} when the server refuses, or still lists the user.
 */
export async function removeMember(client: AnalyticsClient, membership: Omit<Membership, 'roleId'>): Promise<void> {
  const { groupId, userId } = membership;
  await writeOnce(client, {
    path: 'Group/RemoveUser',
    body: { GroupId: groupId, ContactId: userId },
    object: membership.words,
    kind: 'change',
    read: async (signal) => [await readGroup(client, groupId, signal)],
    idOf: () => groupId,
    hasContent: (group) => rolesOf(group, userId) === undefined,
  });
  if (rolesOf(await readGroup(client, groupId), userId) === undefined) return;
  throw refusal(client, `${client.target.name} said that ${membership.words} was removed, but still lists the user.`);
}

function readGroup(client: AnalyticsClient, groupId: string, signal?: AbortSignal): Promise<SecurityGroup> {
  return client.call('Group/GetSecurityGroupById', { GroupId: groupId }, signal ? { signal } : {});
}

/** Ids of the roles that a user has in a group; undefined for who is no member. */
function rolesOf(group: SecurityGroup, userId: string): string[] | undefined {
  const member = group.Membership?.find(({ ID }) => String(ID) === userId);
  if (!member) return undefined;
  const here = member.SecurityGroups?.find(({ GroupId }) => String(GroupId) === String(group.GroupId));
  return (here?.GroupRoles ?? []).map(({ RoleId }) => String(RoleId));
}

function refusal(client: AnalyticsClient, message: string): ClientError {
  return new ClientError('refused', message, { server: client.target.name });
}
