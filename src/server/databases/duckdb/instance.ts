import { open, realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DatabaseError, type ReadableFiles } from '../database.ts';

/** Megabytes of memory that the queries on one database take together; what needs more is put on disk or refused. */
export const memoryLimit = 400;

/**
 * What every instance is opened with. Compressed materialization is off because DuckDB 1.5.5 then plans some grouped
 * reports wrongly (a formula in TRY over an outer join with an empty table: "Failed to bind column reference"). Late
 * materialization is off because it reads a table with a large LIMIT, which every report has, twice: it joins the table
 * with its own row numbers and sorts all of it before the first row comes. One processor is left to who answers calls: they
 * would wait for DuckDB's threads otherwise, and rows, which one reader takes, come no sooner from more of them. What DuckDB
 * lacks is not fetched from the network, nor taken from where another program has put it.
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
 * DuckDB would open files of other databases, too, by programs that it fetches for them. Then the same rows could be reached
 * through two platforms, and a policy for an application on one of them would not be found to hold on the other.
 * @throws {DatabaseError} of kind `unreachable` when there is no file that DuckDB has written.
 */
export async function requireDuckdbFile(file: string, name: string): Promise<void> {
  if ((await readMark(file).catch(() => '')) !== 'DUCK') throw cannotOpen(name);
}

/** What stands where every file of DuckDB has its mark, behind a checksum. */
async function readMark(file: string): Promise<string> {
  const handle = await open(file);
  try {
    return (await handle.read(Buffer.alloc(4), 0, 4, 8)).buffer.toString('latin1');
  } finally {
    await handle.close();
  }
}

function cannotOpen(name: string): DatabaseError {
  const problem = 'its database file cannot be opened; is it in use, or no DuckDB file?';
  return new DatabaseError('unreachable', `${name}: ${problem}`);
}

/** Opens a file, read-only, or an empty database in memory. @throws {DatabaseError} of kind `unreachable`. */
export async function openInstance(
  file: string,
  isFile: boolean,
  name: string,
  files: ReadableFiles,
): Promise<DuckDBInstance> {
  try {
    // In a path that is whole, nothing names another database to DuckDB. The system follows links before "..", as it does
    // where the file is looked at: what was looked at is what is opened.
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
 * Leaves nothing within reach but the database file and the files that its own views read and that any report may read, and
 * no statement that could change that.
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
