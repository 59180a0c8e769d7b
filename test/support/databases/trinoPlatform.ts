import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { DatabaseServer } from './serverProcess.ts';
import type { SharedTrino } from './trinoSetup.ts';
import { askTrino } from './trinoServer.ts';

/** The Trino that all files of a tier share; undefined where it is not to be had. @throws Error when it does not start. */
export async function sharedTrino(): Promise<SharedTrino | undefined> {
  const reply = await fetch(inject('sharedTrino'));
  const text = await reply.text();
  if (!reply.ok) throw new Error(text);
  return (JSON.parse(text) as SharedTrino | null) ?? undefined;
}

/** A schema of its own in a catalog of the shared Trino, without a password. @returns undefined where Trino is not to be had. */
export async function trinoSchema(catalog = 'memory'): Promise<DatabaseServer | undefined> {
  const shared = await sharedTrino();
  if (!shared) return undefined;
  const schema = `shop_${randomUUID().replaceAll('-', '')}`;
  await askTrino(shared.port, `CREATE SCHEMA ${catalog}.${schema}`);
  // A login of its own tells its queries from those of other files.
  const place = { host: '127.0.0.1', port: shared.port, login: schema, password: '' };
  // Its tables go with the shared server.
  return { ...place, database: `${catalog}.${schema}`, stop: () => Promise.resolve() };
}

/** Runs statements in the schema of a server, one by one. */
export async function runOnTrino({ port, database }: DatabaseServer, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    const [found, table = '', values = ''] = /^INSERT INTO (\w+)\s+VALUES\s+([^]*)$/.exec(statement) ?? [];
    await askTrino(port, found === undefined ? statement : await typedInsert(port, database, table, values), database);
  }
}

/** Texts do not become dates by themselves, nor fractions decimals: every value is cast to the type of its column. */
async function typedInsert(port: number, database: string, table: string, values: string): Promise<string> {
  const columns = await askTrino(port, `DESCRIBE ${table}`, database);
  const casts = columns.map(([, type], index) => `CAST(v${index} AS ${String(type)})`);
  const names = columns.map((_, index) => `v${index}`);
  return `INSERT INTO ${table} SELECT ${casts.join(', ')} FROM (VALUES ${values}) AS given (${names.join(', ')})`;
}
