import type { ProfilePlaceholder } from '../../contract/placeholders.ts';
import type { User } from '../../contract/resources/user.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import type { Caller } from '../calls/caller.ts';
import { CallFailure } from '../calls/handlers.ts';
import { refusal, sentId } from '../calls/wholeObject.ts';
import type { Store } from '../store/store.ts';
import type { Sessions } from './sessions.ts';
import type { SignInLocks } from './signInLocks.ts';
import type { ApplicationNames, UserRecords } from './userRecords.ts';
import { findUser, type StoredUser } from './users.ts';

/** Dependencies of the user handlers in addition to the store. */
export interface UserParts {
  sessions: Sessions;
  locks: SignInLocks;
  records: UserRecords;
  applicationNames: ApplicationNames;
  /** Profile fields used by row security. */
  protectedProfileFields(store: Store): ReadonlySet<ProfilePlaceholder>;
}

/** Collections that a user must include when it is saved or deleted. */
export const userCollections = ['SecurityGroups', 'UserApplications', 'Preferences'] as const;

/** The stored user with the id of a sent one. @throws {CallFailure} 9001 when it does not exist. */
export function requireUser(store: Store, user: User): StoredUser {
  const id = sentId(user.ID);
  const stored = id === null ? undefined : findUser(store, id);
  if (!stored) throw refusal(`There is no user with the id ${id ?? '(none)'}.`);
  return stored;
}

/**
 * The caller's current state, for calls that continue after an `await`: rights may have changed meanwhile.
 * @throws {CallFailure} 101 when the session has ended.
 */
export function callerNow({ sessions }: UserParts, caller: Caller): Caller {
  const session = sessions.of(caller);
  if (!session) throw new CallFailure(errorCodes.notSignedIn, 'Session Expired');
  return session.caller;
}

/** Whether the account is a super-admin's and the caller is not a super-admin. */
export function isOutOfReach(user: StoredUser, { caller }: { caller: Caller }): boolean {
  return user.isSuperAdmin && !caller.isSuperAdmin;
}
