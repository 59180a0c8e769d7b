import type { RequestOf } from '../../contract/endpoints.ts';
import { folder as folderSchema, type Folder } from '../../contract/resources/library.ts';
import { relationTypes } from '../../contract/resources/relation.ts';
import { isAdministrator, type Caller } from '../calls/caller.ts';
import { noContent, type HandlerReply, type SignedInContext } from '../calls/handlers.ts';
import { checkRevision, extraFields, refusal, requireCollections, sentId } from '../calls/wholeObject.ts';
import { findGroup } from '../identity/groups.ts';
import { findUser } from '../identity/users.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { extraFieldsOf, writeExtraFields } from '../store/extraFields.ts';
import type { Store } from '../store/store.ts';
import {
  insertFolder,
  personalLibraryOf,
  setFolderScope,
  updateFolder,
  type StoredFolder,
  contentOf,
} from './folders.ts';
import { visibleFolders, type VisibleFolder } from './folderRights.ts';
import { folderRecord, keptFolderFields } from './libraryRecords.ts';
import { publicLibraryId } from './librarySchema.ts';

type Save = RequestOf<'library/SaveLibraryFolder'>;

/** Maximum folder depth, far more than users need; the store deletes only a few hundred levels at once. */
const mostLevels = 50;

/**
 * Creates or replaces a folder. Creating requires the modify right on the parent, or an administrator for the top level
 * of the Public Library; changing who sees it requires an admin of the folder or an administrator. API description,
 * Library (SaveLibraryFolder).
 */
export function saveFolder(body: Save, context: SignedInContext): HandlerReply {
  const { libraryfolder: sent } = body;
  requireCollections(sent, 'The folder', ['Permissions']);
  const name = (sent.fname ?? '').trim();
  if (name === '') throw refusal('fname, the name of the folder, is empty.');
  const id = sentId(sent.id);
  return context.store.transaction(() =>
    id === null || id === '0' ? createFolder(body, name, context) : changeFolder(body, id, name, context),
  );
}

function createFolder(body: Save, name: string, context: SignedInContext): HandlerReply {
  const { store, now, caller } = context;
  const { libraryfolder: sent } = body;
  const parentId = sentId(sent.ParentLibrary) ?? libraryRoot(body, context);
  if (parentId === undefined) return noContent;
  const parent = visibleFolders(store, caller).get(parentId);
  if (!parent) throw refusal(`There is no folder with the id ${parentId} to create ${name} in.`);
  if (!mayAddTo(parent, context)) return noContent;
  requireRoom(parent, 1);
  const groupIds = sentGroups(sent, context);
  requireOwnGroups(groupIds, caller);
  const { kind, ownerId } = parent.folder;
  const folder = {
    name,
    parentId,
    kind,
    ownerId,
    isHidden: Boolean(sent.isHidden),
    inherits: sent.InheritPermissions ?? true,
  };
  const id = insertFolder(store, folder, now);
  keepExtra(store, id, sent);
  setFolderScope(store, id, groupIds);
  context.audit(auditSymbols.change, `created folder ${parent.path}/${name}`);
  return recordOf(id, context);
}

function changeFolder(body: Save, id: string, name: string, context: SignedInContext): HandlerReply {
  const { store, now, caller } = context;
  const { libraryfolder: sent } = body;
  const folders = visibleFolders(store, caller);
  const before = folders.get(id);
  if (!before) {
    if (caller.isSuperAdmin) throw refusal(`There is no folder with the id ${id}.`);
    return noContent;
  }
  if (before.folder.parentId === null) throw refusal(`${before.folder.name} is built in and cannot be changed.`);
  if (!before.rights.modify) return noContent;
  checkRevision(body, before.folder.revision, `Folder ${before.path}`);
  const parentId = sentId(sent.ParentLibrary) ?? before.folder.parentId;
  if (parentId !== before.folder.parentId) requireMovable(before, parentId, folders, context);
  const groupIds = sentGroups(sent, context);
  const isHidden = sent.isHidden ?? before.folder.isHidden;
  const inherits = sent.InheritPermissions ?? before.folder.inherits;
  const isScopeChanged = !isSameSet(groupIds, before.folder.groupIds);
  const placeBefore = folders.get(before.folder.parentId)?.audience;
  const deciding = [
    isHidden !== before.folder.isHidden ? 'isHidden' : '',
    inherits !== before.folder.inherits ? 'InheritPermissions' : '',
    isScopeChanged ? 'Permissions' : '',
    folders.get(parentId)?.audience !== placeBefore ? 'ParentLibrary' : '',
  ].filter((field) => field !== '');
  if (deciding.length > 0) requireAdminOf(before, folders, deciding, context);
  requireOwnGroups(
    groupIds.filter((groupId) => !before.folder.groupIds.includes(groupId)),
    caller,
  );
  updateFolder(store, id, { name, parentId, isHidden, inherits }, now);
  keepExtra(store, id, sent);
  if (isScopeChanged) setFolderScope(store, id, groupIds);
  context.audit(auditSymbols.change, `saved folder ${before.path}`);
  return recordOf(id, context);
}

function keepExtra(store: Store, id: string, sent: Folder): void {
  const kept = extraFieldsOf(store, 'folder', id);
  writeExtraFields(store, 'folder', id, { ...kept, ...extraFields(sent, folderSchema.shape, keptFolderFields) });
}

