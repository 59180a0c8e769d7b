import type { Caller } from '../calls/caller.ts';
import { applicationRoleIds, applicationRolesOf } from '../identity/applicationRoles.ts';
import { allUsersGroupId } from '../identity/identitySchema.ts';
import { readSettings } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import { lineOf, listFolders, listFoldersIn, type StoredFolder } from './folders.ts';
import { publicLibraryId } from './librarySchema.ts';

/** What a caller may do with a folder and with what lies in it. */
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
  /** Open to All Users. */
  isPublic: boolean;
  /** Names from the library's root down, joined with `/`. */
  path: string;
  /** 0 for the root of a library. */
  depth: number;
  /** Who is shown the folder: the groups of each level down to it, and where it is hidden. Equal texts mean the same people and rights. */
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
 * to those it inherits, else to All Users; the caller's best role in them decides. A folder below a hidden one stays
 * hidden; the root of the Public Library is always there, even to those who may not view what lies directly in it.
 * Personal folders belong to their owner. A super-admin may do everything. API description, Authentication.
 */
export function visibleFolders(store: Store, caller: Caller): Map<string, VisibleFolder> {
  return visibleAmong(listFolders(store), store, caller);
}

/** The caller's view of one folder, of those above it and of those directly in it, by id. */
export function visibleAround(store: Store, caller: Caller, folderId: string): Map<string, VisibleFolder> {
  return visibleAmong([...lineOf(store, folderId), ...listFoldersIn(store, folderId)], store, caller);
}

/** Those of the folders that the caller may see; each comes after its parent, which is among them. */
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

/** The caller's view of one folder, or undefined when it does not exist or the caller may not view what lies in it. */
export function visibleFolder(store: Store, caller: Caller, folderId: string): VisibleFolder | undefined {
  const found = visibleAmong(lineOf(store, folderId), store, caller).get(folderId);
  return found?.rights.view ? found : undefined;
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
 * Tenant Mode leaves Builders and Architects only the view of what is open to All Users. A role that restricts counts as soon as
 * it is given, before the session's passport has it.
 */
function isRestrictedByTenantMode(store: Store, caller: Caller): boolean {
  if (caller.isSuperAdmin || readSettings(store).TENANT_MODE_ENABLED !== 'True') return false;
  const restricted: readonly string[] = [applicationRoleIds.builder, applicationRoleIds.architect];
  return applicationRolesOf(store, caller.userId).some((role) => restricted.includes(role.roleId));
}
