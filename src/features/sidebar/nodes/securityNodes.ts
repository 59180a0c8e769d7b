import type { DataTag } from '../../../contract/resources/dataTag.ts';
import type { Policy } from '../../../contract/resources/policy.ts';
import type { SecurityGroup } from '../../../contract/resources/securityGroup.ts';
import { applicationRoles } from '../../../access/applicationRoles.ts';
import type { AppAssignment, User } from '../../../contract/resources/user.ts';
import { displayText } from '../../../editor/displayText.ts';
import { idText } from '../../../contract/idText.ts';
import { compareNames } from '../../../editor/nodes/libraryNodes.ts';
import type { UserFacts } from '../../../editor/nodes/nodeFacts.ts';
import type {
  DataTagNode,
  FactNode,
  GroupNode,
  ListNode,
  PolicyNode,
  UserNode,
} from '../../../editor/nodes/treeNode.ts';

/** Users, sorted by login name. */
export function userNodes(parent: ListNode, users: readonly User[]): UserNode[] {
  const { connection } = parent;
  return users
    .map((entry): UserNode => {
      const user = userFacts(entry);
      return { kind: 'user', id: `${parent.id}/${user.userId}`, connection, parent, user, roles: [] };
    })
    .sort((a, b) => compareNames(a.user.loginName, b.user.loginName));
}

/** Security groups, sorted by name. */
export function groupNodes(parent: ListNode, groups: readonly SecurityGroup[]): GroupNode[] {
  const { connection } = parent;
  return groups
    .map((group): GroupNode => {
      const groupId = idText(group.GroupId);
      return {
        kind: 'group',
        id: `${parent.id}/${groupId}`,
        connection,
        parent,
        groupId,
        name: displayText(group.GroupName) || groupId,
        description: displayText(group.GroupDescription),
        members: (group.Membership ?? []).map((member) => ({
          user: userFacts(member),
          roles: rolesIn(member, groupId),
        })),
      };
    })
    .sort((a, b) => compareNames(a.name, b.name));
}

/** Members of a group, sorted by login name, with their roles in it. */
export function memberNodes(parent: GroupNode): UserNode[] {
  const { connection } = parent;
  return parent.members
    .map(({ user, roles }): UserNode => {
      return { kind: 'member', id: `${parent.id}/${user.userId}`, connection, parent, user, roles };
    })
    .sort((a, b) => compareNames(a.user.loginName, b.user.loginName));
}

/** Users with a role on an application, each of which takes a seat, sorted by login name. */
export function holderNodes(parent: FactNode, applicationId: string, users: readonly User[]): UserNode[] {
  const { connection } = parent;
  return users
    .flatMap((entry): UserNode[] => {
      const roles = (entry.UserApplications ?? [])
        .filter(({ ApplicationID }) => idText(ApplicationID) === applicationId)
        .map(roleOnApplication);
      const user = userFacts(entry);
      const id = `${parent.id}/${user.userId}`;
      return roles.length === 0 ? [] : [{ kind: 'holder', id, connection, parent, user, roles }];
    })
    .sort((a, b) => compareNames(a.user.loginName, b.user.loginName));
}

function roleOnApplication({ ApplicationRoleID, ApplicationRoleName }: AppAssignment): string {
  const id = idText(ApplicationRoleID);
  return displayText(ApplicationRoleName) || (applicationRoles.find((role) => role.id === id)?.name ?? id);
}

/** Data tags, sorted by label. */
export function dataTagNodes(parent: ListNode, tags: readonly DataTag[]): DataTagNode[] {
  const { connection } = parent;
  return tags
    .map((tag): DataTagNode => {
      const tagId = idText(tag.ID);
      return {
        kind: 'dataTag',
        id: `${parent.id}/${tagId}`,
        connection,
        parent,
        tagId,
        label: displayText(tag.Label) || tagId,
        defaultValue: displayText(tag.DefaultValue),
        isActive: tag.isActive !== false,
        valueCount: (tag.SecurityGroups?.length ?? 0) + (tag.Contacts?.length ?? 0),
      };
    })
    .sort((a, b) => compareNames(a.label, b.label));
}

/**
 * Policies, sorted by name.
 * @param groupNames group names by id, for servers whose policies only list ids.
 */
export function policyNodes(
  parent: ListNode,
  policies: readonly Policy[],
  groupNames: ReadonlyMap<string, string>,
): PolicyNode[] {
  const { connection } = parent;
  return policies
    .map((policy): PolicyNode => {
      const policyId = idText(policy.id);
      const groupIds = (policy.Groups ?? []).map((group) => idText(group.GroupId));
      return {
        kind: 'policy',
        id: `${parent.id}/${policyId}`,
        connection,
        parent,
        policyId,
        name: displayText(policy.Name) || policyId,
        description: displayText(policy.Description),
        isActive: policy.isActive === true,
        groups: (policy.Groups ?? []).map((group) => nameOfGroup(group, groupNames)).sort(compareNames),
        groupIds,
        userCount: policy.Users?.length ?? 0,
        constraintCount: policy.Constraints?.length ?? 0,
      };
    })
    .sort((a, b) => compareNames(a.name, b.name));
}

function nameOfGroup(
  group: { GroupId?: string | number | null; GroupName?: unknown },
  names: ReadonlyMap<string, string>,
) {
  const own = typeof group.GroupName === 'string' ? displayText(group.GroupName) : '';
  const id = idText(group.GroupId);
  return own || (names.get(id) ?? `#${id}`);
}

function userFacts(user: User): UserFacts {
  const userId = idText(user.ID);
  return {
    userId,
    loginName: displayText(user.LoginName) || userId,
    fullName: displayText(user.FullName) || displayText(`${user.FirstName ?? ''} ${user.LastName ?? ''}`),
    email: displayText(user.EmailAddress),
    company: displayText(user.Company),
    isAdmin: user.isAdmin === true || user.isSuperAdmin === true,
    lockedSince: moment(user.lockdate),
    lastSignIn: moment(user.LoginDate),
    groups: (user.SecurityGroups ?? []).map((group) => displayText(group.GroupName)).sort(compareNames),
    applications: user.UserApplications?.map(
      (entry) => `${displayText(entry.ApplicationName) || idText(entry.ApplicationID)}: ${roleOnApplication(entry)}`,
    ),
  };
}

/** A timestamp from the server, or null if it means 'never': year one, as the service writes empty dates. */
function moment(timestamp: string | null | undefined): string | null {
  return !timestamp || timestamp.startsWith('0001-01-01') ? null : timestamp;
}

function rolesIn(user: User, groupId: string): string[] {
  const membership = user.SecurityGroups?.find((group) => idText(group.GroupId) === groupId);
  return (membership?.GroupRoles ?? []).map((role) => displayText(role.RoleName)).filter((name) => name !== '');
}
