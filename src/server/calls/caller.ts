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
 * The signed-in user that makes a call, with the groups as of the call's arrival and the application roles that both
 * the session's passport and the user have. `groups` always includes the built-in All Users group.
 */
export interface Caller {
  userId: string;
  loginName: string;
  firstName: string;
  lastName: string;
  email: string;
  company: string;
  /**
   * Profile fields that the user has set and no administrator has confirmed; row security treats them as having no
   * value.
   */
  selfSetFields: readonly OwnField[];
  /** Profile tags Tag1 to Tag4. */
  tags: readonly [string, string, string, string];
  isGuest: boolean;
  isAdmin: boolean;
  /** Must choose a new password before any other call. */
  mustChangePassword: boolean;
  /** Bypasses application and group permissions; never row security. */
  isSuperAdmin: boolean;
  groups: readonly CallerGroup[];
  applications: readonly CallerApplication[];
  /** Offset from UTC in hours, and the name of the zone, if set. */
  timezone: number;
  timezonename: string;
}

/** Whether the caller administers users, groups, security and settings. */
export function isAdministrator(caller: Caller): boolean {
  return (caller.isAdmin || caller.isSuperAdmin) && !caller.isGuest;
}
