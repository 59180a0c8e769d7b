import { fieldOf, identifierText, type JsonObject } from '../objects/json.ts';
import { textField } from '../objects/kinds/objectEntry.ts';
import { callForList, callForObject, type ObjectServer } from '../objects/objectServer.ts';
import { shownMessage } from '../client/clientError.ts';
import * as l10n from '../l10n/l10n.ts';
import { groupIdsOf } from './folderAccess.ts';
import { findNode, foldersAtMost, inTurns, nodesBelow } from './folderReach.ts';
import {
  allUsersCounts,
  isRefusal,
  noEffect,
  unknownEffect,
  usersWithGroups,
  type AccessEffect,
} from './rows/accessEffect.ts';
import { linesAtMost, listed, onOneLine } from './rows/accessWords.ts';
import { everyonesGroupIds, flagOf, snapshotOf, type AccessUser } from './rows/snapshot.ts';

/** A folder as an edit leaves it: fields that are omitted stay. */
export interface FolderEdit {
  readonly id: string;
  readonly fields: JsonObject;
}

/** Fields of a folder that decide who sees its content. API description, Library folder. */
const decidingFields = ['Permissions', 'InheritPermissions', 'ParentLibrary'];

/** Whether an edit of these fields can change who sees a folder. */
export function decidesFolder(fields: readonly string[]): boolean {
  return fields.some((field) => decidingFields.includes(field));
}

/**
 * Who sees the content of folders after edits who does not see it now, and the other way round. Only reads: the folders,
 * those above and below them, users and the instance settings.
 * @throws {ClientError} if the server cannot be reached. What it refuses to return is reported as unknown.
 */
export function folderEffect(server: ObjectServer, edits: readonly FolderEdit[]): Promise<AccessEffect> {
  return effectOn(server, async () => {
    const places = await readPlaces(
      server,
      edits.map(({ id }) => id),
      edits.flatMap(({ fields }) => parentIn(fields) ?? []),
    );
    const after = new Map(places.folders);
    for (const { id, fields } of edits) {
      const folder = after.get(id);
      if (folder) after.set(id, edited(folder, fields));
    }
    return {
      isComplete: places.isComplete,
      things: places.affected.map((id) => ({
        name: places.folders.get(id)?.name ?? id,
        before: (everyone: readonly string[]) => audienceOf(places.folders, id, everyone),
        after: (everyone: readonly string[]) => audienceOf(after, id, everyone),
      })),
    };
  });
}

/** {@link folderEffect}, for reports that move to another folder. */
export function reportMoveEffect(
  server: ObjectServer,
  reports: readonly { readonly name: string; readonly folderId: string }[],
  folderId: string,
): Promise<AccessEffect> {
  return effectOn(server, async () => {
    const { folders } = await readPlaces(server, [], [folderId, ...reports.map((report) => report.folderId)]);
    return {
      isComplete: true,
      things: reports.map((report) => ({
        name: report.name,
        before: (everyone: readonly string[]) => audienceOf(folders, report.folderId, everyone),
        after: (everyone: readonly string[]) => audienceOf(folders, folderId, everyone),
      })),
    };
  });
}

/** Groups of each level down to a folder: who sees it is in one of each. Null if only its owner sees it. */
type Audience = readonly (readonly string[])[] | null;

/** A folder or report, and who sees it by the ids of the group All Users. */
interface Thing {
  readonly name: string;
  readonly before: (everyone: readonly string[]) => Audience;
  readonly after: (everyone: readonly string[]) => Audience;
}

async function effectOn(
  server: ObjectServer,
  read: () => Promise<{ things: readonly Thing[]; isComplete: boolean }>,
): Promise<AccessEffect> {
  try {
    const [{ things, isComplete }, users, grantsAllUsers] = await Promise.all([
      read(),
      usersWithGroups(server),
      allUsersCounts(server),
    ]);
    if (things.length === 0) return noEffect;
    const changes = changesFor(things, users, grantsAllUsers);
    const rest = isComplete ? [] : [l10n.t('Not all folders inside could be checked.')];
    return {
      lines: [...changeLines(changes), ...rest],
      statements: changes.map((change) => JSON.stringify(change)),
      givesRows: changes.some(({ isGain }) => isGain) || !isComplete,
    };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return unknownEffect(shownMessage(error));
  }
}

/** What a user sees from then on, or no longer. */
interface Change {
  readonly user: string;
  readonly isGain: boolean;
  readonly names: readonly string[];
}

function changesFor(things: readonly Thing[], users: readonly JsonObject[], grantsAllUsers: boolean): Change[] {
  const everyone = everyonesGroupIds(users);
  // Super-admins see every folder. API description, Authentication.
  const limited = users.filter((user) => flagOf(fieldOf(user, 'isSuperAdmin')) !== true);
  const snapshot = snapshotOf({ users: limited, tags: [], policies: [], grantsAllUsers });
  const audiences = things.map(({ name, before, after }) => ({
    name,
    was: before(everyone),
    is: after(everyone),
  }));
  return [...snapshot.users.values()].flatMap((user) => {
    const named = (isGain: boolean) =>
      audiences
        .filter(({ was, is }) => sees(user, is) === isGain && sees(user, was) !== isGain)
        .map(({ name }) => name);
    return [true, false].flatMap((isGain) => {
      const names = named(isGain);
      return names.length > 0 ? [{ user: user.name, isGain, names }] : [];
    });
  });
}

function sees({ valueGroupIds }: AccessUser, audience: Audience): boolean {
  return audience !== null && audience.every((level) => level.some((id) => valueGroupIds.has(id)));
}

