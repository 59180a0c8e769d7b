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

/** What the user handlers need beside the store. */
export interface UserParts {
  sessions: Sessions;
  locks: SignInLocks;
  records: UserRecords;
  applicationNames: ApplicationNames;
  /** Profile fields on which row security depends. */
  protectedProfileFields(store: Store): ReadonlySet<ProfilePlaceholder>;
}

/** Collections that a user sent to be saved or deleted must carry. */
export const userCollections = ['SecurityGroups', 'UserApplications', 'Preferences'] as const;

/** The stored user that a sent one stands for. @throws {CallFailure} 9001 when there is none. */
export function requireUser(store: Store, user: User): StoredUser {
  const id = sentId(user.ID);
  const stored = id === null ? undefined : findUser(store, id);
  if (!stored) throw refusal(`There is no user with the id ${id ?? '(none)'}.`);
  return stored;
}

/**
 * The caller as of now, for what goes on after it was waited for something: rights may have changed meanwhile.
 * @throws {CallFailure} 101 when the session has ended.
 */
export function callerNow({ sessions }: UserParts, caller: Caller): Caller {
  const session = sessions.of(caller);
  if (!session) throw new CallFailure(errorCodes.notSignedIn, 'Session Expired');
  return session.caller;
}

/** Whether an account is a super-admin's and the caller is none. */
export function isOutOfReach(user: StoredUser, { caller }: { caller: Caller }): boolean {
  return user.isSuperAdmin && !caller.isSuperAdmin;
}
