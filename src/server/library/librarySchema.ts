import { extraColumn } from '../store/extraFields.ts';
import type { RoomSchema } from '../store/migrations.ts';

/** Id of the root folder of the Public Library. */
export const publicLibraryId = '1';

/** Tables of folders and their scopes, reports and dashboards, and favourites. */
export const librarySchema: RoomSchema = {
  room: 'library',
  steps: [
    `
    CREATE TABLE folder (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      parent_id INTEGER REFERENCES folder (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('public', 'personal')),
      owner_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
      is_hidden INTEGER NOT NULL DEFAULT 0,
      inherits INTEGER NOT NULL DEFAULT 1,
      is_restricted INTEGER NOT NULL DEFAULT 0,
      created TEXT NOT NULL,
      modified TEXT NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1,
      CHECK ((kind = 'personal') = (owner_id IS NOT NULL))
    );
    CREATE INDEX folder_by_parent ON folder (parent_id);
    CREATE TABLE folder_group (
      folder_id INTEGER NOT NULL REFERENCES folder (id) ON DELETE CASCADE,
      group_id INTEGER NOT NULL REFERENCES security_group (id) ON DELETE CASCADE,
      PRIMARY KEY (folder_id, group_id)
    ) WITHOUT ROWID;
    CREATE TABLE item (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('report', 'dashboard')),
      name TEXT NOT NULL,
      description TEXT NOT NULL DEFAULT '',
      folder_id INTEGER NOT NULL REFERENCES folder (id) ON DELETE CASCADE,
      application_id INTEGER,
      definition TEXT NOT NULL DEFAULT '{}',
      created TEXT NOT NULL,
      created_by INTEGER REFERENCES user (id) ON DELETE SET NULL,
      modified TEXT NOT NULL,
      modified_by INTEGER REFERENCES user (id) ON DELETE SET NULL,
      revision INTEGER NOT NULL DEFAULT 1,
      CHECK ((kind = 'report') = (application_id IS NOT NULL))
    );
    CREATE INDEX item_by_folder ON item (folder_id);
    CREATE TABLE dashboard_report (
      dashboard_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
      report_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      PRIMARY KEY (dashboard_id, report_id)
    ) WITHOUT ROWID;
    CREATE TABLE favourite (
      user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
      PRIMARY KEY (user_id, item_id)
    ) WITHOUT ROWID;
    INSERT INTO folder (id, name, kind, created, modified) VALUES (${publicLibraryId}, 'Public Library', 'public',
      strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
    `,
    extraColumn('folder'),
  ],
};
