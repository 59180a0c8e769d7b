import { idOf, numberOf, textOf, rowById } from '../store/columns.ts';
import type { Row, Store } from '../store/store.ts';

export { allUsersGroupId } from './identitySchema.ts';

/** A security group to create. */
export interface NewGroup {
  name: string;
  description?: string;
}

/** A stored group. Dates and times are UTC ISO 8601 text. */
export interface StoredGroup {
  id: string;
  name: string;
  description: string;
  created: string;
  modified: string;
  /** Incremented with every save. */
  revision: number;
}

/** A user's membership of a group with one of the roles 0 to 4. */
export interface Membership {
  groupId: string;
  userId: string;
  roleId: string;
}

const columns = 'id, name, description, created, modified, revision';

/** Creates a group; returns its id. @throws Error when the name is taken. */
export function insertGroup(store: Store, group: NewGroup, now = new Date()): string {
  const moment = now.toISOString();
  const sql = 'INSERT INTO security_group (name, description, created, modified) VALUES (?, ?, ?, ?)';
  return String(store.run(sql, group.name, group.description ?? '', moment, moment).lastId);
}

/** Replaces name and description of a group and increments its revision. */
export function updateGroup(store: Store, groupId: string, group: NewGroup, now = new Date()): void {
  store.run(
    'UPDATE security_group SET name = ?, description = ?, modified = ?, revision = revision + 1 WHERE id = ?',
    group.name,
    group.description ?? '',
    now.toISOString(),
    groupId,
  );
}

/** Deletes a group with its memberships, tag values, policy assignments and folder scopes. */
export function deleteGroup(store: Store, groupId: string): void {
  store.run('DELETE FROM security_group WHERE id = ?', groupId);
}

/** The group with this id, or undefined. */
export function findGroup(store: Store, groupId: string): StoredGroup | undefined {
  const row = rowById(store, `SELECT ${columns} FROM security_group WHERE id = ?`, groupId);
  return row && readGroup(row);
}

/** The group with this name, ignoring case, or undefined. */
export function findGroupByName(store: Store, name: string): StoredGroup | undefined {
  const row = store.get(`SELECT ${columns} FROM security_group WHERE name = ?`, name);
  return row && readGroup(row);
}

/** Every group, All Users first, then by name. */
export function listGroups(store: Store): StoredGroup[] {
  return store.all(`SELECT ${columns} FROM security_group ORDER BY id <> 1, name`).map(readGroup);
}

/** Adds a user to a group with one of the roles 0 to 4, or changes a member's role. */
export function addMember(store: Store, groupId: string, userId: string, roleId: string): void {
  store.run(
    `INSERT INTO membership (group_id, user_id, role_id) VALUES (?, ?, ?)
      ON CONFLICT (group_id, user_id) DO UPDATE SET role_id = excluded.role_id`,
    groupId,
    userId,
    roleId,
  );
}

/** Removes a membership; returns whether it existed. */
export function removeMember(store: Store, groupId: string, userId: string): boolean {
  return store.run('DELETE FROM membership WHERE group_id = ? AND user_id = ?', groupId, userId).changes > 0;
}

/** Memberships of one user, All Users included. */
export function membershipsOf(store: Store, userId: string): Membership[] {
  return store
    .all('SELECT group_id, user_id, role_id FROM membership WHERE user_id = ? ORDER BY group_id', userId)
    .map(readMembership);
}

/** Memberships of one group, by user. */
export function membershipsIn(store: Store, groupId: string): Membership[] {
  return store
    .all('SELECT group_id, user_id, role_id FROM membership WHERE group_id = ? ORDER BY user_id', groupId)
    .map(readMembership);
}

/** Every membership. */
export function listMemberships(store: Store): Membership[] {
  return store.all('SELECT group_id, user_id, role_id FROM membership ORDER BY group_id, user_id').map(readMembership);
}

function readMembership(row: Row): Membership {
  return { groupId: idOf(row, 'group_id'), userId: idOf(row, 'user_id'), roleId: idOf(row, 'role_id') };
}

function readGroup(row: Row): StoredGroup {
  return {
    id: idOf(row, 'id'),
    name: textOf(row, 'name'),
    description: textOf(row, 'description'),
    created: textOf(row, 'created'),
    modified: textOf(row, 'modified'),
    revision: numberOf(row, 'revision'),
  };
}
