import { isClientError, shownMessage } from '../../client/clientError.ts';
import { objectsIn } from '../../objects/objectParts.ts';
import { callForList, callForObject, type ObjectServer } from '../../objects/objectServer.ts';
import { fieldOf, identifierText, type JsonObject } from '../../objects/json.ts';
import * as l10n from '../../l10n/l10n.ts';
import { accessChanges, isGain } from './accessChanges.ts';
import { allUsersField, type AccessEdit } from './accessEdits.ts';
import { rowChangeLines } from './accessWords.ts';
import { snapshotOf, type AccessLists } from './snapshot.ts';

/** What a change does to the rows that users see. */
export interface AccessEffect {
  /** One sentence per line, gains first; empty if no user sees other rows. */
  readonly lines: readonly string[];
  /** Whether a user may see rows that are hidden now; also if that cannot be determined. */
  readonly givesRows: boolean;
}

/**
 * Finds out who sees more and who sees fewer rows after a change, before it is sent. Only reads: users, data tags,
 * policies and the instance settings, once each.
 * @param before how it is now, if users count as new who cannot use any report yet.
 * @throws {ClientError} if the server cannot be reached. What it refuses to return is reported as unknown.
 */
export async function accessEffect(
  server: ObjectServer,
  edit: AccessEdit,
  before: AccessEdit = (lists) => lists,
): Promise<AccessEffect> {
  let lists: AccessLists | undefined;
  try {
    lists = await readAccessLists(server, edit);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const line = l10n.t('It is unknown who will see more rows: {0}', shownMessage(error));
    return { lines: [line], givesRows: true };
  }
  if (!lists) return { lines: [], givesRows: false };
  const changes = accessChanges(snapshotOf(before(lists)), snapshotOf(edit(lists)));
  return { lines: rowChangeLines(changes), givesRows: changes.some(isGain) };
}

/**
 * Reads what decides about rows; undefined if no policy is active before or after an edit, so that all users see all
 * rows. API description, Users, Data security, Instance settings.
 * @throws {ClientError}
 */
export async function readAccessLists(server: ObjectServer, edit: AccessEdit): Promise<AccessLists | undefined> {
  const policies = await callForList(server, 'Shield/GetAllShieldPolicies', {});
  const alone = { users: [], tags: [], policies, grantsAllUsers: true };
  if ([alone, edit(alone)].every((lists) => snapshotOf(lists).policies.length === 0)) return undefined;
  const [users, tags, grantsAllUsers] = await Promise.all([
    usersWithGroups(server),
    callForList(server, 'DataTag/GetAllDataTags', {}),
    allUsersCounts(server),
  ]);
  return { users, tags, policies, grantsAllUsers };
}

/** Users with their memberships: if the list of users omits them, from the list of groups. */
async function usersWithGroups(server: ObjectServer): Promise<JsonObject[]> {
  const users = await callForList(server, 'Contact/GetContactList', {});
  if (users.length === 0 || users.some((user) => objectsIn(user, 'SecurityGroups').length > 0)) return users;
  const groups = await callForList(server, 'Group/GetAllSecurityGroups', {});
  const idOf = (user: JsonObject) => identifierText(fieldOf(user, 'ID')) ?? '';
  const members = groups.map((group) => ({ group, ids: new Set(objectsIn(group, 'Membership').map(idOf)) }));
  return users.map((user) => {
    const own = members.filter(({ ids }) => ids.has(idOf(user)));
    const SecurityGroups = own.map(({ group }) => ({
      GroupId: fieldOf(group, 'GroupId') ?? '',
      GroupName: fieldOf(group, 'GroupName') ?? '',
    }));
    return { ...user, SecurityGroups };
  });
}

/** Whether All Users gives its members its tag values: unless the setting is off. */
async function allUsersCounts(server: ObjectServer): Promise<boolean> {
  try {
    return fieldOf(await callForObject(server, 'AppSettings/GetAppSettings', {}), allUsersField) !== 'False';
  } catch (error) {
    if (isRefusal(error)) return true;
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return (['refused', 'noPermission', 'notFound', 'malformed'] as const).some((kind) => isClientError(error, kind));
}
