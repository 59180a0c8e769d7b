import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askClickhouse } from '../../../support/databases/clickhouseServer.ts';
import { registerServer, registerTable, served, tableReport } from '../../../support/databases/livePlatforms.ts';
import { startModernClickhouse } from '../../../support/databases/modernClickhouse.ts';
import type { DatabaseServer } from '../../../support/databases/serverProcess.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';

/* A recent ClickHouse that says whatever release a test wants it to say. */

let database: DatabaseServer | undefined;
let disguise: Server;
let host = '';
let release = '';
/** How often the release was asked for. */
let asked = 0;
/** Servers that refuse and accept old releases. */
const servers = new Map<boolean, TestServer>();

beforeAll(async () => {
  database = await startModernClickhouse();
  if (!database) return;
  const target = `http://${database.host}:${database.port}`;
  await askClickhouse(database, 'CREATE TABLE prices (id Int32, price Decimal(12, 2)) ENGINE = MergeTree ORDER BY id');
  await askClickhouse(database, 'INSERT INTO prices VALUES (1, 2.5), (2, 7)');
  disguise = createServer((request, response) => {
    const answer = async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      if (request.url?.includes('version%28%29')) {
        asked += 1;
        return response.end(`${release}\n`);
      }
      const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers;
      const sent = { method: 'POST', headers: headers as Record<string, string>, body: Buffer.concat(chunks) };
      const reply = await fetch(`${target}${request.url}`, sent);
      return response.writeHead(reply.status).end(Buffer.from(await reply.arrayBuffer()));
    };
    answer().catch(() => response.destroy());
  });
  await once(disguise.listen(0, '127.0.0.1'), 'listening');
  host = `127.0.0.1:${(disguise.address() as AddressInfo).port}`;
}, 300_000);
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
  disguise?.close();
  await database?.stop();
});
beforeEach(({ skip }) => skip(!database, 'ClickHouse 26.7 could not be installed'));

async function signedIn(allowOldEngines: boolean): Promise<SignedIn> {
  const server = servers.get(allowOldEngines) ?? (await startServer({ allowOldEngines }));
  servers.set(allowOldEngines, server);
  return server.login('admin', server.adminPassword);
}

function regserver() {
  if (!database) throw new Error('There is no ClickHouse');
  return { ...served('clickhouse', database).regserver, DatabaseServer: host };
}

async function register(admin: SignedIn, name: string) {
  const app = await registerServer(admin, name, 'clickhouse', regserver());
  await registerTable(admin, app, { name: 'prices', columns: { id: 'num', price: 'cur' } });
  const run = () =>
    admin.call('Report/GetReportData', { Reportobj: { Report: tableReport(app, 'prices', ['id', 'price']) } });
  return { ...app, run };
}

const refusalOf = (name: string) =>
  `${name} database: ClickHouse 18.16.1 is too old; the oldest accepted release is 25.8. Older releases may compute wrong ` +
  'results. Upgrade it, or accept old releases with --allow-old-engines, or in VS Code with the setting ' +
  'analytics.localServer.allowOldEngines';

describe('a database server of an old release', () => {
  it('is not registered, and says why to a test of its connection', async () => {
    const admin = await signedIn(false);
    release = '18.16.1';
    const { regserver: saved, moduleId: ID } = await registerServer(admin, 'shop', 'clickhouse', regserver());
    expect(saved).toMatchObject({ ErrorCode: 9001, ErrorMessage: refusalOf('shop') });
    const { json } = await admin.call('RegServers/GetAdminRegisteredServers');
    expect(json).toEqual([]);
    const unsaved = {
      ...{ ModuleType: 'AnyDB', DisplayName: 'shop database', DatabasePlatform: 'clickhouse', ...regserver() },
      izApp: { ID, Name: 'shop', ModuleType: 'AnyDB', ProductCode: '', isAnyDbApp: true },
    };
    const { text } = await admin.call('RegServers/TestConnection', { regserver: unsaved });
    expect(text).toContain(refusalOf('shop'));
  });

  it('refuses reports when it was registered before, until it is upgraded', async () => {
    const admin = await signedIn(false);
    release = '26.7.1.1';
    const { run, regserver: saved } = await register(admin, 'upgraded');
    expect((await run()).json).toMatchObject({ HasError: false });
    release = '18.16.1';
    // Saved without its password, as an editor sends it back: the next report opens the database again.
    await admin.call('RegServers/SaveRegSrv', { regserver: { ...saved, DatabasePassword: '' } });
    expect((await run()).json).toMatchObject({ HasError: true, ErrorMessage: refusalOf('upgraded') });
    release = '26.7.1.1';
    expect((await run()).json).toMatchObject({ HasError: false });
  });

  it('is used where the operator allows it', async () => {
    const admin = await signedIn(true);
    release = '18.16.1';
    const { run } = await register(admin, 'allowed');
    expect((await run()).json).toMatchObject({ HasError: false });
  });

  it('is asked for its release once, however many reports run', async () => {
    const admin = await signedIn(false);
    release = '26.7.1.1';
    const { run } = await register(admin, 'asked');
    await run();
    const before = asked;
    for (let at = 0; at < 5; at += 1) expect((await run()).json).toMatchObject({ HasError: false });
    expect(asked).toBe(before);
  });

  it('may be registered while it is away', async () => {
    const admin = await signedIn(false);
    const { serverId } = await registerServer(admin, 'away', 'clickhouse', {
      ...regserver(),
      DatabaseServer: '127.0.0.1:1',
    });
    expect(serverId).toMatch(/^\d+$/);
  });
});
