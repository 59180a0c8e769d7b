import * as z from 'zod';
import { type OwnField, ownFields } from '../../contract/placeholders.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import type { User } from '../../contract/resources/user.ts';
import { CallFailure } from '../calls/handlers.ts';
import type { Store } from '../store/store.ts';
import type { StoredUser, UserProfile } from './users.ts';

const profileKeys = {
  firstname: 'firstName',
  lastname: 'lastName',
  email: 'email',
  company: 'company',
} as const satisfies Record<OwnField, keyof UserProfile>;

const fieldNames = Object.keys(ownFields) as OwnField[];

/** User-editable fields that differ between two profiles. */
export function changedOwnFields(before: UserProfile, after: UserProfile): OwnField[] {
  return fieldNames.filter((field) => before[profileKeys[field]] !== after[profileKeys[field]]);
}

/** Fields whose value the user set and no administrator confirmed. */
export function selfSetFields({ fieldOrigins }: StoredUser): OwnField[] {
  return fieldNames.filter((field) => fieldOrigins[field] === 'self');
}

/** Records that users changed their own profile. */
export function recordOwnChanges(store: Store, before: StoredUser, after: UserProfile): void {
  const changed = changedOwnFields(before, after);
  if (changed.length === 0) return;
  const own = Object.fromEntries(changed.map((field) => [field, 'self']));
  writeOrigins(store, before.id, { ...before.fieldOrigins, ...own });
}

/**
 * Records that an administrator saved a user. Changed fields now originate from the administrator, as do fields that
 * `SelfSetFields` listed when the user was read and no longer lists. An omitted list confirms nothing.
 */
export function recordAdministratorsSave(store: Store, before: StoredUser, after: UserProfile, user: User): void {
  const sent = sentSelfSetFields(user);
  const changed = changedOwnFields(before, after);
  const kept = selfSetFields(before).filter(
    (field) => !changed.includes(field) && (sent === undefined || sent.includes(ownFields[field])),
  );
  writeOrigins(store, before.id, Object.fromEntries(kept.map((field) => [field, 'self'])));
}

/** @throws {CallFailure} 9000 when the field is not a list of names. */
function sentSelfSetFields(user: User): string[] | undefined {
  const { data, success } = z.array(z.string()).nullish().safeParse(user.SelfSetFields);
  if (!success) throw new CallFailure(errorCodes.unexpected, 'The user: SelfSetFields is not a list of field names.');
  return data ?? undefined;
}

function writeOrigins(store: Store, userId: string, origins: Record<string, string>): void {
  store.run('UPDATE user SET field_origins = ? WHERE id = ?', JSON.stringify(origins), userId);
}

/** Login names of users whose value of a field may not come from an administrator; empty values are not listed. */
export interface UncertainValues {
  field: OwnField;
  /** Set by the users themselves: treated as unset. */
  selfSet: string[];
  /** Set before origins were recorded: treated as an administrator's. */
  unknown: string[];
}

/** Finds users whose value of a field may not come from an administrator. */
export function uncertainValues(users: readonly StoredUser[], field: OwnField): UncertainValues {
  const named = (origin: string) =>
    users
      .filter((user) => user.fieldOrigins[field] === origin && user[profileKeys[field]] !== '')
      .map(({ loginName }) => loginName);
  return { field, selfSet: named('self'), unknown: named('unknown') };
}
