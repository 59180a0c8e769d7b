import type { User } from '../../contract/resources/user.ts';
import type { SessionAccount } from './sessionState.ts';

/** The rights of an account according to its user record. API description, User. */
export function rightsOf({
  isAdmin,
  isSuperAdmin,
}: Pick<User, 'isAdmin' | 'isSuperAdmin'>): Required<Pick<SessionAccount, 'isAdmin' | 'isSuperAdmin'>> {
  return { isAdmin: isAdmin === true || isSuperAdmin === true, isSuperAdmin: isSuperAdmin === true };
}

const longestName = 100;

/** The time zone of an account according to its user record. API description, User. */
export function accountZone({
  timezone,
  timezonename,
}: Partial<Pick<User, 'timezone' | 'timezonename'>>): Pick<SessionAccount, 'timezone' | 'timezonename'> {
  const isNamed = typeof timezonename === 'string' && timezonename !== '' && timezonename.length <= longestName;
  return {
    timezone: typeof timezone === 'number' ? timezone : undefined,
    timezonename: isNamed ? timezonename : undefined,
  };
}
