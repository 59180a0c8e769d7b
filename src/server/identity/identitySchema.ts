import { extraColumn } from '../store/extraFields.ts';
import type { RoomSchema } from '../store/migrations.ts';

/** Id of the built-in super-admin `admin`. */
export const adminUserId = '1';
/** Id of the built-in account behind guest sessions. */
export const guestUserId = '2';
/** Id of the built-in group that contains every user. */
export const allUsersGroupId = '1';

const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** Tables of users, groups, roles, seats and sessions, with the built-in accounts and the All Users group. */
export const identitySchema: RoomSchema = {
  room: 'identity',
  steps: [
    `
    CREATE TABLE user (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      login_name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      password_hash TEXT,
      first_name TEXT NOT NULL DEFAULT '',
      last_name TEXT NOT NULL DEFAULT '',
      email TEXT NOT NULL DEFAULT '',
      company TEXT NOT NULL DEFAULT '',
      description TEXT NOT NULL DEFAULT '',
      tag1 TEXT NOT NULL DEFAULT '',
      tag2 TEXT NOT NULL DEFAULT '',
      tag3 TEXT NOT NULL DEFAULT '',
      tag4 TEXT NOT NULL DEFAULT '',
      two_factor TEXT NOT NULL DEFAULT 'none',
      is_admin INTEGER NOT NULL DEFAULT 0,
      is_super_admin INTEGER NOT NULL DEFAULT 0,
      must_change_password INTEGER NOT NULL DEFAULT 0,
      user_state INTEGER NOT NULL DEFAULT 0,
      timezone INTEGER NOT NULL DEFAULT 0,
      timezone_name TEXT NOT NULL DEFAULT '',
      is_fast_cache INTEGER NOT NULL DEFAULT 0,
      fast_cache_limit INTEGER NOT NULL DEFAULT 0,
      preferences TEXT NOT NULL DEFAULT '[]',
      created TEXT NOT NULL,
      modified TEXT NOT NULL,
      last_login TEXT,
      failed_logins INTEGER NOT NULL DEFAULT 0,
      locked TEXT,
      revision INTEGER NOT NULL DEFAULT 1
    );
    CREATE TABLE security_group (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      description TEXT NOT NULL DEFAULT '',
      created TEXT NOT NULL,
      modified TEXT NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1
    );
    CREATE TABLE membership (
      group_id INTEGER NOT NULL REFERENCES security_group (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      role_id INTEGER NOT NULL,
      PRIMARY KEY (group_id, user_id)
    ) WITHOUT ROWID;
    CREATE INDEX membership_of_user ON membership (user_id);
    CREATE TABLE application_role (
      user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      application_id INTEGER NOT NULL,
      role_id INTEGER NOT NULL,
      data_source_id TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (user_id, application_id, role_id)
    ) WITHOUT ROWID;
    CREATE INDEX application_role_by_application ON application_role (application_id);
    CREATE TABLE licensed_seats (application_id INTEGER PRIMARY KEY, quantity INTEGER NOT NULL);
    CREATE TABLE session (
      token_hash TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      is_guest INTEGER NOT NULL,
      expires INTEGER NOT NULL,
      passport TEXT NOT NULL
    ) WITHOUT ROWID;
    INSERT INTO user (id, login_name, last_name, is_admin, is_super_admin, created, modified)
      VALUES (${adminUserId}, 'admin', 'Administrator', 1, 1, ${now}, ${now});
    INSERT INTO user (id, login_name, last_name, created, modified)
      VALUES (${guestUserId}, 'guest', 'Guest', ${now}, ${now});
    INSERT INTO security_group (id, name, description, created, modified)
      VALUES (${allUsersGroupId}, 'All Users', 'Everyone on this server', ${now}, ${now});
    INSERT INTO membership (group_id, user_id, role_id)
      VALUES (${allUsersGroupId}, ${adminUserId}, 1), (${allUsersGroupId}, ${guestUserId}, 2);
    `,
    extraColumn('user') + extraColumn('security_group'),
    // It is unknown who set the existing names, addresses and companies.
    `
    ALTER TABLE user ADD COLUMN field_origins TEXT NOT NULL DEFAULT '{}';
    UPDATE user SET field_origins =
      '{"firstname":"unknown","lastname":"unknown","email":"unknown","company":"unknown"}'
      WHERE id NOT IN (${adminUserId}, ${guestUserId});
    `,
  ],
};
