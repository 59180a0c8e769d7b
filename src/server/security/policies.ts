import * as z from 'zod';
import { isProfilePlaceholder, type ProfilePlaceholder } from '../../contract/placeholders.ts';
import type { Caller } from '../calls/caller.ts';
import { flagOf, idOf, idOrNull, jsonOf, numberOf, textOf, rowById } from '../store/columns.ts';
import type { Row, Store } from '../store/store.ts';
import { labelsOf, policyConstraint, type PolicyConstraint } from './policyConstraint.ts';
import { extraColumn } from '../store/extraFields.ts';
import type { RoomSchema } from '../store/migrations.ts';

/** Tables of data tags and their values, and of row-security policies and their assignments. */
export const securitySchema: RoomSchema = {
  room: 'security',
  steps: [
    `
    CREATE TABLE data_tag (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      label TEXT NOT NULL UNIQUE COLLATE NOCASE,
      default_value TEXT NOT NULL DEFAULT '',
      data_type INTEGER NOT NULL DEFAULT 1,
      is_group INTEGER NOT NULL DEFAULT 0,
      is_user INTEGER NOT NULL DEFAULT 1,
      is_active INTEGER NOT NULL DEFAULT 1,
      tag_group TEXT NOT NULL DEFAULT '',
      position INTEGER NOT NULL DEFAULT 0,
      created TEXT NOT NULL,
      modified TEXT NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1
    );
    CREATE TABLE data_tag_group (
      tag_id INTEGER NOT NULL REFERENCES data_tag (id) ON DELETE CASCADE,
      group_id INTEGER NOT NULL REFERENCES security_group (id) ON DELETE CASCADE,
      value TEXT NOT NULL,
      PRIMARY KEY (tag_id, group_id)
    ) WITHOUT ROWID;
    CREATE TABLE data_tag_user (
      tag_id INTEGER NOT NULL REFERENCES data_tag (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      value TEXT NOT NULL,
      PRIMARY KEY (tag_id, user_id)
    ) WITHOUT ROWID;
    CREATE TABLE policy (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      description TEXT NOT NULL DEFAULT '',
      is_active INTEGER NOT NULL DEFAULT 0,
      constraints TEXT NOT NULL DEFAULT '[]',
      created TEXT NOT NULL,
      created_by INTEGER REFERENCES user (id) ON DELETE SET NULL,
      modified TEXT NOT NULL,
      modified_by INTEGER REFERENCES user (id) ON DELETE SET NULL,
      revision INTEGER NOT NULL DEFAULT 1
    );
    CREATE TABLE policy_group (
      policy_id INTEGER NOT NULL REFERENCES policy (id) ON DELETE CASCADE,
      group_id INTEGER NOT NULL REFERENCES security_group (id) ON DELETE CASCADE,
      PRIMARY KEY (policy_id, group_id)
    ) WITHOUT ROWID;
    CREATE TABLE policy_user (
      policy_id INTEGER NOT NULL REFERENCES policy (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      PRIMARY KEY (policy_id, user_id)
    ) WITHOUT ROWID;
    `,
    extraColumn('data_tag') + extraColumn('data_tag_group') + extraColumn('data_tag_user') + extraColumn('policy'),
  ],
};

/** Stored fields of a policy that a save may set. API description, Shield policy. */
export interface PolicyProfile {
  name: string;
  description: string;
  isActive: boolean;
  constraints: readonly PolicyConstraint[];
  groupIds: readonly string[];
  userIds: readonly string[];
}

/** A stored policy. Dates and times are UTC ISO 8601 text. */
export interface StoredPolicy extends PolicyProfile {
  id: string;
  created: string;
  createdBy: string | null;
  modified: string;
  modifiedBy: string | null;
  /** Incremented with every save. */
  revision: number;
}

/** A policy to create; `authorId` is the user who creates it. */
type NewPolicy = PolicyProfile & { authorId?: string };

const columns = `id, name, description, is_active, constraints, created, created_by, modified, modified_by, revision`;
const storedConstraints = z.array(policyConstraint);

/** Creates a policy with its constraints and assignments; returns its id. Unknown groups and users are ignored. */
export function insertPolicy(store: Store, policy: NewPolicy, now = new Date()): string {
  const moment = now.toISOString();
  const author = policy.authorId ?? null;
  return store.transaction(() => {
    const sql = `INSERT INTO policy (name, created, created_by, modified, modified_by) VALUES (?, ?, ?, ?, ?)`;
    const id = String(store.run(sql, policy.name, moment, author, moment, author).lastId);
    writePolicy(store, id, policy);
    return id;
  });
}

/** Replaces a policy with its constraints and assignments and increments its revision. */
export function updatePolicy(
  store: Store,
  policyId: string,
  policy: PolicyProfile,
  authorId: string,
  now = new Date(),
): void {
  store.transaction(() => {
    writePolicy(store, policyId, policy);
    touch(store, policyId, authorId, now);
  });
}

