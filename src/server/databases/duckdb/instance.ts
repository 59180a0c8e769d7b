import { open, realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DatabaseError, type ReadableFiles } from '../database.ts';

/** Memory limit in megabytes for all queries on one database; queries that need more use the disk or fail. */
export const memoryLimit = 400;

/**
 * Settings of every instance. Compressed materialization is off because DuckDB 1.5.5 then plans some grouped reports
 * wrongly (a formula in TRY over an outer join with an empty table: "Failed to bind column reference"). Late
 * materialization is off because it reads a table with a large LIMIT, which every report has, twice: it joins the table
 * with its own row numbers and sorts all of it before the first row arrives. One processor is reserved for the thread
 * that handles calls, which would otherwise wait for DuckDB's threads; more of them do not deliver rows faster to their
 * single reader. Missing extensions are neither downloaded nor loaded from where another program has installed them.
 */
export const duckdbSettings = {
  disabled_optimizers: 'compressed_materialization,late_materialization',
  threads: String(Math.max(1, availableParallelism() - 1)),
  memory_limit: `${memoryLimit}MB`,
  max_temp_directory_size: '2GB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/**
 * Requires a file in DuckDB's format. DuckDB would also open files of other databases, with extensions that it
 * downloads. Then the same rows could be reached through two platforms, and a policy for an application on one platform
 * would not be applied on the other.
 * @throws {DatabaseError} of kind `unreachable` when the file does not exist or was not written by DuckDB.
 */
export async function requireDuckdbFile(file: string, name: string): Promise<void> {
  if ((await readMark(file).catch(() => '')) !== 'DUCK') throw cannotOpen(name);
}

/** The bytes at the position of DuckDB's magic number, which follows a checksum. */
async function readMark(file: string): Promise<string> {
  const handle = await open(file);
  try {
    return (await handle.read(Buffer.alloc(4), 0, 4, 8)).buffer.toString('latin1');
  } finally {
    await handle.close();
  }
}

function cannotOpen(name: string): DatabaseError {
  const problem = 'its database file cannot be opened; it may be in use, or is not a DuckDB file';
  return new DatabaseError('unreachable', `${name}: ${problem}`);
}

/** Opens a file, read-only, or an empty in-memory database. @throws {DatabaseError} of kind `unreachable`. */
export async function openInstance(
  file: string,
  isFile: boolean,
  name: string,
  files: ReadableFiles,
): Promise<DuckDBInstance> {
  try {
    // No part of an absolute path names another database to DuckDB. Links are resolved before "..", as in the file
    // check, so that the opened file is the checked one.
    const instance = await DuckDBInstance.create(isFile ? await realpath(file) : file, {
      ...duckdbSettings,
      ...(isFile && { access_mode: 'READ_ONLY' }),
    });
    const connection = await instance.connect();
    await lockDown(connection, files);
    connection.closeSync();
    return instance;
  } catch {
    throw cannotOpen(name);
  }
}

/**
 * Restricts access to the database file and to the files that its own views read and that any report may read, and
 * blocks statements that could change that.
 */
async function lockDown(connection: DuckDBConnection, readable: ReadableFiles): Promise<void> {
  const views = await connection.runAndReadAll('SELECT sql FROM duckdb_views() WHERE NOT internal');
  const files = views
    .getRows()
    .flatMap(([sql]) => [...String(sql).matchAll(/\bread_\w+\('((?:[^']|'')*)'/g)].map(([, path = '']) => path));
  const allowed = [...new Set(files)].filter((path) => readable.find(path.replaceAll("''", "'")) !== undefined);
  const paths = allowed.map((path) => `'${path}'`).join(', ');
  await connection.run(`
    SET GLOBAL allowed_paths = [${paths}];
    SET GLOBAL enable_external_access = false;
    SET GLOBAL TimeZone = 'UTC';
    SET GLOBAL lock_configuration = true`);
}
