import type { RoomSchema } from '../store/migrations.ts';

/**
 * Tables of applications, registered servers and report types. Servers and report types are kept as the JSON documents
 * that came over the wire, so that fields this server does not know survive; a server's password never stands in there.
 */
export const catalogueSchema: RoomSchema = {
  room: 'catalogue',
  steps: [
    `
    CREATE TABLE application (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      description TEXT NOT NULL DEFAULT '',
      module_type TEXT NOT NULL,
      product_code TEXT NOT NULL,
      is_any_db INTEGER NOT NULL
    );
    CREATE TABLE registered_server (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      application_id INTEGER NOT NULL REFERENCES application (id) ON DELETE CASCADE,
      definition TEXT NOT NULL,
      sealed_password BLOB,
      revision INTEGER NOT NULL DEFAULT 1
    );
    CREATE INDEX registered_server_by_application ON registered_server (application_id);
    CREATE TABLE report_type (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      application_id INTEGER NOT NULL REFERENCES application (id) ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE,
      definition TEXT NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1,
      UNIQUE (application_id, name)
    );
    `,
  ],
};
