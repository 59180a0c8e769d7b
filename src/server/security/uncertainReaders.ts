import { isOwnField, ownFields, type OwnField } from '../../contract/placeholders.ts';
import { uncertainValues, type UncertainValues } from '../identity/fieldOrigins.ts';
import { listMemberships } from '../identity/groups.ts';
import { listUsers, type StoredUser } from '../identity/users.ts';
import type { Store } from '../store/store.ts';
import type { StoredPolicy } from './policies.ts';
import { labelsOf } from './policyConstraint.ts';

/**
 * What an administrator has to know of a policy that compares with fields of the profile that users may edit themselves: who
 * sees no row by it, and whose value may be of their own choice. Of a policy that is assigned to no one, all users are meant.
 */
export function uncertainReaders(store: Store, policy: StoredPolicy): string[] {
  const fields = new Set(policy.constraints.flatMap(labelsOf).filter(isOwnField));
  if (fields.size === 0) return [];
  const readers = readersOf(store, policy);
  return [...fields].flatMap((field) => warningsOf(uncertainValues(readers, field)));
}

function readersOf(store: Store, { userIds, groupIds }: StoredPolicy): StoredUser[] {
  if (userIds.length === 0 && groupIds.length === 0) return listUsers(store);
  const members = listMemberships(store).filter(({ groupId }) => groupIds.includes(groupId));
  const ids = new Set([...userIds, ...members.map(({ userId }) => userId)]);
  return listUsers(store).filter(({ id }) => ids.has(id));
}

function warningsOf({ field, selfSet, unknown }: UncertainValues): string[] {
  const name = ownFields[field];
  return [
    ...some(
      field,
      selfSet,
      `set by the users themselves: it has no value in policies, and they see no row. Check it, then save each user without ${name} in SelfSetFields`,
    ),
    ...some(
      field,
      unknown,
      'set before this server recorded by whom, and counts as set by an administrator. Check it; saving a user accepts it',
    ),
  ];
}

const mostNames = 5;

function some(field: OwnField, loginNames: readonly string[], what: string): string[] {
  if (loginNames.length === 0) return [];
  const more = loginNames.length > mostNames ? ', …' : '';
  const names = `${loginNames.slice(0, mostNames).join(', ')}${more}`;
  return [
    `${ownFields[field]} of ${loginNames.length} user${loginNames.length === 1 ? '' : 's'} (${names}) was ${what}.`,
  ];
}
