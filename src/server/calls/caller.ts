import type { OwnField } from '../../contract/placeholders.ts';

/** A caller's membership of one security group. */
export interface CallerGroup {
  groupId: string;
  roleId: string;
}

/** A caller's role on one application. */
export interface CallerApplication {
  applicationId: string;
  roleId: string;
}

/**
 * Who makes a call: the signed-in user and the groups as they are when the call comes, and the application roles that the
 * session's passport and the user both have. The built-in All Users group is among `groups` for everyone.
 */
export interface Caller {
  userId: string;
  loginName: string;
  firstName: string;
  lastName: string;
  email: string;
  company: string;
  /** Fields of the profile that the user has set and no administrator has confirmed: they have no value for row security. */
  selfSetFields: readonly OwnField[];
  /** Profile tags Tag1 to Tag4. */
  tags: readonly [string, string, string, string];
  isGuest: boolean;
  isAdmin: boolean;
  /** Has to choose a new password before anything else. */
  mustChangePassword: boolean;
  /** Bypasses application and group permissions; never row security. */
  isSuperAdmin: boolean;
  groups: readonly CallerGroup[];
  applications: readonly CallerApplication[];
  /** Offset from UTC in hours. */
  timezone: number;
}

/** Whether the caller administers users, groups, security and settings. */
export function isAdministrator(caller: Caller): boolean {
  return (caller.isAdmin || caller.isSuperAdmin) && !caller.isGuest;
}
