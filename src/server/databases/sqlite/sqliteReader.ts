/*
 * A separate process that reads one SQLite file. SQLite's Node interface cannot be interrupted: a query ends
 * immediately only if its process does, and a separate process does not take the server down.
 */
import { Socket } from 'node:net';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type BoundValue, type DerivedRelation, longestBatch } from '../database.ts';
import { failedFrame, frameHead, frameSize, oversizedFrame, writeHead } from '../rowFrames.ts';
import { addFunctions } from './functions.ts';
import { sqliteRelations } from './relations.ts';

/** Requests to the reader: first open a file, then run a query, whose rows are sent through the pipe. */
export type ReaderRequest =
  | { kind: 'open'; file: string }
  | { kind: 'query'; sql: string; values: readonly BoundValue[] }
  | { kind: 'relations' };

/** `message` contains only names and types if the query never began. */
export type ReaderReply =
  | { kind: 'ready' }
  | { kind: 'begun' }
  | { kind: 'relations'; derived: DerivedRelation[] }
  | { kind: 'failed'; isBegun: boolean; isOversized: boolean; message: string };

/** SQLite limits the arguments of a function; each column takes two. */
const columnsPerObject = 50;

let database: DatabaseSync | undefined;
/** The pipe for rows, in addition to standard input, output, error and the request channel. */
let pipe: Socket | undefined;

process.on('message', (request: ReaderRequest) => process.send?.(answer(request)));
process.on('disconnect', () => process.exit());

