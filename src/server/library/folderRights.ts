import type { Caller } from '../calls/caller.ts';
import { refusal } from '../calls/wholeObject.ts';
import { applicationRoleIds, applicationRolesOf } from '../identity/applicationRoles.ts';
import { allUsersGroupId } from '../identity/identitySchema.ts';
import { readSettings } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import { lineOf, listFolders, listFoldersIn, type StoredFolder } from './folders.ts';
import { publicLibraryId } from './librarySchema.ts';

/** A caller's rights on a folder and its content. */
export interface Rights {
  admin: boolean;
  view: boolean;
  modify: boolean;
  delete: boolean;
}

/** A folder that the caller may see, with the caller's rights. */
export interface VisibleFolder {
  folder: StoredFolder;
  rights: Rights;
  /** Whether All Users may see it. */
  isPublic: boolean;
  /** Names from the library's root, joined with `/`. */
  path: string;
  /** 0 for the root of a library. */
  depth: number;
  /**
   * Identifies who sees the folder: the groups of each level down to it, and where it is hidden. Equal texts mean the
   * same users and rights.
   */
  audience: string;
}

const none: Rights = { admin: false, view: false, modify: false, delete: false };
const viewOnly: Rights = { ...none, view: true };
const all: Rights = { admin: true, view: true, modify: true, delete: true };
/** Rights by role within a group. API description, Role. */
const rightsByRole: Readonly<Record<string, Rights>> = {
  '1': all,
  '2': viewOnly,
  '3': { ...viewOnly, modify: true },
  '4': { ...viewOnly, modify: true, delete: true },
};

/**
 * Every folder that the caller may see, by id, parents before children. A public folder belongs to its own groups, else
 * to the inherited ones, else to All Users; the caller's best role in them decides. Folders below a hidden one are
 * hidden, too; the root of the Public Library is always included, even for callers who may not view its direct content.
 * Personal folders belong to their owner. Super-admins have all rights. API description, Authentication.
 */
export function visibleFolders(store: Store, caller: Caller): Map<string, VisibleFolder> {
  return visibleAmong(listFolders(store), store, caller);
}

/** The caller's view of one folder, its parents and its direct subfolders, by id. */
export function visibleAround(store: Store, caller: Caller, folderId: string): Map<string, VisibleFolder> {
  return visibleAmong([...lineOf(store, folderId), ...listFoldersIn(store, folderId)], store, caller);
}

/** The visible ones of `folders`, which must include each folder's parent, before the folder. */
function visibleAmong(folders: readonly StoredFolder[], store: Store, caller: Caller): Map<string, VisibleFolder> {
  const isTenantBuilder = isRestrictedByTenantMode(store, caller);
  const visible = new Map<string, VisibleFolder>();
  const scopes = new Map<string, readonly string[]>();
  for (const folder of folders) {
    const parent = folder.parentId === null ? undefined : visible.get(folder.parentId);
    if (folder.parentId !== null && !parent) continue;
    const scope = scopeOf(folder, folder.parentId === null ? undefined : scopes.get(folder.parentId));
    scopes.set(folder.id, scope);
    const isPublic = folder.kind === 'public' && scope.includes(allUsersGroupId);
    const rights = rightsIn(folder, scope, caller);
    if (!rights.view && folder.id !== publicLibraryId) continue;
    visible.set(folder.id, {
      folder,
      rights: isTenantBuilder && isPublic && scope.length === 1 && rights.view ? viewOnly : rights,
      isPublic,
      path: parent ? `${parent.path}/${folder.name}` : folder.name,
      depth: parent ? parent.depth + 1 : 0,
      audience: audienceOf(folder, scope, parent?.audience),
    });
  }
  return visible;
}

/** The caller's view of one folder, or undefined when it does not exist or the caller may not view its content. */
export function visibleFolder(store: Store, caller: Caller, folderId: string): VisibleFolder | undefined {
  const found = visibleAmong(lineOf(store, folderId), store, caller).get(folderId);
  return found?.rights.view ? found : undefined;
}

/**
 * Moving a report or dashboard to a folder with other members removes it for those who can see it now, like a deletion.
 * @throws {CallFailure} 9001 when the caller may not delete it.
 */
export function requireMoveAllowed(
  item: { folderId: string; name: string; rights: Pick<Rights, 'delete'> },
  to: VisibleFolder,
  { store, caller }: { store: Store; caller: Caller },
): void {
  const from = visibleFolder(store, caller, item.folderId);
  if (item.rights.delete || from?.audience === to.audience) return;
  throw refusal(
    `folderid: other people see ${to.path} than ${from?.path ?? 'the folder that it is in'}, and you may not delete ` +
      `"${item.name}" there. Save a copy in ${to.path}, or ask a member who may delete.`,
  );
}

/** Groups that a folder belongs to. */
function scopeOf(folder: StoredFolder, parentScope: readonly string[] | undefined): readonly string[] {
  if (folder.isRestricted) return folder.groupIds;
  return (folder.inherits && parentScope) || [allUsersGroupId];
}

function audienceOf(folder: StoredFolder, scope: readonly string[], above: string | undefined): string {
  const own = folder.kind === 'personal' ? `owner ${folder.ownerId}` : `groups ${scope.toSorted().join()}`;
  const isSame = above !== undefined && !folder.isHidden && above.split('/').at(-1) === own;
  return isSame ? above : `${above ?? ''}/${folder.isHidden ? 'hidden/' : ''}${own}`;
}

function rightsIn(folder: StoredFolder, scope: readonly string[], caller: Caller): Rights {
  if (caller.isSuperAdmin) return all;
  if (folder.kind === 'personal') return folder.ownerId === caller.userId && !caller.isGuest ? all : none;
  const granted = caller.groups
    .filter((group) => scope.includes(group.groupId))
    .map((group) => rightsByRole[group.roleId] ?? none);
  return {
    admin: granted.some((rights) => rights.admin),
    view: granted.some((rights) => rights.view),
    modify: granted.some((rights) => rights.modify),
    delete: granted.some((rights) => rights.delete),
  };
}

/**
 * In Tenant Mode, Builders and Architects may only view content that is open to All Users. Roles that restrict apply as
 * soon as they are assigned, even before the session's passport includes them.
 */
function isRestrictedByTenantMode(store: Store, caller: Caller): boolean {
  if (caller.isSuperAdmin || readSettings(store).TENANT_MODE_ENABLED !== 'True') return false;
  const restricted: readonly string[] = [applicationRoleIds.builder, applicationRoleIds.architect];
  return applicationRolesOf(store, caller.userId).some((role) => restricted.includes(role.roleId));
}
