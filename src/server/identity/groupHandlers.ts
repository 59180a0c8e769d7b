import { securityGroup, type SecurityGroup } from '../../contract/resources/securityGroup.ts';
import type { User } from '../../contract/resources/user.ts';
import { roles } from '../../contract/roles.ts';
import { noContent, type Handlers, type SignedInContext, adminOnly } from '../calls/handlers.ts';
import {
  checkRevision,
  extraFields,
  refusal,
  requireCollections,
  requireWholeNumbers,
  sentId,
} from '../calls/wholeObject.ts';
import { neverTimestamp, zonelessTimestamp } from '../calls/timestamps.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { extraFieldsOf, writeExtraFields } from '../store/extraFields.ts';
import type { Store } from '../store/store.ts';
import {
  addMember,
  deleteGroup,
  findGroup,
  findGroupByName,
  insertGroup,
  listGroups,
  membershipsIn,
  removeMember,
  updateGroup,
  type StoredGroup,
} from './groups.ts';
import { allUsersGroupId } from './identitySchema.ts';
import type { Sessions } from './sessions.ts';
import { isOutOfReach } from './userAccess.ts';
import type { UserRecords } from './userRecords.ts';
import { findUser } from './users.ts';

/** Text that describes what was done, or no content for an account that the caller may not change. */
type TextReply = string | typeof noContent;

/** Collections that a group must include when it is saved or deleted. */
const groupCollections = ['GroupRoles', 'Membership', 'AllUsers', 'AllRoles'] as const;

/** Listed fields of a group that are stored as sent. */
const keptGroupFields = ['GroupRoles', 'AllUsers', 'AllRoles', 'GroupStatus'] as const;

/** Handlers of security groups and membership. API description, Groups. */
export function createGroupHandlers(records: UserRecords, sessions: Sessions): Handlers {
  return {
    'Group/GetAllSecurityGroups': adminOnly((_body, { store }) => groupRecords(store, records, listGroups(store))),
    'Group/GetSecurityGroupById': adminOnly(({ GroupId }, { store }) => {
      const group = findGroup(store, GroupId);
      if (!group) throw refusal(`There is no group with the id ${GroupId}.`);
      return groupRecords(store, records, [group])[0];
    }),
    'Group/NewSecurityGroup': () => newGroup,
    'Group/SaveSecurityGroup': adminOnly((body, context) => saveGroup(records, body, context)),
    'Group/DeleteSecurityGroup': adminOnly(({ group }, context) => {
      requireCollections(group, 'The group', groupCollections);
      const stored = requireGroup(context.store, group);
      if (stored.id === allUsersGroupId) throw refusal(`${stored.name} is built in and cannot be deleted.`);
      return context.store.transaction(() => {
        const [record] = groupRecords(context.store, records, [stored]);
        deleteGroup(context.store, stored.id);
        context.audit(auditSymbols.change, `deleted group ${stored.name}`);
        return record;
      });
    }),
    'Group/AddUser': adminOnly((body, context) => addUser(sessions, body, context)),
    'Group/RemoveUser': adminOnly((body, context) => removeUser(sessions, body, context)),
  };
}

function saveGroup(records: UserRecords, body: { group: SecurityGroup }, context: SignedInContext) {
  const { store, now } = context;
  const { group } = body;
  requireCollections(group, 'The group', groupCollections);
  requireWholeNumbers(group, 'The group', ['GroupStatus']);
  const name = (group.GroupName ?? '').trim();
  if (name === '') throw refusal('GroupName is empty.');
  return store.transaction(() => {
    const stored = sentId(group.GroupId) === null ? undefined : requireGroup(store, group);
    if (stored) checkRevision(body, stored.revision, `Group ${stored.name}`);
    const namesake = findGroupByName(store, name);
    if (namesake && namesake.id !== stored?.id) throw refusal(`The group name ${name} is taken.`);
    if (stored?.id === allUsersGroupId && name !== stored.name) throw refusal(`${stored.name} cannot be renamed.`);
    const description = group.GroupDescription ?? '';
    const id = stored ? stored.id : insertGroup(store, { name, description }, now);
    if (stored) updateGroup(store, id, { name, description }, now);
    const kept = extraFieldsOf(store, 'security_group', id);
    const extra = extraFields(group, securityGroup.shape, keptGroupFields);
    writeExtraFields(store, 'security_group', id, { ...kept, ...extra });
    context.audit(auditSymbols.change, `${stored ? 'saved' : 'created'} group ${name}`);
    const saved = findGroup(store, id);
    return saved && groupRecords(store, records, [saved])[0];
  });
}

