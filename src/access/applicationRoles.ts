import type { AnalyticsClient, WriteGuard } from '../client/client.ts';
import { settleWrite } from '../client/writes/writes.ts';
import { WriteNotDone } from '../client/writes/writeVerdict.ts';
import { idText } from '../contract/idText.ts';
import { findProduct, type Application } from '../contract/resources/application.ts';
import { roles, type RoleInfo } from '../contract/roles.ts';
import { textField } from '../objects/kinds/objectEntry.ts';
import { nameOf, withRevision } from '../objects/kinds/objectKind.ts';
import { userKind } from '../objects/kinds/securityKinds.ts';
import type { JsonObject } from '../objects/json.ts';
import { objectsIn } from '../objects/objectParts.ts';
import { callForObject, guardedServer, type ObjectServer } from '../objects/objectServer.ts';
import * as l10n from '../l10n/l10n.ts';

/** An application, or a role on one. */
export interface NamedId {
  readonly id: string;
  readonly name: string;
}

/** An application with its licence seats. API description, Application (ModuleProfile). */
export interface ApplicationSeats extends NamedId {
  /** Free seats; undefined if the server does not return the number. */
  readonly left: number | undefined;
  /** Why no role takes a seat; undefined if one does. */
  readonly refusal?: 'expired' | 'unlicensed';
}

/** Roles on applications, the one that can do most last. API description, Role (5 to 7). */
export const applicationRoles: readonly RoleInfo[] = ['6', '5', '7'].flatMap((id) =>
  roles.filter((role) => role.id === id),
);

/** The applications that the account can see, with their seats. API description, Applications and servers. */
export async function readSeats(client: Pick<AnalyticsClient, 'call'>): Promise<ApplicationSeats[]> {
  return (await client.call('App/GetApplicationList', {})).flatMap((entry) => {
    const product = findProduct(entry);
    const id = idText(product?.ID);
    return id === '' ? [] : [{ id, name: product?.Name || id, ...freeSeats(entry) }];
  });
}

function freeSeats({ ModuleProfile: profile }: Application): Pick<ApplicationSeats, 'left' | 'refusal'> {
  const [licensed, consumed] = [profile?.LicensedQuanity, profile?.ConsumedQuanity];
  const isKnown = typeof licensed === 'number' && typeof consumed === 'number';
  const refusal =
    profile?.isLicensed === false
      ? ('unlicensed' as const)
      : profile?.IsExpired === true
        ? ('expired' as const)
        : undefined;
  return { left: isKnown ? Math.max(0, licensed - consumed) : undefined, ...(refusal && { refusal }) };
}

/** Ids of a user's roles on an application: none, one, or several, each of which takes a seat. */
export function rolesOn(user: JsonObject, applicationId: string): string[] {
  return objectsIn(user, 'UserApplications')
    .filter((entry) => textField(entry, 'ApplicationID') === applicationId)
    .map((entry) => textField(entry, 'ApplicationRoleID'));
}

/** A role as a server writes it in assignments. */
export interface AssignedRole extends NamedId {
  /** ApplicationRoleType, which the API description does not explain. */
  readonly type: string;
}

/** A role as these users have it on any application: a server may have a name and a type of its own for it. */
export function asAssigned(role: NamedId, users: readonly JsonObject[]): AssignedRole {
  const known = users
    .flatMap((user) => objectsIn(user, 'UserApplications'))
    .find((entry) => textField(entry, 'ApplicationRoleID') === role.id);
  if (!known) return { ...role, type: role.id };
  const { id } = role;
  return { id, name: textField(known, 'ApplicationRoleName'), type: textField(known, 'ApplicationRoleType') };
}

/**
 * Gives a user one role on an application instead of any other there, or none, and reads the user back. The data source
 * of an earlier role is kept. API description, Users (SaveContact), User (AppAssignment).
 * @param role undefined to revoke all roles on the application.
 * @param pauses in ms, before each check of a call whose reply was lost.
 * @throws {ClientError} when the server refuses, for example because no seat is left (code 200), or the user reads back
 * without the change.
 */
export async function setApplicationRole(
  server: ObjectServer,
  userId: string,
  application: NamedId,
  role: AssignedRole | undefined,
  pauses?: readonly number[],
): Promise<void> {
  const read = () => userKind.read(server, userId);
  const user = await read();
  const isDone = (found: JsonObject) => rolesOn(found, application.id).join() === (role?.id ?? '');
  if (isDone(user)) return;
  const words = l10n.t('the role of {0} in {1}', nameOf(userKind, user), application.name);
  const traces = {
    kind: 'change' as const,
    object: words,
    read: async () => [await read()],
    idOf: () => userId,
    hasContent: isDone,
  };
  const changed = { ...user, UserApplications: assignments(user, application, role) };
  const body = withRevision({ withpin: false, user: changed }, user);
  const send = (guard: WriteGuard) => callForObject(guardedServer(server, guard), 'Contact/SaveContact', body);
  const check = async () => {
    const found = rolesOn(await read(), application.id);
    if (found.join() === (role?.id ?? '')) return;
    const held = found.map((id) => roles.find((each) => each.id === id)?.name ?? id).join(', ') || '–';
    const message = l10n.t('{0} reported success for {1}, but the role is {2}.', server.name, words, held);
    throw new WriteNotDone(message, { server: server.name, endpoint: 'Contact/SaveContact' });
  };
  await settleWrite(server, traces, send, check, { pauses });
}

function assignments(user: JsonObject, application: NamedId, role: AssignedRole | undefined): JsonObject[] {
  const entries = objectsIn(user, 'UserApplications');
  const isHere = (entry: JsonObject) => textField(entry, 'ApplicationID') === application.id;
  const others = entries.filter((entry) => !isHere(entry));
  if (!role) return others;
  const earlier = entries.find(isHere);
  const assignment = {
    ApplicationID: application.id,
    ApplicationName: application.name,
    ApplicationRoleID: role.id,
    ApplicationRoleName: role.name,
    ApplicationRoleType: role.type,
    applicationUserDataSourceID: earlier ? textField(earlier, 'applicationUserDataSourceID') : '',
  };
  return [...others, { ...earlier, ...assignment }];
}
