import { ownFields, type ProfilePlaceholder } from '../../contract/placeholders.ts';
import { labelKey, placeholdersWithin } from '../../objects/placeholders.ts';
import { isPolicyOperator } from '../../contract/operators.ts';
import { bareName, namePath } from '../../contract/tableNames.ts';
import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { textField } from '../../objects/kinds/objectEntry.ts';
import { holdsId, objectsIn } from '../../objects/objectParts.ts';
import { idsIn } from '../../objects/save/entriesWithoutId.ts';
import { isLocked } from '../../objects/userAccess.ts';
import * as l10n from '../../l10n/l10n.ts';
import type { Comparison } from './conditions.ts';

/** What decides about rows, as a server returns it: whole objects, so that an edit can be applied to them. */
export interface AccessLists {
  readonly users: readonly JsonObject[];
  readonly tags: readonly JsonObject[];
  readonly policies: readonly JsonObject[];
  /** Whether membership of All Users gives its members the group's tag values. */
  readonly grantsAllUsers: boolean;
}

/** A user, with what policies compare. */
export interface AccessUser {
  readonly id: string;
  /** Distinct: with the id if several users have the same login name; says if the user is locked. */
  readonly name: string;
  readonly groupIds: ReadonlySet<string>;
  /** Groups whose tag values the user has: not those with the role None. */
  readonly valueGroupIds: ReadonlySet<string>;
  readonly profile: Readonly<Record<ProfilePlaceholder, string>>;
}

export interface AccessTag {
  readonly label: string;
  readonly isActive: boolean;
  readonly fallback: string;
  readonly groupValues: ReadonlyMap<string, string>;
  readonly userValues: ReadonlyMap<string, string>;
}

/** A constraint, with the table that it restricts. */
export interface AccessConstraint extends Comparison {
  /** Application; empty for all. */
  readonly moduleId: string;
  /** Schema in lower case; empty if any matches. */
  readonly owner: string;
  /** In lower case and without quotes. */
  readonly table: string;
  /** The table as written. */
  readonly tableName: string;
  /** Whether it is an alternative to the next constraint on the same table. */
  readonly isOr: boolean;
}

/** A policy that is active, or for which that is unknown. */
export interface AccessPolicy {
  readonly name: string;
  /** Undefined, as are `userIds`, if the assignments are unknown. */
  readonly groupIds: ReadonlySet<string> | undefined;
  readonly userIds: ReadonlySet<string> | undefined;
  /** Undefined if it is unknown what the policy restricts. */
  readonly constraints: readonly AccessConstraint[] | undefined;
  /** Identifies the content of the constraints. */
  readonly text: string;
  /** Normal labels of the placeholders in it. */
  readonly labels: readonly string[];
}

/** Everything that decides which rows each user sees. */
export interface AccessSnapshot {
  /** By id; further entries with the same id have keys of their own. */
  readonly users: ReadonlyMap<string, AccessUser>;
  /** By normal label; a label of several tags has no value. */
  readonly tags: ReadonlyMap<string, readonly AccessTag[]>;
  readonly policies: readonly AccessPolicy[];
}

