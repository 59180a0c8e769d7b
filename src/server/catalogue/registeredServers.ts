import * as z from 'zod';
import {
  registeredServer as registeredServerSchema,
  productKey,
  type RegisteredServer,
} from '../../contract/resources/application.ts';
import { zoneOfServer } from '../../contract/zones/zoneNames.ts';
import { idOf, jsonOf, numberOf, rowById } from '../store/columns.ts';
import type { Row, Store } from '../store/store.ts';
import { type SecretBox, secretNames } from './secretBox.ts';

/** Database platforms that reports can run on, as named in `DatabasePlatform`. */
export const platforms = ['duckdb', 'sqlite', 'postgresql', 'mysql', 'mssql', 'oracle', 'clickhouse', 'trino'] as const;

export type Platform = (typeof platforms)[number];

const otherPlatformNames: Readonly<Record<string, Platform>> = {
  postgres: 'postgresql',
  mariadb: 'mysql',
  sqlserver: 'mssql',
  'sql server': 'mssql',
};

/** Connection data of a registered server's database; its password is read with {@link databasePassword}. */
export interface ServerModel {
  id: string;
  /** Application that the server belongs to. */
  moduleId: string;
  displayName: string;
  platform: Platform;
  /** Host, with `:port` unless it is the platform's default. */
  host: string;
  /** Database name; for DuckDB and SQLite the file's path. */
  database: string;
  login: string;
  /** Default schema of tables without an owner; empty for the connection's default. */
  owner: string;
  /** Seconds. */
  commandTimeout: number;
  /** Seconds. */
  connectionTimeout: number;
  /** Zone of the dates and times stored in the database, as zoneOfServer names it. */
  zone: string;
  allowDirectSql: boolean;
  /** Further driver settings, as entered when the server was registered. */
  params: string;
}

/** A stored registered server. */
export interface StoredServer {
  id: string;
  applicationId: string;
  /** As received, without ids, product object, password and error fields. */
  definition: RegisteredServer;
  /** Incremented with every save. */
  revision: number;
}

const columns = 'id, application_id, definition, revision';

/** Registers a server for an application; returns its id. @throws ZodError when the platform is unknown. */
export function insertRegisteredServer(store: Store, applicationId: string, definition: RegisteredServer): string {
  const stored = storable(definition);
  const sql = 'INSERT INTO registered_server (application_id, definition) VALUES (?, ?)';
  return String(store.run(sql, applicationId, JSON.stringify(stored)).lastId);
}

/** Replaces a server's definition, but not its password, and increments its revision. */
export function updateRegisteredServer(
  store: Store,
  serverId: string,
  applicationId: string,
  definition: RegisteredServer,
): void {
  store.run(
    'UPDATE registered_server SET application_id = ?, definition = ?, revision = revision + 1 WHERE id = ?',
    applicationId,
    JSON.stringify(storable(definition)),
    serverId,
  );
}

/** Encrypts and stores the password of a server's database login. */
export function setDatabasePassword(store: Store, serverId: string, password: string, secrets: SecretBox): void {
  const sealed = secrets.seal(secretNames.server(serverId), password);
  store.run('UPDATE registered_server SET sealed_password = ? WHERE id = ?', sealed, serverId);
}

/** The password of a server's database login; empty when none was set. @throws Error when it cannot be decrypted. */
export function databasePassword(store: Store, serverId: string, secrets: SecretBox): string {
  const sealed = store.get('SELECT sealed_password FROM registered_server WHERE id = ?', serverId)?.sealed_password;
  return sealed instanceof Uint8Array ? secrets.open(secretNames.server(serverId), sealed) : '';
}

/** The registered server with this id, or undefined. Does not check the caller's access. */
export function findRegisteredServer(store: Store, serverId: string): StoredServer | undefined {
  const row = rowById(store, `SELECT ${columns} FROM registered_server WHERE id = ?`, serverId);
  return row && readServer(row);
}

/** The servers of an application, oldest first. */
export function serversOf(store: Store, applicationId: string): StoredServer[] {
  const sql = `SELECT ${columns} FROM registered_server WHERE application_id = ? ORDER BY id`;
  return store.all(sql, applicationId).map(readServer);
}

/** Id of the application that a server belongs to, or undefined. */
export function applicationOfServer(store: Store, serverId: string): string | undefined {
  return findRegisteredServer(store, serverId)?.applicationId;
}

/** Connection data of the server with this id, or undefined. Does not check the caller's access. */
export function registeredServer(store: Store, serverId: string): ServerModel | undefined {
  const server = findRegisteredServer(store, serverId);
  return server && serverModel(server);
}

const platform = z.preprocess((value) => {
  const name = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return typeof name === 'string' ? (otherPlatformNames[name] ?? name) : name;
}, z.enum(platforms));

/** Whether `name`, in any spelling, is a platform that reports can run on. */
export function isKnownPlatform(name: unknown): boolean {
  return platform.safeParse(name).success;
}

/** Reads the connection data from a server's wire form. @throws ZodError when the platform is unknown. */
export function serverModel({ id, applicationId, definition }: Omit<StoredServer, 'revision'>): ServerModel {
  return {
    id,
    moduleId: applicationId,
    displayName: definition.DisplayName || definition.DatabaseName || '',
    platform: platform.parse(definition.DatabasePlatform),
    host: definition.DatabaseServer ?? '',
    database: definition.DatabaseName ?? '',
    login: definition.DatabaseLogin ?? '',
    owner: definition.DatabaseOwner ?? '',
    commandTimeout: definition.CommandTimeout || 30,
    connectionTimeout: definition.ConnectionTimeout || 10,
    zone: zoneOfServer(definition),
    allowDirectSql: Boolean(definition.allowdirectsql),
    params: definition.additionalparams ?? '',
  };
}

function storable(definition: RegisteredServer): RegisteredServer {
  platform.parse(definition.DatabasePlatform);
  const own = new Set([
    'ID',
    'ModuleType',
    'DatabasePassword',
    'ErrorCode',
    'ErrorMessage',
    'Revision',
    productKey(definition),
  ]);
  return Object.fromEntries(Object.entries(definition).filter(([key]) => !own.has(key)));
}

function readServer(row: Row): StoredServer {
  return {
    id: idOf(row, 'id'),
    applicationId: idOf(row, 'application_id'),
    definition: registeredServerSchema.parse(jsonOf(row, 'definition')),
    revision: numberOf(row, 'revision'),
  };
}
