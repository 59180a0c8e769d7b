import { ownFields, type ProfilePlaceholder } from '../../contract/placeholders.ts';
import { labelKey, placeholdersWithin } from '../../objects/placeholders.ts';
import { isPolicyOperator } from '../../contract/operators.ts';
import { fieldOf, identifierText, isJsonObject, type JsonObject } from '../../objects/json.ts';
import { textField } from '../../objects/kinds/objectEntry.ts';
import { objectsIn } from '../../objects/objectParts.ts';
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

/** An active policy. */
export interface AccessPolicy {
  readonly name: string;
  readonly groupIds: ReadonlySet<string>;
  readonly userIds: ReadonlySet<string>;
  /** Undefined if their form is unknown: the policy then restricts unknown rows. */
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

/** Reads a snapshot from objects. API description, User, Data tag, Shield policy. */
export function snapshotOf(lists: AccessLists): AccessSnapshot {
  const logins = Map.groupBy(lists.users, loginOf);
  const users = lists.users.map((user) =>
    accessUser(user, lists.grantsAllUsers, logins.get(loginOf(user))?.length === 1),
  );
  const entries = [...Map.groupBy(users, ({ id }) => id)].flatMap(([id, same]) =>
    same.map((user, index): [string, AccessUser] => [index === 0 ? id : JSON.stringify([id, index]), user]),
  );
  return {
    users: new Map(entries),
    tags: Map.groupBy(lists.tags.map(accessTag), ({ label }) => label),
    policies: lists.policies.filter((policy) => fieldOf(policy, 'isActive') === true).map(accessPolicy),
  };
}

function loginOf(user: JsonObject): string {
  return textField(user, 'LoginName');
}

/** @param isOnly whether no other user has the same login name. */
function accessUser(user: JsonObject, grantsAllUsers: boolean, isOnly: boolean): AccessUser {
  const groups = objectsIn(user, 'SecurityGroups').map((group) => {
    const roles = objectsIn(group, 'GroupRoles').map((role) => textField(role, 'RoleId'));
    const isOff = !grantsAllUsers && textField(group, 'GroupName').toLowerCase() === 'all users';
    return {
      id: textField(group, 'GroupId'),
      hasValues: !isOff && (roles.length === 0 || roles.some((role) => role !== noRole)),
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
    isActive: fieldOf(tag, 'isActive') !== false,
    fallback: textField(tag, 'DefaultValue'),
    groupValues: values('SecurityGroups'),
    userValues: values('Contacts'),
  };
}

function accessPolicy(policy: JsonObject): AccessPolicy {
  const sent = fieldOf(policy, 'Constraints') ?? [];
  const constraints = Array.isArray(sent)
    ? sent.map((constraint) => (isJsonObject(constraint) ? accessConstraint(constraint) : undefined))
    : [undefined];
  const isReadable = constraints.every((constraint) => constraint !== undefined);
  const text = JSON.stringify(sent);
  return {
    name: textField(policy, 'Name') || textField(policy, 'id'),
    groupIds: new Set(idsIn(policy, 'Groups', 'GroupId')),
    userIds: new Set(idsIn(policy, 'Users', 'ID')),
    constraints: isReadable ? constraints : undefined,
    text,
    labels: placeholdersWithin(sent).flatMap(({ label }) => label.normal ?? []),
  };
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
  const isKnown = isPolicyOperator(operator) && table !== '' && column !== '' && ['', 'unixTime'].includes(columnType);
  if (!isKnown || typeof value !== 'string') return undefined;
  const names = table.split('.');
  const name = names.at(-1) ?? '';
  return {
    moduleId: text('ModuleID'),
    owner: folded(text('TableOwner') || (names.at(-2) ?? '')),
    table: folded(name),
    tableName: bare(name),
    column: folded(column),
    columnType,
    operator,
    value,
    value2: text('Value2'),
    isOr: text('Logical') === 'OR',
  };
}

function bare(name: string): string {
  return name.trim().replace(/^["`[]|["`\]]$/g, '');
}

function folded(name: string): string {
  return bare(name).toLowerCase();
}