/** One sentence for all users who see the same, gains first. */
function changeLines(changes: readonly Change[]): string[] {
  const together = Map.groupBy(changes, ({ isGain, names }) => JSON.stringify([!isGain, names]));
  const groups = [...together].sort(([one], [other]) => Number(one > other) - Number(one < other));
  const lines = groups.slice(0, linesAtMost).map(([, some]) => changeLine(some));
  const rest = new Set(groups.slice(linesAtMost).flatMap(([, some]) => some.map(({ user }) => user))).size;
  if (rest === 0) return lines;
  return [
    ...lines,
    rest === 1 ? l10n.t('and other changes for 1 user') : l10n.t('and other changes for {0} users', rest),
  ];
}

function changeLine(changes: readonly Change[]): string {
  const [first] = changes;
  const users = changes.map(({ user }) => user);
  const [one, names] = [onOneLine(users[0] ?? ''), listed(first?.names ?? [])];
  if (first?.isGain) {
    return users.length === 1
      ? l10n.t('{0} will see the content of {1}.', one, names)
      : l10n.t('{0} users will see the content of {1}: {2}.', users.length, names, listed(users));
  }
  return users.length === 1
    ? l10n.t('{0} will no longer see the content of {1}.', one, names)
    : l10n.t('{0} users will no longer see the content of {1}: {2}.', users.length, names, listed(users));
}

/** A folder, as far as it decides who sees it and what is below. */
interface Place {
  readonly name: string;
  /** Undefined at the top of a library. */
  readonly parentId: string | undefined;
  readonly groupIds: readonly string[];
  /** Whether it stays closed when it has no group left. */
  readonly isRestricted: boolean;
  readonly inherits: boolean;
  readonly isPersonal: boolean;
}

function placeOf(folder: JsonObject): Place {
  const groupIds = groupIdsOf(folder);
  return {
    name: textField(folder, 'fname'),
    parentId: parentIn(folder),
    groupIds,
    isRestricted: groupIds.length > 0 || flagOf(fieldOf(folder, 'isRestricted')) === true,
    inherits: flagOf(fieldOf(folder, 'InheritPermissions')) !== false,
    isPersonal: flagOf(fieldOf(folder, 'isPersonalFolder')) === true,
  };
}

function edited(folder: Place, fields: JsonObject): Place {
  const groupIds = Object.hasOwn(fields, 'Permissions') ? groupIdsOf(fields) : folder.groupIds;
  const isSame = groupIds.length === folder.groupIds.length && groupIds.every((id) => folder.groupIds.includes(id));
  return {
    ...folder,
    groupIds,
    isRestricted: isSame ? folder.isRestricted : groupIds.length > 0,
    inherits: flagOf(fieldOf(fields, 'InheritPermissions')) ?? folder.inherits,
    parentId: parentIn(fields) ?? folder.parentId,
  };
}

function parentIn(folder: JsonObject): string | undefined {
  const id = identifierText(fieldOf(folder, 'ParentLibrary')) ?? '';
  return id === '' || id === '0' ? undefined : id;
}

/**
 * The top of a library is open to all users; what is above an unread folder is not known to restrict it.
 * @param below ids of folders inside, none of which can be above.
 */
function audienceOf(
  folders: ReadonlyMap<string, Place>,
  id: string,
  everyone: readonly string[],
  below: readonly string[] = [],
): Audience {
  const folder = folders.get(id);
  if (folder?.isPersonal || below.includes(id)) return null;
  if (!folder || folder.parentId === undefined) return [everyone];
  const above = audienceOf(folders, folder.parentId, everyone, [...below, id]);
  if (above === null) return null;
  // The top of the library shows its folders to everyone, also to users who are not in All Users.
  const levels = folders.get(folder.parentId)?.parentId === undefined ? [] : above;
  const inherited = folder.inherits ? (above.at(-1) ?? everyone) : everyone;
  return [...levels, folder.isRestricted ? folder.groupIds : inherited];
}

/** More folders than are edited and what is above them. */
const readAtMost = 2 * foldersAtMost;

/**
 * Reads folders, everything above them, and everything below the edited ones.
 * @param more folders that are only read with what is above.
 */
async function readPlaces(server: ObjectServer, edits: readonly string[], more: readonly string[]) {
  const body = { includefav: false, includePersonal: false };
  const roots = edits.length > 0 ? await callForList(server, 'library/GetAllLibraryTree', body) : [];
  const below = edits.flatMap((id) => {
    const node = roots.map((root) => findNode(fieldOf(root, 'rootnode'), id)).find((found) => found !== undefined);
    return node ? nodesBelow(node).flatMap((child) => identifierText(fieldOf(child, 'id')) ?? []) : [];
  });
  const all = [...new Set([...edits, ...below])];
  const affected = all.slice(0, foldersAtMost);
  const folders = new Map<string, Place>();
  let wanted = [...new Set([...affected, ...more])];
  while (wanted.length > 0 && folders.size < readAtMost) {
    const read = await inTurns(wanted, (folderid) => callForObject(server, 'library/GetFolderById', { folderid }));
    for (const [index, folder] of read.entries()) folders.set(wanted[index] ?? '', placeOf(folder));
    const above = [...folders.values()].flatMap(({ parentId }) => parentId ?? []);
    wanted = [...new Set(above)].filter((id) => !folders.has(id));
  }
  return { folders, affected, isComplete: affected.length === all.length && wanted.length === 0 };
}
