/*
 * A process of its own that reads one SQLite file. SQLite's Node interface cannot be interrupted: only ending the process
 * ends a query at once, and only here does it not take the server along.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { BoundValue, DerivedRelation, JsonRows } from './database.ts';
import { rowsPerBatch } from './queryRules.ts';
import { sqliteRelations } from './sqliteRelations.ts';

/** What the reader is asked for: first to open a file, then to start a query or to go on with it. */
export type ReaderRequest =
  | { kind: 'open'; file: string }
  | { kind: 'query'; sql: string; values: readonly BoundValue[] }
  | { kind: 'next' }
  | { kind: 'relations' }
  | { kind: 'end' };

/** `code` is SQLite's result code; `message` speaks of names and types where the query was never begun. */
export type ReaderReply =
  | { kind: 'ready' }
  | { kind: 'rows'; batches: JsonRows[]; isLast: boolean }
  | { kind: 'relations'; derived: DerivedRelation[] }
  | { kind: 'failed'; isBegun: boolean; message: string };

const batchesPerReply = 5;
/** SQLite limits the arguments of a function; each column takes two. */
const columnsPerObject = 50;

let database: DatabaseSync | undefined;
let batches: Iterator<JsonRows> | undefined;

process.on('message', (request: ReaderRequest) => process.send?.(answer(request)));
process.on('disconnect', () => process.exit());

function answer(request: ReaderRequest): ReaderReply {
  let isBegun = request.kind === 'next';
  try {
    switch (request.kind) {
      case 'open':
        database = openFile(request.file);
        return { kind: 'ready' };
      case 'query': {
        if (!database) throw new Error('No database is open');
        const rows = prepare(database, request.sql, request.values);
        isBegun = true;
        batches = rows();
        return nextRows();
      }
      case 'next':
        return nextRows();
      case 'relations':
        if (!database) throw new Error('No database is open');
        return { kind: 'relations', derived: sqliteRelations(database) };
      case 'end':
        batches?.return?.();
        batches = undefined;
        return { kind: 'ready' };
    }
  } catch (error) {
    batches = undefined;
    return { kind: 'failed', isBegun, message: error instanceof Error ? error.message : String(error) };
  }
}

function openFile(file: string): DatabaseSync {
  const opened = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  // A file that is no database says so only when it is read.
  opened.prepare('SELECT count(*) FROM sqlite_schema').get();
  addFunctions(opened);
  return opened;
}

/** What SQLite lacks: capital letters beyond ASCII, and the spread of values. */
function addFunctions(opened: DatabaseSync): void {
  const text = (convert: (text: string) => string) => (value: SQLInputValue) =>
    value === null || ArrayBuffer.isView(value) ? null : convert(String(value));
  opened.function(
    'upper',
    { deterministic: true },
    text((value) => value.toUpperCase()),
  );
  opened.function(
    'lower',
    { deterministic: true },
    text((value) => value.toLowerCase()),
  );
  opened.aggregate('var_samp', { ...spread, result: variance });
  opened.aggregate('stddev_samp', { ...spread, result: (found: Float64Array) => squareRoot(variance(found)) });
}

/** Count, mean and sum of squared distances from it, value by value. */
const spread = {
  start: () => new Float64Array(3),
  step: (found: Float64Array, value: SQLInputValue): Float64Array => {
    if (typeof value !== 'number' && typeof value !== 'bigint') return found;
    const [count = 0, mean = 0, squares = 0] = found;
    const distance = Number(value) - mean;
    const newMean = mean + distance / (count + 1);
    found.set([count + 1, newMean, squares + distance * (Number(value) - newMean)]);
    return found;
  },
};

function variance([count = 0, , squares = 0]: Float64Array): number | null {
  return count < 2 ? null : squares / (count - 1);
}

function squareRoot(value: number | null): number | null {
  return value === null ? null : Math.sqrt(value);
}

/** Lets SQLite write the rows of a query as JSON; infinity becomes null and bytes become hexadecimal text. */
function prepare(opened: DatabaseSync, sql: string, values: readonly BoundValue[]): () => Generator<JsonRows> {
  const names = opened
    .prepare(sql)
    .columns()
    .map(({ name }) => name);
  const members = names.map((name) => {
    const column = `r."${name.replaceAll('"', '""')}"`;
    const value = `CASE typeof(${column}) WHEN 'real' THEN CASE WHEN abs(${column}) < 9e999 THEN ${column} END
      WHEN 'blob' THEN hex(${column}) ELSE ${column} END`;
    return `'${name.replaceAll("'", "''")}', ${value}`;
  });
  const objects: string[] = [];
  for (let at = 0; at < members.length; at += columnsPerObject) {
    objects.push(`json_object(${members.slice(at, at + columnsPerObject).join(', ')})`);
  }
  const statement = opened.prepare(`SELECT ${objects.join(', ')} FROM (${sql}\n) AS r`);
  statement.setReturnArrays(true);
  const bound = values.map(bindable);
  return () => writeRows(statement.iterate(...bound));
}

function* writeRows(rows: Iterable<unknown>): Generator<JsonRows> {
  let batch: string[] = [];
  for (const row of rows) {
    if (!Array.isArray(row)) throw new Error('A row is no list');
    batch.push(row.map(String).reduce((left, right) => `${left.slice(0, -1)},${right.slice(1)}`));
    if (batch.length < rowsPerBatch) continue;
    yield { count: batch.length, json: batch.join(',') };
    batch = [];
  }
  if (batch.length > 0) yield { count: batch.length, json: batch.join(',') };
}

function nextRows(): ReaderReply {
  const found: JsonRows[] = [];
  while (found.length < batchesPerReply) {
    const next = batches?.next();
    if (!next || next.done) {
      batches = undefined;
      return { kind: 'rows', batches: found, isLast: true };
    }
    found.push(next.value);
  }
  return { kind: 'rows', batches: found, isLast: false };
}

/** Whole numbers keep their digits as long as SQLite has room for them. */
function bindable({ type, text }: BoundValue): SQLInputValue {
  if (type !== 'number') return text;
  if (!/^-?\d+$/.test(text)) return Number(text);
  const whole = BigInt(text);
  return BigInt.asIntN(64, whole) === whole ? whole : Number(text);
}
