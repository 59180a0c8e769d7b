import { fieldOf, identifierText, isJsonObject, type JsonObject } from '../objects/json.ts';
import { textField } from '../objects/kinds/objectEntry.ts';
import { callForList, callForObject, type ObjectServer } from '../objects/objectServer.ts';
import { groupIdsOf } from './folderAccess.ts';
import { foldersAtMost, inTurns, nodesBelow } from './folderReach.ts';
import { isRefusal } from './rows/accessEffect.ts';
import { flagOf } from './rows/snapshot.ts';

/** A folder, as far as it decides who sees it and what is below. */
export interface Place {
  readonly name: string;
  /** Undefined at the top of a library. */
  readonly parentId: string | undefined;
  readonly groupIds: readonly string[];
  /** Whether it stays closed when it has no group left. */
  readonly isRestricted: boolean;
  readonly inherits: boolean;
  readonly isPersonal: boolean;
  readonly isHidden: boolean;
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
    isHidden: flagOf(fieldOf(folder, 'isHidden')) === true,
  };
}

/** A folder after an edit of these fields. */
export function editedPlace(folder: Place, fields: JsonObject): Place {
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

export function parentIn(folder: JsonObject): string | undefined {
  const id = identifierText(fieldOf(folder, 'ParentLibrary')) ?? '';
  return id === '' || id === '0' ? undefined : id;
}

/** Groups of each level down to a folder: who sees it is in one of each. Null if only its owner sees it. */
export type Audience = readonly (readonly string[])[] | null;

/**
 * The top of a library is open to all users; what is above an unread folder is not known to restrict it.
 * @param below ids of folders inside, none of which can be above.
 */
export function audienceOf(
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

/** Ids of the hidden folders above a folder. */
export function hiddenAbove(folders: ReadonlyMap<string, Place>, id: string): string[] {
  const seen = new Set([id]);
  const found: string[] = [];
  for (let above = folders.get(id)?.parentId; above !== undefined && !seen.has(above);) {
    seen.add(above);
    if (folders.get(above)?.isHidden) found.push(above);
    above = folders.get(above)?.parentId;
  }
  return found;
}

/** More folders than are edited and what is above them. */
const readAtMost = 2 * foldersAtMost;

/** The top of each shared library. */
export async function readTrees(server: ObjectServer): Promise<JsonObject[]> {
  const body = { includefav: false, includePersonal: false };
  const entries = await callForList(server, 'library/GetAllLibraryTree', body);
  return entries.map((entry) => fieldOf(entry, 'rootnode')).filter(isJsonObject);
}

export function idsBelow(node: JsonObject): string[] {
  return nodesBelow(node).flatMap((child) => identifierText(fieldOf(child, 'id')) ?? []);
}

/**
 * Reads folders and everything above them.
 * @param ids folders whose audience is wanted.
 * @param options.more folders that may be above them afterwards.
 * @param options.mayMiss whether a folder that the server refuses to return is left out.
 */
export async function readPlaces(
  server: ObjectServer,
  ids: readonly string[],
  { more = [], mayMiss = false }: { more?: readonly string[]; mayMiss?: boolean } = {},
): Promise<{ folders: ReadonlyMap<string, Place>; affected: readonly string[]; isComplete: boolean }> {
  const all = [...new Set(ids)];
  const asked = new Set<string>();
  const folders = new Map<string, Place>();
  const read = async (folderid: string) => {
    try {
      return await callForObject(server, 'library/GetFolderById', { folderid });
    } catch (error) {
      if (mayMiss && isRefusal(error)) return undefined;
      throw error;
    }
  };
  let wanted = [...new Set([...all.slice(0, foldersAtMost), ...more])];
  while (wanted.length > 0 && asked.size < readAtMost) {
    const found = await inTurns(wanted, read);
    for (const [index, id] of wanted.entries()) {
      const folder = found[index];
      asked.add(id);
      if (folder) folders.set(id, placeOf(folder));
    }
    const above = [...folders.values()].flatMap(({ parentId }) => parentId ?? []);
    wanted = [...new Set(above)].filter((id) => !asked.has(id));
  }
  const affected = all.slice(0, foldersAtMost).filter((id) => folders.has(id));
  return { folders, affected, isComplete: affected.length === all.length && wanted.length === 0 };
}
