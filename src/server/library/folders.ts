import { flagOf, idOf, idOrNull, numberOf, textOf, rowById } from '../store/columns.ts';
import type { Row, Store } from '../store/store.ts';
import { publicLibraryId } from './librarySchema.ts';

/** The library that a folder belongs to. */
type FolderKind = 'public' | 'personal';

/** A folder to create. Without a parent, it is at the top of the Public Library or of its owner's personal library. */
interface NewFolder {
  name: string;
  parentId: string | null;
  kind: FolderKind;
  /** Owner of a personal folder; null for a public one. */
  ownerId: string | null;
  isHidden?: boolean;
  /** Whether a folder without groups of its own inherits its parent's. */
  inherits?: boolean;
}

/** A stored folder. Dates and times are UTC ISO 8601 text. */
export interface StoredFolder {
  id: string;
  name: string;
  /** Null for the root of a library. */
  parentId: string | null;
  kind: FolderKind;
  ownerId: string | null;
  isHidden: boolean;
  inherits: boolean;
  /** The folder's own groups, without inherited ones. */
  groupIds: readonly string[];
  /** Whether the folder was scoped to groups of its own. It then stays closed after the last of them is deleted. */
  isRestricted: boolean;
  created: string;
  modified: string;
  /** Incremented with every save. */
  revision: number;
}

const columns = `id, name, parent_id, kind, owner_id, is_hidden, inherits, is_restricted, created, modified, revision,
  (SELECT json_group_array(group_id) FROM folder_group WHERE folder_id = folder.id) AS group_ids`;

/** Creates a folder; returns its id. @throws Error when the parent or the owner does not exist. */
export function insertFolder(store: Store, folder: NewFolder, now = new Date()): string {
  return store.transaction(() => {
    const parentId = folder.parentId ?? rootOf(store, folder.kind, folder.ownerId);
    return insertRow(store, { ...folder, parentId }, now);
  });
}

/** Scopes a folder to a group: only members of its groups then see it. */
export function scopeFolder(store: Store, folderId: string, groupId: string): void {
  store.transaction(() => {
    store.run('INSERT OR IGNORE INTO folder_group (folder_id, group_id) VALUES (?, ?)', folderId, groupId);
    store.run('UPDATE folder SET is_restricted = 1 WHERE id = ?', folderId);
  });
}

/** Replaces the groups a folder is scoped to; an empty list opens it to everyone who may see its parent. */
export function setFolderScope(store: Store, folderId: string, groupIds: readonly string[]): void {
  store.transaction(() => {
    store.run('DELETE FROM folder_group WHERE folder_id = ?', folderId);
    store.run('UPDATE folder SET is_restricted = 0 WHERE id = ?', folderId);
    for (const groupId of groupIds) scopeFolder(store, folderId, groupId);
  });
}

/** Replaces a folder's name, location and flags and increments its revision. */
export function updateFolder(
  store: Store,
  folderId: string,
  folder: Pick<StoredFolder, 'name' | 'parentId' | 'isHidden' | 'inherits'>,
  now = new Date(),
): void {
  store.run(
    `UPDATE folder SET name = ?, parent_id = ?, is_hidden = ?, inherits = ?, modified = ?, revision = revision + 1
      WHERE id = ?`,
    folder.name,
    folder.parentId,
    Number(folder.isHidden),
    Number(folder.inherits),
    now.toISOString(),
    folderId,
  );
}

/** Deletes a folder with everything in it. */
export function deleteFolder(store: Store, folderId: string): void {
  store.run('DELETE FROM folder WHERE id = ?', folderId);
}

/** The folder with this id, or undefined. */
function findFolder(store: Store, folderId: string): StoredFolder | undefined {
  const row = rowById(store, `SELECT ${columns} FROM folder WHERE id = ?`, folderId);
  return row && readFolder(row);
}

/** A folder and its parents, starting at the root of its library; empty when the folder does not exist. */
export function lineOf(store: Store, folderId: string): StoredFolder[] {
  const folder = findFolder(store, folderId);
  if (!folder) return [];
  return folder.parentId === null ? [folder] : [...lineOf(store, folder.parentId), folder];
}

/** Direct subfolders of a folder, by name. */
export function listFoldersIn(store: Store, folderId: string): StoredFolder[] {
  const sql = `SELECT ${columns} FROM folder WHERE parent_id = ? ORDER BY name COLLATE NOCASE, id`;
  return store.all(sql, folderId).map(readFolder);
}

/** Every folder of every library, parents before their children. */
export function listFolders(store: Store): StoredFolder[] {
  const byParent = Map.groupBy(
    store.all(`SELECT ${columns} FROM folder ORDER BY name COLLATE NOCASE, id`).map(readFolder),
    (folder) => folder.parentId,
  );
  const ordered = [...(byParent.get(null) ?? [])];
  // The array grows during the loop: each folder's children are appended.
  for (const folder of ordered) ordered.push(...(byParent.get(folder.id) ?? []));
  return ordered;
}

/** Id of the root folder of a user's personal library, which the first call creates. */
export function personalLibraryOf(store: Store, userId: string, now = new Date()): string {
  const row = store.get(`SELECT id FROM folder WHERE owner_id = ? AND parent_id IS NULL`, userId);
  if (row) return idOf(row, 'id');
  return insertRow(store, { name: 'Personal Library', parentId: null, kind: 'personal', ownerId: userId }, now);
}

function rootOf(store: Store, kind: FolderKind, ownerId: string | null): string {
  if (kind === 'public') return publicLibraryId;
  if (ownerId === null) throw new Error('A personal folder needs an owner');
  return personalLibraryOf(store, ownerId);
}

function insertRow(store: Store, folder: NewFolder, now: Date): string {
  const moment = now.toISOString();
  const { lastId } = store.run(
    `INSERT INTO folder (name, parent_id, kind, owner_id, is_hidden, inherits, created, modified)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    folder.name,
    folder.parentId,
    folder.kind,
    folder.ownerId,
    Number(folder.isHidden ?? false),
    Number(folder.inherits ?? true),
    moment,
    moment,
  );
  return String(lastId);
}

function readFolder(row: Row): StoredFolder {
  const groupIds: unknown = JSON.parse(textOf(row, 'group_ids'));
  return {
    id: idOf(row, 'id'),
    name: textOf(row, 'name'),
    parentId: idOrNull(row, 'parent_id'),
    kind: textOf(row, 'kind') === 'personal' ? 'personal' : 'public',
    ownerId: idOrNull(row, 'owner_id'),
    isHidden: flagOf(row, 'is_hidden'),
    inherits: flagOf(row, 'inherits'),
    groupIds: Array.isArray(groupIds) ? groupIds.map(String) : [],
    isRestricted: flagOf(row, 'is_restricted'),
    created: textOf(row, 'created'),
    modified: textOf(row, 'modified'),
    revision: numberOf(row, 'revision'),
  };
}

/** A folder's subtree: its folders, itself included, and the number of reports and dashboards in them. */
export function contentOf(store: Store, folderId: string): { folderIds: string[]; itemCount: number } {
  const subtree = `WITH RECURSIVE below (id) AS (
    SELECT id FROM folder WHERE id = ?
    UNION SELECT folder.id FROM folder JOIN below ON folder.parent_id = below.id)`;
  const folderIds = store.all(`${subtree} SELECT id FROM below`, folderId).map((row) => idOf(row, 'id'));
  const items = store.get(
    `${subtree} SELECT count(*) AS count FROM item JOIN below ON item.folder_id = below.id`,
    folderId,
  );
  return { folderIds, itemCount: items ? numberOf(items, 'count') : 0 };
}