/** Root for a folder without a parent; undefined when it belongs to another user. */
function libraryRoot(body: Save, { store, caller, now }: SignedInContext): string | undefined {
  const isPersonal = body.isShared === undefined || body.isShared === null ? wantsPersonal(body) : !body.isShared;
  if (!isPersonal) return publicLibraryId;
  const ownerId = sentId(body.currentUserId) ?? caller.userId;
  if (caller.isGuest || (ownerId !== caller.userId && !caller.isSuperAdmin)) return undefined;
  if (!findUser(store, ownerId)) throw refusal(`There is no user with the id ${ownerId}.`);
  return personalLibraryOf(store, ownerId, now);
}

function wantsPersonal({ libraryfolder, currentUserId }: Save): boolean {
  return libraryfolder.isPersonalFolder === true || sentId(currentUserId) !== null;
}

function mayAddTo(parent: VisibleFolder, { caller }: SignedInContext): boolean {
  return parent.rights.modify || (parent.folder.id === publicLibraryId && isAdministrator(caller));
}

function requireMovable(
  moved: VisibleFolder,
  parentId: string,
  folders: ReadonlyMap<string, VisibleFolder>,
  context: SignedInContext,
): void {
  const parent = folders.get(parentId);
  if (!parent || !mayAddTo(parent, context)) throw refusal(`You cannot move ${moved.path} into folder ${parentId}.`);
  if (parent.folder.kind !== moved.folder.kind || parent.folder.ownerId !== moved.folder.ownerId) {
    throw refusal(`${moved.path} cannot be moved into another library.`);
  }
  let above: StoredFolder | undefined = parent.folder;
  while (above) {
    if (above.id === moved.folder.id) throw refusal(`${moved.path} cannot be moved into itself.`);
    above = above.parentId === null ? undefined : folders.get(above.parentId)?.folder;
  }
  requireRoom(parent, levelsOf(moved.folder.id, folders));
}

/**
 * A change of a folder's audience also affects everything below it, so the caller must be an admin of all of it.
 * @throws {CallFailure} 9001 naming the fields that decide who sees the folder.
 */
function requireAdminOf(
  { folder, path, rights }: VisibleFolder,
  folders: ReadonlyMap<string, VisibleFolder>,
  fields: readonly string[],
  { store, caller }: SignedInContext,
): void {
  if (isAdministrator(caller)) return;
  const decides = `${fields.join(', ')} ${fields.length === 1 ? 'decides' : 'decide'} who sees ${path}`;
  const remedy = 'Undo that change, or ask an administrator';
  if (!rights.admin) {
    throw refusal(`${decides}, and you are not an admin of it. ${remedy} or a member with the role Admin.`);
  }
  if (contentOf(store, folder.id).folderIds.every((id) => folders.get(id)?.rights.admin)) return;
  throw refusal(`${decides} and the folders below it, and you are not an admin of all of those. ${remedy}.`);
}

/** Number of levels of a folder and its descendants. */
function levelsOf(id: string, folders: ReadonlyMap<string, VisibleFolder>): number {
  const below = [...folders.values()].filter(({ folder }) => folder.parentId === id);
  return 1 + Math.max(0, ...below.map(({ folder }) => levelsOf(folder.id, folders)));
}

/** @throws {CallFailure} 9001 when adding these levels below a folder exceeds the maximum depth. */
function requireRoom({ path, depth }: VisibleFolder, levels: number): void {
  if (depth + levels > mostLevels) throw refusal(`${path} is too deep: folders have at most ${mostLevels} levels.`);
}

/**
 * Groups that a sent folder is scoped to. @throws {CallFailure} 9001 for a group that does not exist: ignoring it could
 * open the folder to all.
 */
function sentGroups(sent: Folder, { store }: SignedInContext): string[] {
  return (sent.Permissions ?? []).map((permission) => {
    const type = permission.RelationshipType ?? permission.RelationType ?? relationTypes.folderToGroup;
    const groupId = sentId(permission.RightID) ?? '';
    if (type !== relationTypes.folderToGroup) throw refusal(`A folder permission of type ${type} is unknown.`);
    if (!findGroup(store, groupId)) throw refusal(`There is no group with the id ${groupId || '(none)'}.`);
    return groupId;
  });
}

/** @throws {CallFailure} 9001 when a caller who is not an administrator opens a folder to groups of others. */
function requireOwnGroups(groupIds: readonly string[], caller: Caller): void {
  if (isAdministrator(caller) || groupIds.every((id) => caller.groups.some(({ groupId }) => groupId === id))) return;
  throw refusal('You can open a folder only to groups that you are a member of.');
}

function recordOf(id: string, { store, caller }: SignedInContext): HandlerReply {
  const shown = visibleFolders(store, caller);
  if (shown.has(id)) return recordAmong(store, shown, id);
  // A caller who scopes a folder to groups of others no longer sees it, but gets the reply to the save.
  const all = visibleFolders(store, { ...caller, isSuperAdmin: true });
  const saved = all.get(id);
  if (saved) all.set(id, { ...saved, rights: { admin: false, view: false, modify: false, delete: false } });
  return recordAmong(store, all, id);
}

function recordAmong(store: Store, folders: ReadonlyMap<string, VisibleFolder>, id: string): HandlerReply {
  const saved = folders.get(id);
  if (!saved) return noContent;
  return folderRecord(
    saved,
    [...folders.values()].some(({ folder }) => folder.parentId === id),
    extraFieldsOf(store, 'folder', id),
  );
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.every((id) => other.includes(id)) && other.every((id) => one.includes(id));
}
