import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

/*
 * ClickHouse's HTTP interface over the engine that the npm package `chdb` holds: parameters, settings, external tables,
 * the status of an error and its text. One query runs at a time. A program of its own: the engine is 500 MB of native code.
 * Usage: node clickhouseFront.ts --package FOLDER --port N --login NAME, and the password in ENGINE_PASSWORD.
 */

/** What is used of `chdb`, which is no dependency of the project. */
interface Session {
  queryAsync(sql: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>;
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
  return settings.length === 0 ? '' : `SETTINGS ${settings.map(([name, value]) => `${name} = ${value}`).join(', ')}`;
}

/** The row of the external table `_bound` in a multipart body, as SQL: both forms escape characters alike, but for the quote. */
function boundRow(body: string): string {
  const line = /name="_bound"[^]*?\r\n\r\n([^]*?)\n\r\n--/.exec(body)?.[1] ?? '';
  const values = line.split('\t').map((value) => `'${value.replaceAll("'", "\\'")}'`);
  return `(${values.join(', ')})`;
}

async function answer(parameters: URLSearchParams, body: string): Promise<Uint8Array> {
  const wanted = parameters.get('database') ?? 'default';
  if (wanted !== database) await run(`USE \`${wanted}\``);
  database = wanted;
  const structure = parameters.get('_bound_structure');
  const [, text = '', format] = /^([^]*?)(?:\s+FORMAT\s+(\w+)\s*)?$/.exec(parameters.get('query') ?? body) ?? [];
  if (structure === null) return run(`${text} ${settingsClause(parameters)}`, format);
  await run(`CREATE TEMPORARY TABLE _bound (${structure})`);
  try {
    await run(`INSERT INTO _bound VALUES ${boundRow(body)}`);
    return await run(`${text} ${settingsClause(parameters)}`, format);
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
    const text = error instanceof Error ? error.message.replace(/^Query failed: /, '') : String(error);
    response.writeHead(500).end(`${text}\n`);
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
