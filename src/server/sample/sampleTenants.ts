import { assignApplication, applicationRoleIds } from '../identity/applicationRoles.ts';
import { addMember, insertGroup } from '../identity/groups.ts';
import { adminUserId } from '../identity/identitySchema.ts';
import { insertUser, passwordHashOf, setPassword, type NewUser } from '../identity/users.ts';
import { insertDataTag, setGroupTagValue } from '../security/dataTags.ts';
import { insertPolicy } from '../security/policies.ts';
import { policyConstraint } from '../security/policyConstraint.ts';
import type { Store } from '../store/store.ts';

const { builder, agent, architect } = applicationRoleIds;
/** Roles within a group. API description, Role. */
const groupRoles = { none: '0', admin: '1', view: '2', modify: '3', delete: '4' } as const;

/** The tenants: who may see the rows of which states. */
export const sampleTenants = [
  { name: 'North', states: ['CT', 'IL', 'MA', 'MI', 'MN', 'NJ', 'NY', 'PA'] },
  { name: 'South', states: ['FL', 'GA', 'LA', 'NC', 'TN', 'TX'] },
] as const;

export type TenantName = (typeof sampleTenants)[number]['name'];

interface SampleUser extends NewUser {
  firstName: string;
  lastName: string;
  applicationRole: string;
  memberships: readonly (readonly [tenant: TenantName, roleId: string])[];
}

function user(
  loginName: string,
  lastName: string,
  applicationRole: string,
  memberships: SampleUser['memberships'] = [],
  more: Partial<NewUser> = {},
): SampleUser {
  const firstName = memberships.length === 1 ? (memberships[0]?.[0] ?? '') : 'Sample';
  const email = `${loginName}@example.com`;
  return { loginName, firstName, lastName, email, applicationRole, memberships, ...more };
}

/** One user for each role, and each tenant's own. Those without a tenant see every row. */
export const sampleUsers: readonly SampleUser[] = [
  user(
    'sample.admin',
    'Admin',
    architect,
    [
      ['North', groupRoles.admin],
      ['South', groupRoles.admin],
    ],
    { isAdmin: true },
  ),
  user('sample.builder', 'Builder', builder),
  user('sample.agent', 'Agent', agent),
  user('sample.architect', 'Architect', architect),
  user('north.viewer', 'Viewer', agent, [['North', groupRoles.view]], { company: 'North' }),
  user('north.modifier', 'Modifier', builder, [['North', groupRoles.modify]], { company: 'North' }),
  user('north.deleter', 'Deleter', builder, [['North', groupRoles.delete]], { company: 'North' }),
  user('north.none', 'None', agent, [['North', groupRoles.none]], { company: 'North' }),
  user('south.viewer', 'Viewer', agent, [['South', groupRoles.view]], { company: 'South' }),
  user('south.modifier', 'Modifier', builder, [['South', groupRoles.modify]], { company: 'South' }),
];

const tagLabel = 'state';
/** The column of each table that says whose row it is. */
const stateColumns = [
  ['flights', 'origin_state'],
  ['airports', 'state'],
  ['birdstrikes', 'state'],
] as const;

/**
 * Creates the tenants' groups, the tag that holds each one's states, the policy that compares the rows' states with it,
 * and the users, who all get the password of the built-in admin. Returns the groups' ids by tenant and the users' by
 * login name.
 */
export function seedTenants(
  store: Store,
  applicationId: string,
  now: Date,
): { groupIds: ReadonlyMap<TenantName, string>; userIds: ReadonlyMap<string, string> } {
  const groupIds = new Map<TenantName, string>();
  const tagId = insertDataTag(store, { label: tagLabel, isGroup: true, isUser: true }, now);
  for (const { name, states } of sampleTenants) {
    const description = `Sample tenant: sees ${states.join(', ')}`;
    const groupId = insertGroup(store, { name, description }, now);
    setGroupTagValue(store, tagId, groupId, states.join(','));
    groupIds.set(name, groupId);
  }
  const constraints = stateColumns.map(([TableName, ColumnName]) =>
    policyConstraint.parse({
      ModuleID: applicationId,
      TableName,
      ColumnName,
      Operator: 'in',
      Value: `/#${tagLabel}#/`,
    }),
  );
  const policy = {
    name: 'Own States Only',
    description: 'Tenants see the flights, airports and bird strikes of their own states.',
    isActive: true,
    constraints,
    groupIds: [...groupIds.values()],
    userIds: [],
    authorId: adminUserId,
  };
  insertPolicy(store, policy, now);
  return { groupIds, userIds: seedUsers(store, applicationId, groupIds, now) };
}

function seedUsers(
  store: Store,
  applicationId: string,
  groupIds: ReadonlyMap<TenantName, string>,
  now: Date,
): ReadonlyMap<string, string> {
  const passwordHash = passwordHashOf(store, adminUserId);
  const userIds = new Map<string, string>();
  for (const { applicationRole, memberships, ...profile } of sampleUsers) {
    const userId = insertUser(store, { description: 'Sample user', ...profile }, now);
    setPassword(store, userId, passwordHash);
    assignApplication(store, userId, applicationId, applicationRole);
    for (const [tenant, roleId] of memberships) addMember(store, groupIds.get(tenant) ?? '', userId, roleId);
    userIds.set(profile.loginName, userId);
  }
  return userIds;
}
