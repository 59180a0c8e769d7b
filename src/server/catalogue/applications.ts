import type { Caller } from '../calls/caller.ts';
import { mayUseApplication } from '../identity/applicationRoles.ts';
import { flagOf, idOf, textOf, rowById } from '../store/columns.ts';
import type { Row, Store } from '../store/store.ts';
import type { RoomSchema } from '../store/migrations.ts';

/**
 * Tables of applications, registered servers and report types. Servers and report types are stored as the JSON
 * documents that were received, so that unknown fields survive; the documents never contain a server's password.
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

/** Module type and product code of applications over any database. */
export const anyDbModuleType = 'ANYDB';

/** An application to create: a set of report types over its registered servers. */
interface NewApplication {
  name: string;
  description?: string;
  /** Whether its report types are defined in App Builder. Default true. */
  isAnyDb?: boolean;
}

/** A stored application. Its id is the ModuleID of the API description. */
export interface StoredApplication {
  id: string;
  name: string;
  description: string;
  moduleType: string;
  productCode: string;
  isAnyDb: boolean;
}

const columns = 'id, name, description, module_type, product_code, is_any_db';

/**
 * Creates an application that only super-admins see until roles on it are assigned; returns its id. @throws Error when
 * the name is taken.
 */
export function insertApplication(store: Store, application: NewApplication): string {
  const { lastId } = store.run(
    'INSERT INTO application (name, description, module_type, product_code, is_any_db) VALUES (?, ?, ?, ?, ?)',
    application.name,
    application.description ?? '',
    anyDbModuleType,
    anyDbModuleType,
    Number(application.isAnyDb ?? true),
  );
  return String(lastId);
}

/** Marks an application as one whose report types are defined in App Builder. */
export function markAsAnyDb(store: Store, applicationId: string): void {
  store.run('UPDATE application SET is_any_db = 1 WHERE id = ?', applicationId);
}

/** The application with this id, or undefined. Does not check the caller's access. */
export function findApplication(store: Store, applicationId: string): StoredApplication | undefined {
  const row = rowById(store, `SELECT ${columns} FROM application WHERE id = ?`, applicationId);
  return row && readApplication(row);
}

/** The application with this name, ignoring case, or undefined. Does not check the caller's access. */
export function findApplicationByName(store: Store, name: string): StoredApplication | undefined {
  const row = store.get(`SELECT ${columns} FROM application WHERE name = ?`, name);
  return row && readApplication(row);
}

/** Every application, by name. */
export function listApplications(store: Store): StoredApplication[] {
  return store.all(`SELECT ${columns} FROM application ORDER BY name`).map(readApplication);
}

/** Names of all applications by id. */
export function applicationNames(store: Store): ReadonlyMap<string, string> {
  return new Map(listApplications(store).map(({ id, name }) => [id, name]));
}

/**
 * The applications visible to the caller: all for super-admins, otherwise those with one of `roleIds` (any role if
 * omitted). API description, Authentication.
 */
export function visibleApplications(store: Store, caller: Caller, roleIds?: readonly string[]): StoredApplication[] {
  return listApplications(store).filter((application) => mayUseApplication(caller, application.id, roleIds));
}

function readApplication(row: Row): StoredApplication {
  return {
    id: idOf(row, 'id'),
    name: textOf(row, 'name'),
    description: textOf(row, 'description'),
    moduleType: textOf(row, 'module_type'),
    productCode: textOf(row, 'product_code'),
    isAnyDb: flagOf(row, 'is_any_db'),
  };
}
