import { extraColumn } from '../store/extraFields.ts';
import type { RoomSchema } from '../store/migrations.ts';

/** Tables of data tags with their values, and of row-security policies with their assignments. */
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
