import { ClientError } from '../../client/clientError.ts';
import { dataTag } from '../../contract/resources/dataTag.ts';
import { policy } from '../../contract/resources/policy.ts';
import { relationTypes } from '../../contract/resources/relation.ts';
import { securityGroup } from '../../contract/resources/securityGroup.ts';
import { user } from '../../contract/resources/user.ts';
import { idsIn } from '../save/entriesWithoutId.ts';
import { fieldOf, identifierText, type JsonObject } from '../json.ts';
import { listEntries, readFromList, withRevision, type ObjectKind } from './objectKind.ts';
import { callForObject, type ObjectServer } from '../objectServer.ts';
import type { FieldShape } from './objectShape.ts';
import * as l10n from '../../l10n/l10n.ts';

const envelope = ['ErrorCode', 'ErrorMessage', 'Revision'] as const;
const person: FieldShape = { shown: ['ID', 'LoginName', 'FullName'] };

/** Users. Joining and leaving groups uses separate calls. API description, Users. */
export const userKind: ObjectKind = {
  name: 'user',
  icon: 'account',
  idField: 'ID',
  nameField: 'LoginName',
  schema: user,
  shape: {
    hidden: [...envelope, 'Pin', 'UserState'],
    readOnly: ['ID', 'CreateDate', 'ModifyDate', 'LoginDate', 'lockdate', 'SecurityGroups', 'ComboName', 'FullName'],
    fields: {
      SecurityGroups: { key: 'GroupId', fields: { GroupRoles: { key: 'RoleId' } } },
      UserApplications: { key: 'ApplicationID' },
      Language: { hidden: ['phraselist'] },
    },
  },
  firstSecret: 'Pin',
  read: (server, id) => callForObject(server, 'Contact/GetContactById', { ContactId: id }),
  list: (server) => listEntries(server, 'Contact/GetContactList', { id: 'ID', name: 'LoginName', detail: 'FullName' }),
  template: (server) => callForObject(server, 'Contact/NewContact', {}),
  save: (server, full) => callForObject(server, 'Contact/SaveContact', userSave(full)),
  remove: async (server, full) => void (await server.call('Contact/DeleteContact', { user: full })),
};

/**
 * The account's own profile; fields that only an administrator may change are read-only. API description, Users
 * (SaveMYContact).
 */
export const profileKind: ObjectKind = {
  name: 'profile',
  icon: 'account',
  idField: 'ID',
  nameField: 'LoginName',
  schema: user,
  shape: {
    ...userKind.shape,
    readOnly: [
      ...(userKind.shape.readOnly ?? []),
      ...['LoginName', 'Tag1', 'Tag2', 'Tag3', 'Tag4', 'twofa', 'AuthType', 'UserApplications'],
      ...['isAdmin', 'isSuperAdmin', 'isBuilder', 'isAgent', 'isArchitect'],
      ...['isFastCache', 'FastCacheLimit', 'bforcepasschange', 'SelfSetFields'],
    ],
  },
  read: (server, id) => userKind.read(server, id),
  save: async (server, full) => {
    checkIsOwn(server, full);
    return callForObject(server, 'Contact/SaveMYContact', userSave(full));
  },
};

/**
 * The call always changes the signed-in user, whatever user it is sent.
 * @throws {ClientError} of kind refused for the profile of another account, such as one that was signed in before.
 */
function checkIsOwn(server: ObjectServer, profile: JsonObject): void {
  const own = server.accountId?.();
  if (own === undefined || identifierText(fieldOf(profile, 'ID')) === own) return;
  throw new ClientError(
    'refused',
    l10n.t('This profile belongs to a different account than the one signed in to {0}.', server.name),
    {
      server: server.name,
      isUnsent: true,
      remedy: l10n.t('Sign in with that account, or edit your own profile. Nothing was sent.'),
    },
  );
}

/** withpin false keeps the stored password; reads never return one, so a Pin was just entered by the user. */
function userSave(full: JsonObject): JsonObject {
  const pin = fieldOf(full, 'Pin');
  return withRevision({ withpin: typeof pin === 'string' && pin !== '', user: full }, full);
}

