import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { isSameJson } from '../../objects/merge/canonicalJson.ts';
import { objectsIn } from '../../objects/objectParts.ts';
import { entryId } from '../../objects/save/entriesWithoutId.ts';
import { everyonesGroupIds, flagOf, type AccessLists } from './snapshot.ts';

/** A change to be made on a server, applied to what was read from it. */
export type AccessEdit = (lists: AccessLists) => AccessLists;

/** A user in a group. */
export interface Member {
  readonly userId: string;
  readonly groupId: string;
}

/** Users leave groups. */
export function leaving(members: readonly Member[]): AccessEdit {
  return (lists) => ({
    ...lists,
    users: lists.users.map((user) => {
      const left = new Set(members.filter(({ userId }) => userId === idIn(user, 'ID')).map(({ groupId }) => groupId));
      return left.size === 0 ? user : without(user, 'SecurityGroups', 'GroupId', left);
    }),
  });
}

/** Users join a group with a role, or change their role there. */
export function joining(groupId: string, groupName: string, userIds: readonly string[], roleId: string): AccessEdit {
  return (lists) => {
    const left = leaving(userIds.map((userId) => ({ userId, groupId })))(lists);
    const membership = { GroupId: groupId, GroupName: groupName, GroupRoles: [{ RoleId: roleId }] };
    return {
      ...lists,
      users: left.users.map((user) =>
        userIds.includes(idIn(user, 'ID'))
          ? { ...user, SecurityGroups: [...objectsIn(user, 'SecurityGroups'), membership] }
          : user,
      ),
    };
  };
}

/** An object of one of the kinds that decide about rows. */
export interface AccessObject {
  readonly kind: string;
  readonly id: string;
}

/** Objects are deleted, with what refers to them. Only users, groups, data tags and policies change access to rows. */
export function deleting(objects: readonly AccessObject[]): AccessEdit {
  const idsOf = (kind: string) => new Set(objects.filter((object) => object.kind === kind).map(({ id }) => id));
  const [users, groups, tags, policies] = [idsOf('user'), idsOf('group'), idsOf('tag'), idsOf('policy')];
  return (lists) => ({
    ...lists,
    users: lists.users
      .filter((user) => !users.has(idIn(user, 'ID')))
      .map((user) => without(user, 'SecurityGroups', 'GroupId', groups)),
    tags: lists.tags
      .filter((tag) => !tags.has(idIn(tag, 'ID')))
      .map((tag) => without(tag, 'SecurityGroups', 'RightID', groups)),
    policies: lists.policies
      .filter((policy) => !policies.has(idIn(policy, 'id')))
      .map((policy) => without(policy, 'Groups', 'GroupId', groups)),
  });
}

/** Policies no longer restrict groups and users. */
export function unassigning(
  policyIds: readonly string[],
  assignees: readonly { readonly kind: 'group' | 'user'; readonly id: string }[],
): AccessEdit {
  const idsOf = (kind: 'group' | 'user') =>
    new Set(assignees.filter((assignee) => assignee.kind === kind).map(({ id }) => id));
  return changing('policy', policyIds, (policy) =>
    without(without(policy, 'Groups', 'GroupId', idsOf('group')), 'Users', 'ID', idsOf('user')),
  );
}

/** Only what policies restrict in an application: their constraints without an application, or with this one. */
export function inApplication(applicationId: string): AccessEdit {
  const isElsewhere = (constraint: Json) =>
    isJsonObject(constraint) && !['', applicationId].includes(idIn(constraint, 'ModuleID'));
  return (lists) => ({
    ...lists,
    policies: lists.policies.map((policy) => {
      const constraints = fieldOf(policy, 'Constraints');
      if (!Array.isArray(constraints)) return policy;
      return { ...policy, Constraints: constraints.filter((constraint) => !isElsewhere(constraint)) };
    }),
  });
}

interface KindList {
  readonly list: 'users' | 'tags' | 'policies';
  readonly idField: string;
  /** Fields that decide which rows users see. */
  readonly fields: readonly string[];
}

const profileFields = ['FirstName', 'LastName', 'EmailAddress', 'Company', 'Tag1', 'Tag2', 'Tag3', 'Tag4'];