/** A flag as servers write it: also as text or number; undefined for anything else. */
export function flagOf(value: Json | undefined): boolean | undefined {
  const text = typeof value === 'boolean' ? String(value) : identifierText(value)?.toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

/** Reads a snapshot from objects. API description, User, Data tag, Shield policy. */
export function snapshotOf(lists: AccessLists): AccessSnapshot {
  const logins = Map.groupBy(lists.users, loginOf);
  const withoutValues = lists.grantsAllUsers ? [] : everyonesGroupIds(lists.users);
  const users = lists.users.map((user) => accessUser(user, withoutValues, logins.get(loginOf(user))?.length === 1));
  const unreadable = unreadableTags(lists.tags);
  const entries = [...Map.groupBy(users, ({ id }) => id)].flatMap(([id, same]) =>
    same.map((user, index): [string, AccessUser] => [index === 0 ? id : JSON.stringify([id, index]), user]),
  );
  return {
    users: new Map(entries),
    tags: Map.groupBy(lists.tags.map(accessTag), ({ label }) => label),
    policies: lists.policies
      .filter((policy) => flagOf(fieldOf(policy, 'isActive')) !== false)
      .map((policy) => accessPolicy(policy, unreadable)),
  };
}

function loginOf(user: JsonObject): string {
  return textField(user, 'LoginName');
}

/**
 * Ids of the group All Users. The API description knows it by its name only; of several groups with that name, it is
 * the one that every user is in.
 */
export function everyonesGroupIds(users: readonly JsonObject[]): string[] {
  const groups = users.flatMap((user) => objectsIn(user, 'SecurityGroups'));
  const named = groups.filter((group) => textField(group, 'GroupName').trim().toLowerCase() === 'all users');
  const ids = [...new Set(named.map((group) => textField(group, 'GroupId')))];
  const ofEveryone = ids.filter((id) => users.every((user) => holdsId(user, 'SecurityGroups', 'GroupId', id)));
  return ids.length > 1 && ofEveryone.length > 0 ? ofEveryone : ids;
}

/**
 * @param withoutValues ids of groups whose tag values their members do not have.
 * @param isOnly whether no other user has the same login name.
 */
function accessUser(user: JsonObject, withoutValues: readonly string[], isOnly: boolean): AccessUser {
  const groups = objectsIn(user, 'SecurityGroups').map((group) => {
    const roles = objectsIn(group, 'GroupRoles').map((role) => textField(role, 'RoleId'));
    const id = textField(group, 'GroupId');
    return {
      id,
      hasValues: !withoutValues.includes(id) && (roles.length === 0 || roles.some((role) => role !== noRole)),
    };
  });
  const id = textField(user, 'ID');
  const name = loginOf(user) === '' || isOnly ? loginOf(user) || id : l10n.t('{0} (ID {1})', loginOf(user), id);
  return {
    id,
    name: isLocked(user) ? l10n.t('{0} (locked)', name) : name,
    groupIds: new Set(groups.map(({ id }) => id)),
    valueGroupIds: new Set(groups.filter(({ hasValues }) => hasValues).map(({ id }) => id)),
    profile: profileOf(user),
  };
}

/** Role None. API description, Role. */
const noRole = '0';

/** Fields that users have set themselves have no value in policies. */
function profileOf(user: JsonObject): AccessUser['profile'] {
  const selfSet = fieldOf(user, 'SelfSetFields');
  const isSelfSet = (field: string) => Array.isArray(selfSet) && selfSet.includes(field);
  const own = (field: string) => (isSelfSet(field) ? '' : textField(user, field));
  return {
    tag1: textField(user, 'Tag1'),
    tag2: textField(user, 'Tag2'),
    tag3: textField(user, 'Tag3'),
    tag4: textField(user, 'Tag4'),
    login: textField(user, 'LoginName'),
    firstname: own(ownFields.firstname),
    lastname: own(ownFields.lastname),
    email: own(ownFields.email),
    company: own(ownFields.company),
  };
}

function accessTag(tag: JsonObject): AccessTag {
  const values = (field: string) =>
    new Map(objectsIn(tag, field).map((entry) => [textField(entry, 'RightID'), textField(entry, 'Option1')]));
  return {
    label: labelKey(textField(tag, 'Label')),
    isActive: flagOf(fieldOf(tag, 'isActive')) !== false,
    fallback: textField(tag, 'DefaultValue'),
    groupValues: values('SecurityGroups'),
    userValues: values('Contacts'),
  };
}

/** Values of tags whose owner cannot be read, as text by normal label: the API description leaves their form open. */
function unreadableTags(tags: readonly JsonObject[]): ReadonlyMap<string, string> {
  return new Map(
    tags.flatMap((tag): [string, string][] => {
      const values = ['SecurityGroups', 'Contacts'].flatMap((field) => objectsIn(tag, field));
      const isReadable = values.every((entry) => identifierText(fieldOf(entry, 'RightID')) !== undefined);
      return isReadable ? [] : [[labelKey(textField(tag, 'Label')), JSON.stringify(values)]];
    }),
  );
}

function accessPolicy(policy: JsonObject, unreadable: ReadonlyMap<string, string>): AccessPolicy {
  const sent = fieldOf(policy, 'Constraints') ?? null;
  const constraints = Array.isArray(sent)
    ? sent.map((constraint) => (isJsonObject(constraint) ? accessConstraint(constraint) : undefined))
    : [undefined];
  const groupIds = assignedIds(policy, 'Groups', 'GroupId');
  const userIds = assignedIds(policy, 'Users', 'ID');
  // A list that is null beside the other one is empty.
  const isAssigned = groupIds !== 'unknown' && userIds !== 'unknown' && (groupIds ?? userIds) !== undefined;
  const isActive = flagOf(fieldOf(policy, 'isActive'));
  const labels = placeholdersWithin(sent).flatMap(({ label }) => label.normal ?? []);
  const unknownValues = labels.flatMap((label) => unreadable.get(label) ?? []);
  const isReadable =
    isActive === true &&
    isAssigned &&
    unknownValues.length === 0 &&
    constraints.every((constraint) => constraint !== undefined);
  return {
    name: textField(policy, 'Name') || textField(policy, 'id'),
    groupIds: isAssigned ? new Set(groupIds) : undefined,
    userIds: isAssigned ? new Set(userIds) : undefined,
    constraints: isReadable ? constraints : undefined,
    text: JSON.stringify([sent, isReadable, unknownValues]),
    labels,
  };
}

/** Ids of a list of assignments; undefined if there is no list, `unknown` if an entry has no id. */
function assignedIds(policy: JsonObject, field: string, key: string): readonly string[] | 'unknown' | undefined {
  const list = fieldOf(policy, field);
  if (!Array.isArray(list)) return undefined;
  const ids = idsIn(policy, field, key);
  return ids.length === list.length ? ids : 'unknown';
}

/** A constraint in the embedded server's form; undefined for any other: the API description does not define one. */
function accessConstraint(constraint: JsonObject): AccessConstraint | undefined {
  const text = (field: string) => textField(constraint, field);
  const [operator, table, column, columnType] = [
    text('Operator'),
    text('TableName'),
    text('ColumnName'),
    text('ColumnType'),
  ];
  const value = identifierText(fieldOf(constraint, 'Value')) ?? fieldOf(constraint, 'Value');
  const logical = text('Logical').toUpperCase();
  const isForm = table !== '' && column !== '' && ['', 'unixTime'].includes(columnType);
  if (!isForm || !isPolicyOperator(operator) || !['', 'AND', 'OR'].includes(logical) || typeof value !== 'string')
    return undefined;
  return {
    moduleId: text('ModuleID'),
    ...tableNamed(table, text('TableOwner')),
    column: folded(column),
    columnType,
    operator,
    value,
    value2: text('Value2'),
    isOr: logical === 'OR',
  };
}

/** A table by its name, which may include a schema, and its schema if that is given separately. */
export function tableNamed(written: string, owner: string): Pick<AccessConstraint, 'owner' | 'table' | 'tableName'> {
  const names = written.split('.');
  const name = names.at(-1) ?? '';
  const owners = owner === '' ? names.slice(0, -1) : namePath(owner);
  return { owner: owners.map(folded).join('.'), table: folded(name), tableName: bareName(name) };
}

function folded(name: string): string {
  return bareName(name).toLowerCase();
}
