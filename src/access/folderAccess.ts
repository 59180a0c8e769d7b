import { ClientError } from '../client/clientError.ts';
import { idText } from '../contract/idText.ts';
import { folderKind, reportKind } from '../objects/kinds/libraryKinds.ts';
import { nameOf } from '../objects/kinds/objectKind.ts';
import type { ObjectServer } from '../objects/objectServer.ts';
import { say } from '../l10n/l10n.ts';
import { changeObject } from '../objects/save/changeObject.ts';

/** Who sees a folder. */
export interface FolderAccess {
  readonly groupIds: readonly string[];
  /** Whom it is open to: its groups, nobody since they are gone, whoever sees the folder above, or all users. */
  readonly openTo: 'groups' | 'nobody' | 'above' | 'allUsers';
  /** Whether it belongs to one user: it cannot be opened to groups. */
  readonly isPersonal: boolean;
}

/** The fields of a folder that say who sees it, as any client reads them. */
interface FolderFields {
  readonly Permissions?: unknown;
  readonly InheritPermissions?: unknown;
  readonly isRestricted?: unknown;
  readonly isPersonalFolder?: unknown;
}

/** Who sees a folder. API description, Library folder (Permissions, InheritPermissions, isRestricted, isPersonalFolder). */
export function folderAccessOf(folder: FolderFields): FolderAccess {
  const groupIds = groupIdsOf(folder);
  const ungrouped = folder.isRestricted === true ? 'nobody' : folder.InheritPermissions === true ? 'above' : 'allUsers';
  return {
    groupIds,
    openTo: groupIds.length > 0 ? 'groups' : ungrouped,
    isPersonal: folder.isPersonalFolder === true,
  };
}

/** Reads who sees a folder. */
export async function folderAccess(server: ObjectServer, folderId: string): Promise<FolderAccess> {
  return folderAccessOf(await folderKind.read(server, folderId));
}

/** How the groups are to change that a folder is open to. */
export interface GroupsChange {
  added?: readonly string[];
  removed?: readonly string[];
  /** Whether no group may be left: everybody who sees the folder above then sees this one. */
  mayOpen?: boolean;
}

/**
 * Opens a folder to more groups, or closes it to some. Groups that others add or take away meanwhile stay as they left them.
 * @throws {ClientError} as {@link changeObject}; also when others took away the last group that was to stay.
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
      const message = say(
        'Somebody else changed the same part of "{0}" on {1} just now.',
        nameOf(folderKind, view),
        server.name,
      );
      throw new ClientError('refused', message, { server: server.name });
    }
    return { ...view, Permissions: [...groups].map((RightID) => ({ RightID })) };
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

/** Ids of the groups that a folder is open to. */
export function groupIdsOf({ Permissions }: FolderFields): string[] {
  const entries: readonly unknown[] = Array.isArray(Permissions) ? Permissions : [];
  return entries.flatMap((entry) => {
    const id = typeof entry === 'object' && entry !== null && 'RightID' in entry ? idText(entry.RightID) : '';
    return id === '' ? [] : id;
  });
}
