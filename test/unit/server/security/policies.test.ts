import { beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../../src/server/calls/caller.ts';
import { callerOf } from '../../../../src/server/identity/callers.ts';
import { addMember, deleteGroup, insertGroup } from '../../../../src/server/identity/groups.ts';
import { allUsersGroupId, identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { findUser, insertUser } from '../../../../src/server/identity/users.ts';
import {
  findDataTag,
  insertDataTag,
  setGroupTagValue,
  setUserTagValue,
  tagValuesFor,
  updateDataTag,
} from '../../../../src/server/security/dataTags.ts';
import {
  activePoliciesFor,
  insertPolicy,
  profileFieldsInPolicies,
  securitySchema,
} from '../../../../src/server/security/policies.ts';
import { policyConstraint } from '../../../../src/server/security/policyConstraint.ts';
import { settingsSchema } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';

let store: Store;
let annId: string;
let west: string;
let east: string;

beforeEach(() => {
  store = Store.open(':memory:', [settingsSchema, identitySchema, securitySchema]);
  annId = insertUser(store, { loginName: 'ann' });
  west = insertGroup(store, { name: 'West' });
  east = insertGroup(store, { name: 'East' });
});

function ann(): Caller {
  const user = findUser(store, annId);
  if (!user) throw new Error('missing');
  return callerOf(store, user, false);
}

describe('tagValuesFor', () => {
  let tagId: string;
  beforeEach(() => {
    tagId = insertDataTag(store, { label: 'State' });
  });
  const values = () => tagValuesFor(store, ann(), 'state');

  it('has no value where nobody gave one: no rows then', () => {
    expect(values()).toBeUndefined();
    expect(tagValuesFor(store, ann(), 'unknown')).toBeUndefined();
  });

  it('takes the default, then the groups’ values together, then the user’s own', () => {
    updateDataTag(store, tagId, { ...stored(), defaultValue: 'default' });
    expect(values()).toEqual(['default']);
    setGroupTagValue(store, tagId, west, 'W');
    setGroupTagValue(store, tagId, east, 'E');
    expect(values(), 'of groups that the user is not in').toEqual(['default']);
    addMember(store, west, annId, '2');
    expect(values()).toEqual(['W']);
    addMember(store, east, annId, '2');
    expect(values()).toEqual(['W', 'E']);
    setUserTagValue(store, tagId, annId, 'own');
    expect(values()).toEqual(['own']);
  });

  it('names a value that several groups share once', () => {
    for (const group of [west, east]) {
      setGroupTagValue(store, tagId, group, 'same');
      addMember(store, group, annId, '2');
    }
    expect(values()).toEqual(['same']);
  });

  it('counts empty text as no value', () => {
    updateDataTag(store, tagId, { ...stored(), defaultValue: 'default' });
    setUserTagValue(store, tagId, annId, '');
    expect(values()).toEqual(['default']);
    updateDataTag(store, tagId, { ...stored(), defaultValue: '' });
    expect(values()).toBeUndefined();
  });

  it('has no value while the tag is not active', () => {
    setUserTagValue(store, tagId, annId, 'own');
    expect(values()).toEqual(['own']);
    updateDataTag(store, tagId, { ...stored(), isActive: false });
    expect(values()).toBeUndefined();
  });

  it('has none of two tags that one label means: they were saved before labels had a normal form', () => {
    setUserTagValue(store, tagId, annId, 'own');
    setUserTagValue(store, insertDataTag(store, { label: ' State' }), annId, 'other');
    expect(values()).toBeUndefined();
  });

  function stored() {
    const tag = findDataTag(store, tagId);
    if (!tag) throw new Error('missing');
    return tag;
  }
});

describe('activePoliciesFor', () => {
  const constraint = policyConstraint.parse({ TableName: 't', ColumnName: 'c', Operator: '=', Value: '/#State#/' });
  const insert = (name: string, more: object = {}) =>
    insertPolicy(store, {
      name,
      description: '',
      isActive: true,
      constraints: [constraint],
      groupIds: [],
      userIds: [],
      ...more,
    });
  const names = () => activePoliciesFor(store, ann()).map((policy) => policy.name);

  it('finds those of the user, of the user’s groups and of All Users, once each', () => {
    insert('nobody');
    insert('own', { userIds: [annId] });
    insert('everyone', { groupIds: [allUsersGroupId] });
    insert('west', { groupIds: [west] });
    insert('both', { groupIds: [west, east], userIds: [annId] });
    expect(names()).toEqual(['own', 'everyone', 'both']);
    addMember(store, west, annId, '0');
    expect(names(), 'whatever the role in the group').toEqual(['own', 'everyone', 'west', 'both']);
  });

  it('leaves out those that are not active', () => {
    insert('off', { userIds: [annId], isActive: false });
    expect(names()).toEqual([]);
  });

  it('forgets assignments to groups that are deleted or do not exist', () => {
    insert('west', { groupIds: [west, '999'] });
    addMember(store, west, annId, '2');
    expect(names()).toEqual(['west']);
    deleteGroup(store, west);
    expect(names()).toEqual([]);
  });

  it('throws when a stored constraint cannot be read, so that nothing is shown', () => {
    insert('broken', { userIds: [annId] });
    store.run(`UPDATE policy SET constraints = '[{"TableName":"t"}]'`);
    expect(() => activePoliciesFor(store, ann())).toThrow();
  });
});

describe('profileFieldsInPolicies', () => {
  it('names the profile fields that constraints compare with, in lower case', () => {
    const compare = (Value: string, Value2 = '') =>
      policyConstraint.parse({ TableName: 't', ColumnName: 'c', Operator: 'between', Value, Value2 });
    const constraints = [compare('/#Company#/', '/#TAG2#/'), compare('/#State#/'), compare('plain email')];
    insertPolicy(store, { name: 'p', description: '', isActive: false, constraints, groupIds: [], userIds: [] });
    expect([...profileFieldsInPolicies(store)].sort()).toEqual(['company', 'tag2']);
  });
});
