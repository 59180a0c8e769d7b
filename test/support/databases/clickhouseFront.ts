import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

/*
 * ClickHouse's HTTP interface over the engine that the npm package `chdb` holds: parameters, settings, external tables,
 * the status of an error and its text, errors in the middle of a result. One query runs at a time. A program of its own: the engine is 500 MB of native code.
 * Usage: node clickhouseFront.ts --package FOLDER --port N --login NAME, and the password in ENGINE_PASSWORD.
 */

/** What is used of `chdb`, which is no dependency of the project. */
interface Session {
  queryAsync(sql: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>;
  queryStream(sql: string, options: { format: string }): AsyncIterable<{ text(): string }>;
  close(): void;
}
interface Chdb {
  Session: new () => Session;
}

/** Parameters of a request that are no settings of its query. */
const notSettings = /^(query|database|query_id|_bound_\w+|user|password)$/;

const { values: options } = parseArgs({
  options: { package: { type: 'string' }, port: { type: 'string' }, login: { type: 'string' } },
});
const { Session: EngineSession } = createRequire(import.meta.url)(path.resolve(options.package ?? '')) as Chdb;
const session = new EngineSession();
let database = 'default';

async function run(sql: string, format = 'TabSeparated'): Promise<Uint8Array> {
  return (await session.queryAsync(sql, { format })).bytes();
}

/** Settings of a request as the clause that gives them to one query. */
function settingsClause(parameters: URLSearchParams): string {
  const settings = [...parameters].filter(([name]) => !notSettings.test(name));
  return settings.length === 0
    ? ''
    : `SETTINGS ${settings.map(([name, value]) => `${name} = ${/^\d+$/.test(value) ? value : `'${value}'`}`).join(', ')}`;
}

/** The row of the external table `_bound` in a multipart body, as SQL: both forms escape characters alike, but for the quote. */
function boundRow(body: string): string {
  const line = /name="_bound"[^]*?\r\n\r\n([^]*?)\n\r\n--/.exec(body)?.[1] ?? '';
  const values = line.split('\t').map((value) => `'${value.replaceAll("'", "\\'")}'`);
  return `(${values.join(', ')})`;
}

/** Rows of a query that failed, which a server has sent before it fails. */
class PartialResult extends Error {
  readonly sent: string;

  constructor(sent: string, cause: unknown) {
    super(reasonOf(cause));
    this.sent = sent;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^[\w ]+: (?=Code: )/, '') : String(error);
}

/** Characters of a result from which on a server has sent it before the query fails. */
const sentEarly = 100_000;

/** Runs a query; one that fails is run again for the rows that it has before. @throws {PartialResult} */
async function runOrBreak(sql: string, format: string | undefined): Promise<Uint8Array> {
  try {
    return await run(sql, format);
  } catch (error) {
    if (format !== 'JSONCompact' || !sql.includes('SETTINGS')) throw error;
    const rows = new Set<string>();
    const read = async () => {
      const stream = session.queryStream(`${sql}, max_block_size = 1000`, {
        format: `${format}EachRowWithNamesAndTypes`,
      });
      // The first chunk also holds what the failed query has left behind, and each one repeats names and types.
      for await (const chunk of stream)
        for (const line of chunk.text().split('\n')) if (line.startsWith('[')) rows.add(line);
    };
    const reason: unknown = await read().catch((again: unknown) => again);
    const [names, types, ...values] = [...rows];
    const columns = JSON.parse(names ?? '[]') as string[];
    const typesOf = JSON.parse(types ?? '[]') as string[];
    const meta = columns.map((name, index) => ({ name, type: typesOf[index] }));
    const data = values.map((line) => `\t\t${line}`).join(',\n');
    const sent = `{\n\t"meta":\n\t${JSON.stringify(meta)},\n\n\t"data":\n\t[\n${data}`;
    throw sent.length > sentEarly ? new PartialResult(sent, reason) : error;
  }
}

async function answer(parameters: URLSearchParams, body: string): Promise<Uint8Array> {
  const wanted = parameters.get('database') ?? 'default';
  if (wanted !== database) await run(`USE \`${wanted}\``);
  database = wanted;
  const structure = parameters.get('_bound_structure');
  const [, text = '', format] = /^([^]*?)(?:\s+FORMAT\s+(\w+)\s*)?$/.exec(parameters.get('query') ?? body) ?? [];
  if (structure === null) return runOrBreak(`${text} ${settingsClause(parameters)}`, format);
  await run(`CREATE TEMPORARY TABLE _bound (${structure})`);
  try {
    await run(`INSERT INTO _bound VALUES ${boundRow(body)}`);
    return await runOrBreak(`${text} ${settingsClause(parameters)}`, format);
  } finally {
    await run('DROP TABLE _bound');
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

function isKnown({ headers }: IncomingMessage): boolean {
  return headers['x-clickhouse-user'] === options.login && headers['x-clickhouse-key'] === process.env.ENGINE_PASSWORD;
}

/** Ends a reply as servers do since 25.11: without the end of its encoding. */
function breakOff(response: ServerResponse, { sent, message }: PartialResult): void {
  const tag = Array.from({ length: 16 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('');
  response.writeHead(200, { 'X-ClickHouse-Exception-Tag': tag });
  response.write(sent);
  const block = `\r\n__exception__\r\n${tag}\r\n${message}\n${message.length + 1} ${tag}\r\n__exception__\r\n`;
  response.write(block, () => response.socket?.end());
}

let queue = Promise.resolve();

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  if (!isKnown(request)) {
    response.writeHead(403).end('Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)\n');
    return;
  }
  const before = queue;
  let leave: () => void = () => undefined;
  queue = new Promise((resolve) => (leave = resolve));
  await before;
  try {
    const bytes = await answer(searchParams, body);
    response.writeHead(200).end(bytes);
  } catch (error) {
    if (error instanceof PartialResult) breakOff(response, error);
    else response.writeHead(500).end(`${reasonOf(error)}\n`);
  } finally {
    leave();
  }
}

/** As long an address as ClickHouse takes. */
const maxHeaderSize = 1024 * 1024;
const server = createServer({ maxHeaderSize }, (request, response) => void reply(request, response));
server.listen(Number(options.port), '127.0.0.1', () => console.error('Ready for connections'));
process.once('SIGTERM', () => {
  session.close();
  process.exit();
});
