import type { Caller } from '../calls/caller.ts';
import { idOf, textOf } from '../store/columns.ts';
import type { Row, Store } from '../store/store.ts';

/** A user's role (5 Builder, 6 Agent, 7 Architect) on an application; each takes one licence seat. */
export interface ApplicationRole {
  userId: string;
  applicationId: string;
  roleId: string;
  dataSourceId: string;
}

/** Ids of the roles that are assigned per application. API description, Role. */
export const applicationRoleIds = { builder: '5', agent: '6', architect: '7' } as const;

const columns = 'user_id, application_id, role_id, data_source_id';

/** Assigns a role (5 to 7) on an application to a user. A user may have several roles on one application. */
export function assignApplication(
  store: Store,
  userId: string,
  applicationId: string,
  roleId: string,
  dataSourceId = '',
): void {
  store.run(
    `INSERT INTO application_role (user_id, application_id, role_id, data_source_id) VALUES (?, ?, ?, ?)
      ON CONFLICT (user_id, application_id, role_id) DO UPDATE SET data_source_id = excluded.data_source_id`,
    userId,
    applicationId,
    roleId,
    dataSourceId,
  );
}

/** Removes all application roles from a user, which releases their seats. */
export function releaseApplications(store: Store, userId: string): void {
  store.run('DELETE FROM application_role WHERE user_id = ?', userId);
}

/** Application roles of one user. */
export function applicationRolesOf(store: Store, userId: string): ApplicationRole[] {
  const sql = `SELECT ${columns} FROM application_role WHERE user_id = ? ORDER BY application_id, role_id`;
  return store.all(sql, userId).map(readRole);
}

/** Every application role of every user. */
export function listApplicationRoles(store: Store): ApplicationRole[] {
  return store.all(`SELECT ${columns} FROM application_role ORDER BY user_id, application_id, role_id`).map(readRole);
}

/**
 * Whether the caller may use an application: super-admins always, other users with any role on it. If `roleIds` is
 * given, only those roles count. API description, Authentication.
 */
export function mayUseApplication(caller: Caller, applicationId: string, roleIds?: readonly string[]): boolean {
  if (caller.isSuperAdmin) return true;
  return caller.applications.some(
    (role) => role.applicationId === applicationId && (!roleIds || roleIds.includes(role.roleId)),
  );
}

function readRole(row: Row): ApplicationRole {
  return {
    userId: idOf(row, 'user_id'),
    applicationId: idOf(row, 'application_id'),
    roleId: idOf(row, 'role_id'),
    dataSourceId: textOf(row, 'data_source_id'),
  };
}