/** Security groups; hides the members, which are embedded as whole users. API description, Groups. */
export const groupKind: ObjectKind = {
  name: 'group',
  icon: 'organization',
  idField: 'GroupId',
  nameField: 'GroupName',
  schema: securityGroup,
  shape: {
    hidden: [...envelope, 'Membership', 'AllUsers', 'AllRoles'],
    readOnly: ['GroupId', 'GroupCreated', 'GroupModified'],
  },
  read: (server, id) => callForObject(server, 'Group/GetSecurityGroupById', { GroupId: id }),
  list: (server) =>
    listEntries(server, 'Group/GetAllSecurityGroups', { id: 'GroupId', name: 'GroupName', detail: 'GroupDescription' }),
  template: (server) => callForObject(server, 'Group/NewSecurityGroup', {}),
  save: (server, full) => callForObject(server, 'Group/SaveSecurityGroup', withRevision({ group: full }, full)),
  remove: async (server, full) => void (await server.call('Group/DeleteSecurityGroup', { group: full })),
};

/** Data tags with their values per group and per user. API description, Data tag. */
export const dataTagKind: ObjectKind = {
  name: 'tag',
  icon: 'tag',
  idField: 'ID',
  nameField: 'Label',
  schema: dataTag,
  shape: {
    hidden: envelope,
    readOnly: ['ID', 'ModifiedDate', 'CreatedDate'],
    fields: { SecurityGroups: tagValues(relationTypes.tagToGroup), Contacts: tagValues(relationTypes.tagToUser) },
  },
  read: (server, id) => readFromList(server, 'DataTag/GetAllDataTags', 'ID', id),
  list: (server) => listEntries(server, 'DataTag/GetAllDataTags', { id: 'ID', name: 'Label', detail: 'DefaultValue' }),
  template: (server) => callForObject(server, 'DataTag/NewDataTag', {}),
  save: (server, full) => callForObject(server, 'DataTag/SaveDataTag', withRevision({ datatag: full }, full)),
  remove: async (server, full) => void (await server.call('DataTag/DeleteDataTag', { datatag: full })),
};

const requiredLists = ['Constraints', 'Groups', 'Users'];

/**
 * Row-security policies, always read from the list, because the reply of a save is too large. API description, Data
 * security.
 */
export const policyKind: ObjectKind = {
  name: 'policy',
  icon: 'law',
  idField: 'id',
  nameField: 'Name',
  authorField: 'ModifiedBy',
  schema: policy,
  shape: {
    hidden: envelope,
    readOnly: ['id', 'CreatedDate', 'ModifiedDate', 'CreatedBy', 'ModifiedBy'],
    fields: {
      CreatedBy: person,
      ModifiedBy: person,
      Constraints: { isRestriction: true },
      Groups: { key: 'GroupId', isRestriction: true, shown: ['GroupId', 'GroupName'] },
      Users: { ...person, key: 'ID', isRestriction: true },
    },
  },
  requiredLists,
  namedById: ['Groups', 'Users'],
  // Deactivating shows more rows to everyone whom the policy restricts.
  riskyFields: [{ field: 'isActive', to: false }],
  read: (server, id) => readFromList(server, 'Shield/GetAllShieldPolicies', 'id', id),
  list: (server) =>
    listEntries(server, 'Shield/GetAllShieldPolicies', { id: 'id', name: 'Name', detail: 'Description' }),
  template: async (server) => collectionsFilled(await callForObject(server, 'Shield/NewPolicy', {})),
  save: savePolicy,
  remove: async (server, full) => void (await server.call('Shield/DeletePolicy', { policy: collectionsFilled(full) })),
};

function savePolicy(server: ObjectServer, full: JsonObject): Promise<JsonObject> {
  const policy = collectionsFilled(full);
  const groups = idsIn(policy, 'Groups', 'GroupId');
  const users = idsIn(policy, 'Users', 'ID');
  const body = { policy, isDeepSave: true, groups, users };
  return callForObject(server, 'Shield/SaveShieldPolicy', withRevision(body, full));
}

/** The policy with empty lists instead of null: a save must include them. */
function collectionsFilled(policy: JsonObject): JsonObject {
  const lists = requiredLists.filter((name) => !Array.isArray(fieldOf(policy, name)));
  return lists.length === 0 ? policy : { ...policy, ...Object.fromEntries(lists.map((name) => [name, []])) };
}

/** Values of a tag: `RightID` is the group or user, `Option1` the value. */
function tagValues(type: string): FieldShape {
  const options = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`Option${index + 1}`, '']));
  return {
    key: 'RightID',
    shown: ['RightID', 'Option1'],
    newEntry: {
      ErrorCode: 0,
      ErrorMessage: '',
      LeftID: '',
      RightID: '',
      RelationshipType: type,
      RelationType: type,
      ...options,
      PermissionTypeEnum: 0,
    },
  };
}
