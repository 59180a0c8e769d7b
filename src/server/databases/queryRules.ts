import * as z from 'zod';
import {
  type Database,
  DatabaseError,
  longestBatch,
  type JsonRows,
  type QueryOptions,
  type RowQuery,
} from './database.ts';

/** Maximum rows of one batch. Small batches keep other calls fast. */
export const rowsPerBatch = 200;

/**
 * Allows only SELECT: the other statements that a read-only connection would run write files or change settings.
 * @throws {DatabaseError} of kind `refused`.
 */
export function requireSelect({ sql }: RowQuery, name: string): void {
  if (!/^\s*SELECT\b/i.test(sql)) throw new DatabaseError('refused', `${name} runs queries only`);
}

/** Error for a query whose rows are longer than {@link longestBatch}. */
export function tooLongRows(name: string): DatabaseError {
  const problem = `The rows from ${name} hold texts that are too long: over ${longestBatch / 1024 / 1024} MB at once`;
  return new DatabaseError('failed', `${problem}; leave out the long fields, or shorten them with LEFT`);
}

/** Error for a query that its database stopped because of its size; `megabytes` if this server sets the limit. */
export function tooMuchMemory(name: string, megabytes?: number): DatabaseError {
  const limit = megabytes === undefined ? '' : ` (${megabytes} MB)`;
  const problem = `The query needs more memory than ${name} may use for it${limit}`;
  return new DatabaseError('failed', `${problem}; ask for fewer rows, fewer groups or shorter texts`);
}

/** All rows of a small query, each parsed by `schema`. @throws {DatabaseError} */
export async function readAll<T>(
  database: Database,
  query: RowQuery,
  schema: z.ZodType<T>,
  options: QueryOptions,
): Promise<T[]> {
  const texts: string[] = [];
  for await (const { json } of await database.readJson(query, options)) texts.push(String(json));
  return z.array(schema).parse(JSON.parse(`[${texts.join(',')}]`));
}

/** Writes one non-null value of a column as JSON. */
export type JsonValueWriter<Value> = (value: Value) => string;

/** Writes rows as JSON objects, in small batches. `rows` contain their values in the order of `names`. */
export function* jsonBatches<Value>(
  rows: readonly (readonly (Value | null)[])[],
  names: readonly string[],
  writers: readonly JsonValueWriter<Value>[],
): Generator<JsonRows> {
  const keys = names.map((name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  for (let at = 0; at < rows.length; at += rowsPerBatch) {
    const end = Math.min(at + rowsPerBatch, rows.length);
    let json = '';
    for (let index = at; index < end; index += 1) {
      const row = rows[index] ?? [];
      if (index > at) json += ',';
      for (let column = 0; column < keys.length; column += 1) {
        const value = row[column];
        json += keys[column];
        json += value === null || value === undefined ? 'null' : writers[column]?.(value);
      }
      json += '}';
    }
    yield { count: end - at, json };
  }
}
