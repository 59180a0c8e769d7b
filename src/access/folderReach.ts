import { isClientError } from '../client/clientError.ts';
import { isSameJson } from '../objects/merge/canonicalJson.ts';
import { groupIdsOf } from './folderAccess.ts';
import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';
import { findKind } from '../objects/kinds/kinds.ts';
import { namesOf, objectsIn, readObject } from '../objects/objectParts.ts';
import { callForList, callForObject, type ObjectServer } from '../objects/objectServer.ts';
import * as l10n from '../l10n/l10n.ts';

/** Maximum number of folders searched for those scoped to a group; each costs a request. */
export const foldersAtMost = 200;
/** As many as a client sends at the same time. */
const requestsAtATime = 12;

/**
 * The folders that are open only to this group, and those that others see too; `isComplete` is false if some folders were
 * not searched.
 * @throws {ClientError}
 */
export async function foldersOnlyFor(
  server: ObjectServer,
  groupId: string,
): Promise<{ alone: JsonObject[]; shared: JsonObject[]; isComplete: boolean }> {
  const folders = (await findKind('folder')?.list?.(server)) ?? [];
  const read = await inTurns(folders.slice(0, foldersAtMost), ({ id }) =>
    callForObject(server, 'library/GetFolderById', { folderid: id }),
  );
  const open = read.filter((folder) => groupIdsOf(folder).includes(groupId));
  const isAlone = (folder: JsonObject) => groupIdsOf(folder).every((id) => id === groupId);
  const isComplete = folders.length <= foldersAtMost && (await seesEveryFolder(server));
  return { alone: open.filter(isAlone), shared: open.filter((folder) => !isAlone(folder)), isComplete };
}

/**
 * Whether the server shows that the account is a super-admin. Other accounts see only what is open to their
 * groups, and a folder of theirs not if it is inside one of other groups.
 */
export async function seesEveryFolder(server: ObjectServer): Promise<boolean> {
  const accountId = server.accountId?.();
  if (accountId === undefined) return false;
  try {
    return fieldOf(await readObject(server, 'user', accountId), 'isSuperAdmin') === true;
  } catch (error) {
    if (isClientError(error, 'refused') || isClientError(error, 'noPermission')) return false;
    throw error;
  }
}

/**
 * The content of a folder that the account can see: its subfolders, and the names of all reports and dashboards.
 * @throws {ClientError}
 */
export async function contentsOf(server: ObjectServer, id: string): Promise<{ below: JsonObject[]; items: string[] }> {
  const body = { includefav: false, includePersonal: true };
  const roots = await callForList(server, 'library/GetAllLibraryTree', body);
  const folder = roots.map((root) => findNode(fieldOf(root, 'rootnode'), id)).find((node) => node !== undefined);
  const below = folder ? nodesBelow(folder) : [];
  const ids = [id, ...below.flatMap((node) => identifierText(fieldOf(node, 'id')) ?? [])];
  const lists = await inTurns(ids, (LibraryID) => callForList(server, 'library/GetListByFolderID', { LibraryID }));
  return { below, items: namesOf(lists.flat(), 'ReportName') };
}

/** Fields of a folder that decide who sees it; only its admins may change them. API description, Library folder. */
const audienceFields = ['isHidden', 'InheritPermissions', 'Permissions', 'ParentLibrary'];

/**
 * Explains why a server refuses a folder change by an account that is not its admin; undefined when the folder's fields
 * show no such reason.
 */
export function whyAudienceStays(base: JsonObject, mine: JsonObject): string | undefined {
  const isChanged = (field: string) => !isSameJson(fieldOf(base, field) ?? null, fieldOf(mine, field) ?? null);
  const changed = audienceFields.filter(isChanged);
  if (fieldOf(base, 'isUserAdmin') !== false || changed.length === 0) return undefined;
  return l10n.t(
    'only an admin of this folder can change who sees it ({0}), and this account is not one. Undo the change, or ask a member with the role Admin.',
    changed.join(', '),
  );
}

export function findNode(node: Json | undefined, id: string): JsonObject | undefined {
  if (!isJsonObject(node)) return undefined;
  if (identifierText(fieldOf(node, 'id')) === id) return node;
  for (const child of objectsIn(node, 'children')) {
    const found = findNode(child, id);
    if (found) return found;
  }
  return undefined;
}

export function nodesBelow(node: JsonObject): JsonObject[] {
  return objectsIn(node, 'children').flatMap((child) => [child, ...nodesBelow(child)]);
}

/** Calls `work` for each value, several at a time, until one fails; returns the results in order. */
export async function inTurns<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = values.map((value, index) => ({ value, index }));
  const workOn = async () => {
    try {
      for (let next = left.shift(); next; next = left.shift()) results[next.index] = await work(next.value);
    } catch (error) {
      left.length = 0;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: requestsAtATime }, workOn));
  return results;
}
