import type { User } from '../../contract/resources/user.ts';
import type { SessionAccount } from './sessionState.ts';

/** The rights of an account according to its user record. API description, User. */
export function rightsOf({
  isAdmin,
  isSuperAdmin,
}: Pick<User, 'isAdmin' | 'isSuperAdmin'>): Required<Pick<SessionAccount, 'isAdmin' | 'isSuperAdmin'>> {
  return { isAdmin: isAdmin === true || isSuperAdmin === true, isSuperAdmin: isSuperAdmin === true };
}