/** Deletes a policy; the rows it hid become visible. */
export function deletePolicy(store: Store, policyId: string): void {
  store.run('DELETE FROM policy WHERE id = ?', policyId);
}

/** Whether a policy restricts the members of a group. */
interface PolicyAssignment {
  policyId: string;
  groupId: string;
  isAssigned: boolean;
}

/** Assigns a policy to a group or removes the assignment; unknown groups are ignored. */
export function setPolicyOfGroup(
  store: Store,
  { policyId, groupId, isAssigned }: PolicyAssignment,
  authorId: string,
  now: Date,
): void {
  store.transaction(() => {
    if (isAssigned) insertGroup(store, policyId, groupId);
    else store.run('DELETE FROM policy_group WHERE policy_id = ? AND group_id = ?', policyId, groupId);
    touch(store, policyId, authorId, now);
  });
}

/** The policy with this id, or undefined. */
export function findPolicy(store: Store, policyId: string): StoredPolicy | undefined {
  const row = rowById(store, `SELECT ${columns} FROM policy WHERE id = ?`, policyId);
  return row && readPolicy(store, row);
}

/** Every policy, by name. */
export function listPolicies(store: Store): StoredPolicy[] {
  return store.all(`SELECT ${columns} FROM policy ORDER BY name, id`).map((row) => readPolicy(store, row));
}

/**
 * The active policies that restrict the caller, who may be an administrator: those assigned to the user or to one of
 * the caller's groups. Several combine with AND.
 * @throws ZodError when a stored constraint cannot be read; no rows may then be shown.
 */
export function activePoliciesFor(store: Store, caller: Caller): StoredPolicy[] {
  const groupIds = JSON.stringify(caller.groups.map((group) => Number(group.groupId)));
  const rows = store.all(
    `SELECT ${columns} FROM policy WHERE is_active = 1 AND (
      id IN (SELECT policy_id FROM policy_user WHERE user_id = ?)
      OR id IN (SELECT policy_id FROM policy_group WHERE group_id IN (SELECT value FROM json_each(?))))
    ORDER BY id`,
    caller.userId,
    groupIds,
  );
  return rows.map((row) => readPolicy(store, row));
}

/** The profile fields that policies compare with; users may not change these themselves. */
export function profileFieldsInPolicies(store: Store): ReadonlySet<ProfilePlaceholder> {
  return new Set(
    listPolicies(store)
      .flatMap(({ constraints }) => constraints.flatMap(labelsOf))
      .filter(isProfilePlaceholder),
  );
}

/** Applications named by policies: their constraints apply to the databases of the applications' servers. */
export function applicationsInPolicies(store: Store): ReadonlySet<string> {
  return new Set(listPolicies(store).flatMap(({ constraints }) => constraints.map(({ ModuleID }) => ModuleID)));
}

function touch(store: Store, policyId: string, authorId: string, now: Date): void {
  store.run(
    'UPDATE policy SET modified = ?, modified_by = ?, revision = revision + 1 WHERE id = ?',
    now.toISOString(),
    authorId,
    policyId,
  );
}

function insertGroup(store: Store, policyId: string, groupId: string): void {
  const sql = 'INSERT OR IGNORE INTO policy_group (policy_id, group_id) SELECT ?, id FROM security_group WHERE id = ?';
  store.run(sql, policyId, groupId);
}

function writePolicy(store: Store, policyId: string, policy: PolicyProfile): void {
  store.run(
    'UPDATE policy SET name = ?, description = ?, is_active = ?, constraints = ? WHERE id = ?',
    policy.name,
    policy.description,
    Number(policy.isActive),
    JSON.stringify(policy.constraints),
    policyId,
  );
  store.run('DELETE FROM policy_group WHERE policy_id = ?', policyId);
  store.run('DELETE FROM policy_user WHERE policy_id = ?', policyId);
  for (const groupId of policy.groupIds) insertGroup(store, policyId, groupId);
  const insertUser = 'INSERT OR IGNORE INTO policy_user (policy_id, user_id) SELECT ?, id FROM user WHERE id = ?';
  for (const userId of policy.userIds) store.run(insertUser, policyId, userId);
}

function readPolicy(store: Store, row: Row): StoredPolicy {
  const id = idOf(row, 'id');
  const groups = store.all('SELECT group_id FROM policy_group WHERE policy_id = ? ORDER BY group_id', id);
  const users = store.all('SELECT user_id FROM policy_user WHERE policy_id = ? ORDER BY user_id', id);
  return {
    id,
    name: textOf(row, 'name'),
    description: textOf(row, 'description'),
    isActive: flagOf(row, 'is_active'),
    constraints: storedConstraints.parse(jsonOf(row, 'constraints')),
    groupIds: groups.map((group) => idOf(group, 'group_id')),
    userIds: users.map((user) => idOf(user, 'user_id')),
    created: textOf(row, 'created'),
    createdBy: idOrNull(row, 'created_by'),
    modified: textOf(row, 'modified'),
    modifiedBy: idOrNull(row, 'modified_by'),
    revision: numberOf(row, 'revision'),
  };
}
