import { ClientError, isClientError, shownMessage } from '../../client/clientError.ts';
import { objectsIn } from '../../objects/objectParts.ts';
import { callForList, callForObject, type ObjectServer } from '../../objects/objectServer.ts';
import { fieldOf, identifierText, type JsonObject } from '../../objects/json.ts';
import { isSameJson } from '../../objects/merge/canonicalJson.ts';
import * as l10n from '../../l10n/l10n.ts';
import { accessChanges, isGain, type RowChange } from './accessChanges.ts';
import { allUsersField, type AccessEdit } from './accessEdits.ts';
import { replacedTables, replacementChanges } from './replacedTables.ts';
import { rowChangeLines } from './accessWords.ts';
import { flagOf, snapshotOf, type AccessLists } from './snapshot.ts';

/** What a change does to the rows that users see. */
export interface AccessEffect {
  /** One sentence per line, gains first; empty if no user sees other rows. */
  readonly lines: readonly string[];
  /** Identify what `lines` say, before it is shortened: equal effects have equal statements. */
  readonly statements: readonly string[];
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
  return effectOn(server, edit, (lists) => accessChanges(snapshotOf(before(lists)), snapshotOf(edit(lists))));
}

/** {@link accessEffect}, for a report type that is saved: its tables may be others than those that policies restrict. */
export async function reportTypeEffect(
  server: ObjectServer,
  before: JsonObject,
  after: JsonObject,
): Promise<AccessEffect> {
  const replaced = replacedTables(before, after);
  if (replaced.length === 0) return noEffect;
  return effectOn(
    server,
    (lists) => lists,
    (lists) => replacementChanges(snapshotOf(lists), replaced),
  );
}

/** Fields of a registered server that decide which tables have the names in policies. */
const databaseFields = ['DatabasePlatform', 'DatabaseServer', 'DatabaseName', 'DatabaseOwner', 'additionalparams'];

/** {@link accessEffect}, for a registered server that is saved: unknown if it is another database from then on. */
export async function databaseEffect(
  server: ObjectServer,
  before: JsonObject,
  after: JsonObject,
): Promise<AccessEffect> {
  const isSame = (field: string) => isSameJson(fieldOf(before, field) ?? '', fieldOf(after, field) ?? '');
  if (databaseFields.every(isSame)) return noEffect;
  try {
    const policies = await callForList(server, 'Shield/GetAllShieldPolicies', {});
    if (snapshotOf({ users: [], tags: [], policies, grantsAllUsers: true }).policies.length === 0) return noEffect;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return unknownEffect(shownMessage(error));
  }
  return unknownEffect(l10n.t('policies restrict tables by name, and these are in another database then.'));
}

export const noEffect: AccessEffect = { lines: [], statements: [], givesRows: false };

export function unknownEffect(reason: string): AccessEffect {
  const line = l10n.t('It is unknown who will see more rows: {0}', reason);
  return { lines: [line], statements: [line], givesRows: true };
}

/** Two effects of the same change, for one question. */
export function bothEffects(one: AccessEffect, other: AccessEffect): AccessEffect {
  return {
    // Both may be unknown for the same reason.
    lines: [...new Set([...one.lines, ...other.lines])],
    statements: [...one.statements, ...other.statements],
    givesRows: one.givesRows || other.givesRows,
  };
}

async function effectOn(
  server: ObjectServer,
  edit: AccessEdit,
  changesOf: (lists: AccessLists) => RowChange[],
): Promise<AccessEffect> {
  let lists: AccessLists | undefined;
  try {
    lists = await readAccessLists(server, edit);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return unknownEffect(shownMessage(error));
  }
  if (!lists) return noEffect;
  const changes = changesOf(lists);
  const statements = changes.map((change) => JSON.stringify(change));
  return { lines: rowChangeLines(changes), statements, givesRows: changes.some(isGain) };
}

/** Names of the servers that had no active policy last time: all their users need not be read beside the policies. */
const withoutPolicies = new Set<string>();

/**
 * Reads what decides about rows; undefined if no policy is active before or after an edit, so that all users see all
 * rows. API description, Users, Data security, Instance settings.
 * @throws {ClientError}
 */
export async function readAccessLists(server: ObjectServer, edit: AccessEdit): Promise<AccessLists | undefined> {
  const readOthers = () =>
    Promise.all([usersWithGroups(server), callForList(server, 'DataTag/GetAllDataTags', {}), allUsersCounts(server)]);
  const beside = withoutPolicies.has(server.name) ? undefined : readOthers();
  // Without policies it does not matter.
  beside?.catch(() => undefined);
  const policies = await callForList(server, 'Shield/GetAllShieldPolicies', {});
  const alone = { users: [], tags: [], policies, grantsAllUsers: true };
  const isFree = [alone, edit(alone)].every((lists) => snapshotOf(lists).policies.length === 0);
  if (isFree) withoutPolicies.add(server.name);
  else withoutPolicies.delete(server.name);
  if (isFree) return undefined;
  const [users, tags, grantsAllUsers] = await (beside ?? readOthers());
  return { users, tags, policies, grantsAllUsers };
}

/**
 * Users with their memberships: those that the list of users omits, from the list of groups.
 * @throws {ClientError} of kind malformed if neither list has them: every user is in All Users at least.
 */
export async function usersWithGroups(server: ObjectServer): Promise<JsonObject[]> {
  const users = await callForList(server, 'Contact/GetContactList', {});
  const isMember = (user: JsonObject) => objectsIn(user, 'SecurityGroups').length > 0;
  const isListed = (user: JsonObject) => Array.isArray(fieldOf(user, 'SecurityGroups'));
  if (users.length === 0 || (users.every(isListed) && users.some(isMember))) return users;
  const groups = await callForList(server, 'Group/GetAllSecurityGroups', {});
  const idOf = (user: JsonObject) => identifierText(fieldOf(user, 'ID')) ?? '';
  const members = groups.map((group) => ({ group, ids: new Set(objectsIn(group, 'Membership').map(idOf)) }));
  const completed = users.map((user) => {
    if (isMember(user)) return user;
    const own = members.filter(({ ids }) => ids.has(idOf(user)));
    const SecurityGroups = own.map(({ group }) => ({
      GroupId: fieldOf(group, 'GroupId') ?? '',
      GroupName: fieldOf(group, 'GroupName') ?? '',
    }));
    return { ...user, SecurityGroups };
  });
  const isKnown = groups.every((group) => Array.isArray(fieldOf(group, 'Membership')));
  if (isKnown && completed.some(isMember)) return completed;
  const words = l10n.t('{0} does not return which users are in which groups.', server.name);
  throw new ClientError('malformed', words, { server: server.name });
}

/** Whether All Users gives its members its tag values: unless the setting is off. */
export async function allUsersCounts(server: ObjectServer): Promise<boolean> {
  try {
    const settings = await callForObject(server, 'AppSettings/GetAppSettings', {});
    return flagOf(fieldOf(settings, allUsersField)) !== false;
  } catch (error) {
    if (isRefusal(error)) return true;
    throw error;
  }
}

export function isRefusal(error: unknown): boolean {
  return (['refused', 'noPermission', 'notFound', 'malformed'] as const).some((kind) => isClientError(error, kind));
}
