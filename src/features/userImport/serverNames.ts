import {
  applicationRoles,
  asAssigned,
  readSeats,
  type ApplicationSeats,
  type AssignedRole,
} from '../../access/applicationRoles.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import { isClientError } from '../../client/clientError.ts';
import { textField } from '../../objects/kinds/objectEntry.ts';
import { callForList, objectServer } from '../../objects/objectServer.ts';
import type { KnownNames } from './userCsv.ts';

/** Names on a server with their ids; names shared by several groups have no id. */
export interface ServerNames extends KnownNames {
  groupIds: ReadonlyMap<string, string>;
  applications: readonly ApplicationSeats[];
  /** Roles on applications by id, as the server writes them. */
  roles: ReadonlyMap<string, AssignedRole>;
}

/** Reads the names that rows are checked against. */
export async function readServerNames(client: AnalyticsClient): Promise<ServerNames> {
  const [users, groups, applications] = await Promise.all([
    callForList(objectServer(client), 'Contact/GetContactList', {}),
    client.call('Group/GetAllSecurityGroups', {}),
    readSeats(client).catch(noneIfRefused),
  ]);
  const idsByName = new Map<string, Set<string>>();
  for (const { GroupId, GroupName } of groups) {
    const id = String(GroupId);
    // Several groups may share a name; `#id` distinguishes them.
    for (const name of [(GroupName ?? '').trim().toLowerCase(), `#${id}`]) {
      idsByName.set(name, (idsByName.get(name) ?? new Set()).add(id));
    }
  }
  const ambiguousGroups = new Map<string, string[]>();
  const groupIds = new Map<string, string>();
  for (const [name, ids] of idsByName) {
    const [only = '', ...others] = ids;
    if (others.length > 0) ambiguousGroups.set(name, [...ids]);
    else groupIds.set(name, only);
  }
  return {
    logins: new Set(users.map((user) => textField(user, 'LoginName').toLowerCase())),
    groups: new Set(idsByName.keys()),
    ambiguousGroups,
    groupIds,
    applications: applications ?? [],
    hidesApplications: applications === undefined,
    roles: new Map(applicationRoles.map((role) => [role.id, asAssigned(role, users)])),
  };
}

/** An account that may create users may not be allowed to read applications; only rows with a role depend on them. */
function noneIfRefused(error: unknown): undefined {
  const isRefused = (['refused', 'noPermission', 'notFound'] as const).some((kind) => isClientError(error, kind));
  if (!isRefused) throw error;
}
