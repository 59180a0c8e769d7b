import { ClientError } from '../client/clientError.ts';
import { idText } from '../contract/idText.ts';
import type { JsonObject } from '../objects/json.ts';
import { folderKind, reportKind } from '../objects/kinds/libraryKinds.ts';
import { nameOf, type ObjectKind } from '../objects/kinds/objectKind.ts';
import type { ObjectServer } from '../objects/objectServer.ts';
import { numberOrText } from '../objects/json.ts';
import * as l10n from '../l10n/l10n.ts';
import { editableView } from '../objects/merge/editableView.ts';
import { changeObject, noSecret } from '../objects/save/changeObject.ts';
import { createObject } from '../objects/save/createObject.ts';

/** Who can see a folder. */
export interface FolderAccess {
  readonly groupIds: readonly string[];
  /** Who can see it: its groups, no one since its groups were deleted, everyone who sees its parent, or all users. */
  readonly openTo: 'groups' | 'nobody' | 'above' | 'allUsers';
  /** Whether it belongs to one user and so cannot be opened to groups. */
  readonly isPersonal: boolean;
}

/** The fields of a folder that decide who sees it, as all clients read them. */
interface FolderFields {
  readonly Permissions?: unknown;
  readonly InheritPermissions?: unknown;
  readonly isRestricted?: unknown;
  readonly isPersonalFolder?: unknown;
}

/**
 * Derives who can see a folder from its fields. API description, Library folder (Permissions, InheritPermissions,
 * isRestricted, isPersonalFolder).
 */
export function folderAccessOf(folder: FolderFields): FolderAccess {
  const groupIds = groupIdsOf(folder);
  const ungrouped = folder.isRestricted === true ? 'nobody' : folder.InheritPermissions === true ? 'above' : 'allUsers';
  return {
    groupIds,
    openTo: groupIds.length > 0 ? 'groups' : ungrouped,
    isPersonal: folder.isPersonalFolder === true,
  };
}

/** Reads who can see a folder. */
export async function folderAccess(server: ObjectServer, folderId: string): Promise<FolderAccess> {
  return folderAccessOf(await folderKind.read(server, folderId));
}

/** A change of the groups that a folder is open to. */
export interface GroupsChange {
  added?: readonly string[];
  removed?: readonly string[];
  /** Whether the last group may be removed, which opens the folder to everyone who sees its parent. */
  mayOpen?: boolean;
}

/**
 * Opens a folder to more groups, or closes it to some. Concurrent changes of other groups are preserved.
 * @throws {ClientError} as {@link changeObject}; also when another user removed the last remaining group meanwhile.
 */
export async function changeFolderGroups(
  server: ObjectServer,
  folderId: string,
  { added = [], removed = [], mayOpen = false }: GroupsChange,
): Promise<void> {
  await changeObject(server, folderKind, folderId, (view) => {
    const groups = new Set([...groupIdsOf(view), ...added]);
    const isRestricted = groups.size > 0;
    for (const id of removed) groups.delete(id);
    if (isRestricted && groups.size === 0 && !mayOpen) {
      const message = l10n.t(
        'Someone else just changed the same part of "{0}" on {1}.',
        nameOf(folderKind, view),
        server.name,
      );
      throw new ClientError('refused', message, { server: server.name });
    }
    return { ...view, Permissions: [...groups].map((RightID) => ({ RightID })) };
  });
}

/**
 * Moves a report to another folder; the folder is part of the report's definition. API description, Report (folderid).
 * @throws {ClientError} as {@link changeObject}.
 */
export async function moveReport(server: ObjectServer, reportId: string, folderId: string): Promise<void> {
  await changeObject(server, reportKind, reportId, (view) => ({ ...view, folderid: numberOrText(folderId) }));
}

/**
 * Creates a folder.
 * @param groupIds groups that can see it; none: everyone who can see the parent.
 * @throws {ClientError} as {@link createInFolder}.
 */
export async function createFolder(
  server: ObjectServer,
  parentId: string,
  name: string,
  groupIds: readonly string[],
): Promise<void> {
  const Permissions = groupIds.map((RightID) => ({ RightID }));
  await createInFolder(server, folderKind, parentId, { fname: name, Permissions });
}

/**
 * Creates an object in a folder, with `fields` in place of those of the template.
 * @throws {ClientError} when the server refuses it, its outcome is unknown, or it reads back differently.
 */
export async function createInFolder(
  server: ObjectServer,
  kind: ObjectKind,
  parentId: string,
  fields: JsonObject,
): Promise<void> {
  const template = await kind.template?.(server, parentId);
  const view = { ...editableView(template ?? {}, kind.shape), ...fields };
  const outcome = await createObject(server, { kind, view, parent: parentId, askSecret: noSecret });
  if (outcome.kind !== 'created' || outcome.notTaken.length === 0) return;
  const missing = outcome.notTaken.join(', ');
  const name = nameOf(kind, view);
  const message = l10n.t('{0} accepted "{1}", but the saved object lacks: {2}.', server.name, name, missing);
  throw new ClientError('refused', message, { server: server.name });
}

/** Moves a folder into another one or a library. @throws {ClientError} as {@link changeObject}. */
export async function moveFolder(server: ObjectServer, folderId: string, parentId: string): Promise<void> {
  await changeObject(server, folderKind, folderId, (view) => ({ ...view, ParentLibrary: parentId }));
}

/** Hides a folder or shows it again. @throws {ClientError} as {@link changeObject}. */
export async function hideFolder(server: ObjectServer, folderId: string, isHidden: boolean): Promise<void> {
  await changeObject(server, folderKind, folderId, (view) => ({ ...view, isHidden }));
}

/** Ids of the groups that a folder is open to. */
export function groupIdsOf({ Permissions }: FolderFields): string[] {
  const entries: readonly unknown[] = Array.isArray(Permissions) ? Permissions : [];
  return entries.flatMap((entry) => {
    const id = typeof entry === 'object' && entry !== null && 'RightID' in entry ? idText(entry.RightID) : '';
    return id === '' ? [] : id;
  });
}