function answer(request: ReaderRequest): ReaderReply {
  let isBegun = false;
  try {
    switch (request.kind) {
      case 'open':
        database = openFile(request.file);
        return { kind: 'ready' };
      case 'query': {
        if (!database) throw new Error('No database is open');
        const rows = prepare(database, request.sql, request.values);
        isBegun = true;
        const frames = framesOf(rows());
        // A failure before the first rows can still be reported in the reply.
        const first = frames.next();
        void send(first, frames);
        return { kind: 'begun' };
      }
      case 'relations':
        if (!database) throw new Error('No database is open');
        return { kind: 'relations', derived: sqliteRelations(database) };
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', isBegun, isOversized: isOversized(error), message };
  }
}

function openFile(file: string): DatabaseSync {
  // SQLite sorts and groups on disk; its memory grows with texts only.
  if (!('aggregate' in DatabaseSync.prototype))
    throw new Error(`SQLite databases need Node.js 22.16 or later; this is ${process.version}`);
  const opened = new DatabaseSync(file, { readOnly: true, timeout: 5000, limits: { length: longestBatch } });
  // A file that is not a database fails only when it is read.
  opened.prepare('SELECT count(*) FROM sqlite_schema').get();
  addFunctions(opened);
  return opened;
}

/** Prepares a query so that SQLite writes its rows as JSON; infinity becomes null and bytes become hexadecimal text. */
function prepare(opened: DatabaseSync, sql: string, values: readonly BoundValue[]): () => Iterable<unknown> {
  const members = opened
    .prepare(sql)
    .columns()
    .map(({ name, type }) => {
      const column = `r."${name.replaceAll('"', '""')}"`;
      return `'${name.replaceAll("'", "''")}', ${jsonValue(column, textType.test(type ?? ''))}`;
    });
  const objects: string[] = [];
  for (let at = 0; at < members.length; at += columnsPerObject) {
    objects.push(`json_object(${members.slice(at, at + columnsPerObject).join(', ')})`);
  }
  const statement = opened.prepare(`SELECT ${objects.join(', ')} FROM (${sql}\n) AS r`);
  statement.setReturnArrays(true);
  const bound = values.map(bindable);
  return () => statement.iterate(...bound);
}

/** Declared types of columns that mostly contain text: SQLite stores dates and times as text, too. */
const textType = /CHAR|TEXT|CLOB|DATE|TIME/i;

/**
 * A value as `json_object` accepts it: correct for any type, and fastest for the column's most frequent type.
 * Comparisons distinguish the types in a fraction of the time of `typeof`: texts are greater than all numbers, and
 * bytes greater than all texts; a unary plus removes the column's type affinity, which would convert the other side.
 */
function jsonValue(column: string, isMostlyText: boolean): string {
  const text = `WHEN +${column} > 9e999 AND +${column} < x'' THEN ${column}`;
  const finite = `WHEN +${column} < 9e999 AND +${column} > -9e999 THEN ${column}`;
  const likely = isMostlyText ? `${text} ${finite}` : `${finite} ${text}`;
  return `CASE ${likely} WHEN +${column} >= x'' THEN hex(${column}) END`;
}

/** One row as an object: SQLite returns it in several for many columns. */
function objectOf(row: unknown): string {
  if (!Array.isArray(row)) throw new Error('A row is no list');
  if (row.length === 1) return String(row[0]);
  return row.map(String).reduce((left, right) => `${left.slice(0, -1)},${right.slice(1)}`);
}

const comma = 0x2c;
/** Maximum UTF-8 bytes per character. */
const bytesPerCharacter = 3;

/** Rows in frames, alternating between two buffers: each is reused when the next frame but one is requested. */
function* framesOf(rows: Iterable<unknown>): Generator<Buffer> {
  const buffers = [Buffer.allocUnsafeSlow(frameSize), Buffer.allocUnsafeSlow(frameSize)] as const;
  let frame: Buffer = buffers[0];
  let sent = 0;
  let count = 0;
  let at = frameHead;
  const finished = (): Buffer => {
    writeHead(frame, count, at - frameHead);
    return frame.subarray(0, at);
  };
  for (const row of rows) {
    const object = objectOf(row);
    const most = object.length * bytesPerCharacter + 1;
    if (at + most > frame.length) {
      if (count > 0) yield finished();
      sent += 1;
      count = 0;
      at = frameHead;
      const usual = buffers[sent % 2 === 0 ? 0 : 1];
      frame = most + frameHead > usual.length ? Buffer.allocUnsafeSlow(most + frameHead) : usual;
    }
    at += frame.write(object, at);
    frame[at] = comma;
    at += 1;
    count += 1;
  }
  if (count > 0) yield finished();
}

/** Sends the frames and the empty one that marks the end; at most two are in transit. */
async function send(first: IteratorResult<Buffer>, frames: Iterator<Buffer>): Promise<void> {
  const sent: Promise<void>[] = [];
  try {
    for (let next = first; !next.done; next = frames.next()) {
      sent.push(written(next.value));
      if (sent.length > 1) await sent.shift();
    }
    await written(emptyFrame(0));
  } catch (error) {
    // SQLite's message is not sent: it may quote values.
    await written(emptyFrame(isOversized(error) ? oversizedFrame : failedFrame));
  }
}

const oversized = new Set([7, 18]);

/** Whether SQLite stopped because it ran out of memory (7) or because of a text that is too long (18). */
function isOversized(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'errcode') : undefined;
  return typeof code === 'number' && oversized.has(code);
}

function emptyFrame(count: number): Buffer {
  const frame = Buffer.alloc(frameHead);
  writeHead(frame, count, 0);
  return frame;
}

function written(bytes: Buffer): Promise<void> {
  pipe ??= new Socket({ fd: 4, readable: false }).on('error', () => process.exit());
  const target = pipe;
  return new Promise((resolve) => target.write(bytes, () => resolve()));
}

/** Whole numbers keep their digits as far as SQLite can represent them. */
function bindable({ type, text }: BoundValue): SQLInputValue {
  if (type !== 'number') return text;
  if (!/^-?\d+$/.test(text)) return Number(text);
  const whole = BigInt(text);
  return BigInt.asIntN(64, whole) === whole ? whole : Number(text);
}
