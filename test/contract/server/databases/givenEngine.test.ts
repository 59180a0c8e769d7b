import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, givenServer, startGivenEngine } from '../../../support/databases/givenEngine.ts';
import { hasMariadb, startMariadb } from '../../../support/databases/mariadbServer.ts';
import { startModernClickhouse } from '../../../support/databases/modernClickhouse.ts';
import { postgresqlPrograms, startPostgresql } from '../../../support/databases/postgresqlServer.ts';
import type { DatabaseServer } from '../../../support/databases/serverProcess.ts';

/* What `npm run test:engine` does on a server that somebody has, before and after its tests. */

const servers = new Map<string, DatabaseServer>();

beforeAll(async () => {
  if (postgresqlPrograms()) servers.set('postgresql', await startPostgresql());
  if (hasMariadb()) servers.set('mysql', await startMariadb());
  const clickhouse = await startModernClickhouse();
  if (clickhouse) servers.set('clickhouse', clickhouse);
}, 300_000);
afterAll(() => Promise.all([...servers.values()].map(({ stop }) => stop())), 60_000);

const nothing = { stores: [], clerks: [] };
const none = { store_id: null, clerk_id: null, ratio: null };
const times = { sold_on: '2026-02-03', sold_at: '2026-02-03 10:20:30' };
const sales = [
  { id: 1, ...none, ...times, amount: 12.5, pieces: 9007199254740993n, note: "it's \\", tenant: 'é日本' },
  { id: 2, ...none, amount: null, pieces: null, sold_on: null, sold_at: null, note: null, tenant: '' },
];

describe('a database server that is given', () => {
  it.for(['postgresql', 'mysql', 'clickhouse'])(
    'gets tables and rows, and is left as it was: %s',
    { timeout: 120_000 },
    async (platform, { skip }) => {
      const server = servers.get(platform);
      if (!server) return skip(`${platform} is missing`);
      const { host, port, login, password, database } = server;
      const account = [login, password].map(encodeURIComponent).join(':');
      const url = `${platform}://${account}@${host}:${port}/${database}`;
      const engine = await startGivenEngine(url);
      await expect(startGivenEngine(url)).rejects.toThrow(/has tables that the tests would replace: .*sales/);
      await engine.write({ sales, ...nothing });
      await engine.write({ sales, ...nothing });
      const columns = ['id', 'note', 'tenant', 'pieces'].map((name) => engine.dialect.quote(name)).join(', ');
      const sql = `SELECT ${columns} FROM ${engine.dialect.quote('sales')} ORDER BY ${engine.dialect.quote('id')}`;
      const texts: string[] = [];
      const options = { signal: new AbortController().signal, timeoutMs: 30_000 };
      for await (const { json } of await engine.database.readJson({ sql, values: [] }, options))
        texts.push(String(json));
      expect(texts.join()).toBe(
        `{"id":1,"note":"it's \\\\","tenant":"é日本","pieces":9007199254740993},` +
          '{"id":2,"note":null,"tenant":"","pieces":null}',
      );
      await engine.stop();
      const again = await startGivenEngine(url);
      await again.stop();
    },
  );

  it('is described by a URL', () => {
    expect(givenServer('mssql://an%40n:p%3Aw@[::1]:1433/my%20shop?tls=require&x=1')).toEqual({
      ...{ platform: 'mssql', host: '::1', port: 1433, login: 'an@n', password: 'p:w' },
      ...{ database: 'my shop', params: 'tls=require;x=1' },
    });
    expect(addressOf(givenServer('trino://ann@[::1]:8080/memory.x')).host).toBe('[::1]:8080');
    for (const wrong of ['mssql://host/db', 'mssql://host:1/', 'mssql:///db'])
      expect(() => givenServer(wrong), wrong).toThrow('platform://login:password@host:port/database');
  });

  it('is refused for platforms without a server', async () => {
    await expect(startGivenEngine('sqlite://x:y@host:1/db')).rejects.toThrow('not sqlite');
  });
});
