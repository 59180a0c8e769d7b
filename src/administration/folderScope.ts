import { fieldOf, identifierText, isJsonObject, type JsonObject } from '../objects/json.ts';
import { folderKind, reportKind } from '../objects/kinds/libraryKinds.ts';
import type { ObjectServer } from '../objects/objectServer.ts';
import { changeObject } from './changeObject.ts';

/** Ids of the groups that a folder is open to; none means everybody who sees the folder above. API description, Library folder. */
export async function folderGroups(server: ObjectServer, folderId: string): Promise<string[]> {
  return groupIds(await folderKind.read(server, folderId));
}

/**
 * Makes a folder visible to these groups only; none opens it to All Users.
 * @throws {ClientError} as {@link changeObject}.
 */
export async function setFolderGroups(server: ObjectServer, folderId: string, ids: readonly string[]): Promise<void> {
  await changeObject(server, folderKind, folderId, (view) => ({
    ...view,
    Permissions: ids.map((RightID) => ({ RightID })),
  }));
}

/**
 * Opens a folder to more groups.
 * @throws {ClientError} as {@link changeObject}.
 */
export async function addFolderGroups(server: ObjectServer, folderId: string, ids: readonly string[]): Promise<void> {
  await changeObject(server, folderKind, folderId, (view) => {
    const all = new Set([...groupIds(view), ...ids]);
    return { ...view, Permissions: [...all].map((RightID) => ({ RightID })) };
  });
}

/**
 * Moves a report into another folder: the folder is part of its definition. API description, Report (folderid).
 * @throws {ClientError} as {@link changeObject}.
 */
export async function moveReport(server: ObjectServer, reportId: string, folderId: string): Promise<void> {
  const id = Number(folderId);
  await changeObject(server, reportKind, reportId, (view) => ({
    ...view,
    folderid: Number.isSafeInteger(id) ? id : folderId,
  }));
}

function groupIds(folder: JsonObject): string[] {
  const list = fieldOf(folder, 'Permissions');
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => (isJsonObject(entry) ? (identifierText(fieldOf(entry, 'RightID')) ?? []) : []));
}