function addUser(
  sessions: Sessions,
  body: { GroupId: string; ContactId: string; RoleId: string },
  context: SignedInContext,
): TextReply {
  const { store } = context;
  const role = roles.find(({ id, appliesTo }) => id === body.RoleId && appliesTo === 'group');
  const group = findGroup(store, body.GroupId);
  const user = findUser(store, body.ContactId);
  if (!group) return `There is no group with the id ${body.GroupId}.`;
  if (!user) return `There is no user with the id ${body.ContactId}.`;
  if (isOutOfReach(user, context)) return noContent;
  if (!role) return `Role ${body.RoleId} cannot be assigned in a group: use 0 to 4.`;
  store.transaction(() => {
    addMember(store, group.id, user.id, role.id);
    context.audit(auditSymbols.change, `made user ${user.loginName} ${role.name} in group ${group.name}`);
  });
  sessions.renewPassportsOf(user.id);
  return 'User Added Successfully.';
}

function removeUser(
  sessions: Sessions,
  body: { GroupId: string; ContactId: string },
  context: SignedInContext,
): TextReply {
  const { store } = context;
  const group = findGroup(store, body.GroupId);
  const user = findUser(store, body.ContactId);
  if (!group) return `There is no group with the id ${body.GroupId}.`;
  if (!user) return `There is no user with the id ${body.ContactId}.`;
  if (isOutOfReach(user, context)) return noContent;
  if (group.id === allUsersGroupId) return `Everyone is in ${group.name}. To remove the rights, assign role 0.`;
  const wasMember = store.transaction(() => {
    if (!removeMember(store, group.id, user.id)) return false;
    context.audit(auditSymbols.change, `removed user ${user.loginName} from group ${group.name}`);
    return true;
  });
  if (!wasMember) return `${user.loginName} is not a member of ${group.name}.`;
  sessions.renewPassportsOf(user.id);
  return 'User Removed Successfully.';
}

function requireGroup(store: Store, group: SecurityGroup): StoredGroup {
  const id = sentId(group.GroupId);
  const stored = id === null ? undefined : findGroup(store, id);
  if (!stored) throw refusal(`There is no group with the id ${id ?? '(none)'}.`);
  return stored;
}

/** Number of members up to which reading each is faster than reading all users. */
const fewMembers = 50;

/** Groups with full user records as members. */
export function groupRecords(store: Store, records: UserRecords, groups: readonly StoredGroup[]): SecurityGroup[] {
  const members = new Map(groups.map(({ id }) => [id, membershipsIn(store, id).map(({ userId }) => userId)]));
  const ids = [...new Set([...members.values()].flat())];
  const found = ids.length > fewMembers ? records.all(store) : records.some(store, ids);
  const users = new Map<string, User>(found.map((user) => [String(user.ID), user]));
  return groups.map((group) => ({
    GroupRoles: [],
    AllUsers: [],
    AllRoles: [],
    GroupStatus: 0,
    ...extraFieldsOf(store, 'security_group', group.id),
    ErrorCode: 0,
    ErrorMessage: null,
    GroupId: group.id,
    GroupName: group.name,
    GroupDescription: group.description,
    GroupCreated: zonelessTimestamp(group.created),
    GroupModified: zonelessTimestamp(group.modified),
    Membership: (members.get(group.id) ?? []).map((id) => users.get(id)).filter((user) => user !== undefined),
    Revision: group.revision,
  }));
}

/** Template of a new group. API description, Groups (NewSecurityGroup). */
const newGroup: SecurityGroup = {
  ErrorCode: 0,
  ErrorMessage: null,
  GroupId: null,
  GroupName: '',
  GroupDescription: '',
  GroupCreated: neverTimestamp,
  GroupModified: neverTimestamp,
  GroupRoles: [],
  Membership: [],
  AllUsers: [],
  AllRoles: [],
  GroupStatus: 0,
};
