import type { User } from '../../contract/resources/user.ts';
import type { SessionAccount } from './sessionState.ts';

/** What an account may do, as its user record says. API description, User. */
export function rightsOf({
  isAdmin,
  isSuperAdmin,
}: Pick<User, 'isAdmin' | 'isSuperAdmin'>): Required<Pick<SessionAccount, 'isAdmin' | 'isSuperAdmin'>> {
  return { isAdmin: isAdmin === true || isSuperAdmin === true, isSuperAdmin: isSuperAdmin === true };
}