const kindLists: Readonly<Record<string, KindList | undefined>> = {
  user: { list: 'users', idField: 'ID', fields: ['LoginName', ...profileFields, 'SelfSetFields'] },
  tag: { list: 'tags', idField: 'ID', fields: ['Label', 'DefaultValue', 'isActive', 'SecurityGroups', 'Contacts'] },
  policy: { list: 'policies', idField: 'id', fields: ['isActive', 'Constraints', 'Groups', 'Users'] },
};

/** Whether objects of a kind, apart from groups, decide which rows users see. */
export function decidesRows(kind: string): boolean {
  return kindLists[kind] !== undefined;
}

/** Objects of a kind change. Only users, data tags and policies change access to rows. */
export function changing(kind: string, ids: readonly string[], change: (object: JsonObject) => JsonObject): AccessEdit {
  const place = kindLists[kind];
  if (!place) return (lists) => lists;
  return (lists) => ({
    ...lists,
    [place.list]: lists[place.list].map((object) =>
      ids.includes(idIn(object, place.idField)) ? change(object) : object,
    ),
  });
}

/**
 * An object is saved.
 * @param base view before the edit; undefined if unknown.
 * @returns undefined if the save changes nothing that decides which rows users see.
 */
export function saving(kind: string, id: string, mine: JsonObject, base?: JsonObject): AccessEdit | undefined {
  const isChanged = (field: string) =>
    !isSameJson((base && fieldOf(base, field)) ?? null, fieldOf(mine, field) ?? null);
  if (kind === 'settings') {
    if (!isChanged(allUsersField)) return undefined;
    return (lists) => ({ ...lists, grantsAllUsers: flagOf(fieldOf(mine, allUsersField)) !== false });
  }
  const changed = (kindLists[kind]?.fields ?? []).filter(isChanged);
  if (changed.length === 0) return undefined;
  const fields = Object.fromEntries(
    changed.map((field) => [field, Object.hasOwn(mine, field) ? (mine[field] ?? null) : withoutField(field)]),
  );
  return changing(kind, [id], (object) => confirming(changed, { ...object, ...fields }));
}

/** What a server stores for a field that a save omits. */
function withoutField(field: string): JsonObject[string] {
  if (field === 'isActive') return false;
  return ['Constraints', 'Groups', 'Users', 'SecurityGroups', 'Contacts'].includes(field) ? [] : null;
}

/** Instance setting. API description, Instance settings. */
export const allUsersField = 'enableallusersgrp';

/** A field that an administrator changes no longer counts as set by the user. */
function confirming(changed: readonly string[], object: JsonObject): JsonObject {
  const { SelfSetFields } = object;
  if (!Array.isArray(SelfSetFields)) return object;
  return {
    ...object,
    SelfSetFields: SelfSetFields.filter((field) => typeof field !== 'string' || !changed.includes(field)),
  };
}

/**
 * A data tag or policy is created. Policies that compare with a label restrict otherwise once there is a tag with it.
 * Users see what they may see from the start.
 */
export function creating(kind: 'tag' | 'policy', fields: JsonObject): AccessEdit {
  return (lists) =>
    kind === 'tag'
      ? { ...lists, tags: [...lists.tags, { ...fields, ID: newId }] }
      : { ...lists, policies: [...lists.policies, { ...fields, id: newId }] };
}

/** Users are created, each with the ids of groups. */
export function creatingUsers(users: readonly { fields: JsonObject; groups: readonly JsonObject[] }[]): AccessEdit {
  return (lists) => ({
    ...lists,
    users: [
      ...lists.users,
      ...users.map(({ fields, groups }, index) => ({
        ...fields,
        ID: `${newId}${index}`,
        // Every user is a member of All Users.
        SecurityGroups: [...groups, ...everyonesGroupIds(lists.users).map((GroupId) => ({ GroupId }))],
      })),
    ],
  });
}

/** Not an id of any server. */
const newId = 'new ';

function without(object: JsonObject, field: string, idField: string, ids: ReadonlySet<string>): JsonObject {
  const list = fieldOf(object, field);
  if (!Array.isArray(list) || ids.size === 0) return object;
  return { ...object, [field]: list.filter((entry) => !ids.has(entryId(entry, idField) ?? '')) };
}

function idIn(object: JsonObject, field: string): string {
  return identifierText(fieldOf(object, field)) ?? '';
}
