import { execFileSync } from 'node:child_process';
import { chmod, copyFile, link, mkdir, mkdtemp, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerServer, registerTable, tableReport } from '../../support/databases/livePlatforms.ts';
import { isRecord } from '../../support/isRecord.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';

const canary = 'canary of another folder';
let root: string;
let allowed: string;
let outside: string;
let server: TestServer;
let other: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'analytics-folders-'));
  [allowed, outside] = [path.join(root, 'allowed'), path.join(root, 'outside')];
  for (const folder of [allowed, outside, path.join(root, 'allowed-not')]) await mkdir(folder);
  for (const folder of [allowed, outside]) {
    makeSqlite(path.join(folder, 'shop.sqlite'));
    await makeDuckdb(path.join(folder, 'shop.duckdb'));
    await writeFile(path.join(folder, 'prices.csv'), `name\n${folder === allowed ? 'allowed' : canary}\n`);
  }
  other = await startServer({ dataFolder: path.join(allowed, 'another-server'), databaseFolders: [] });
  server = await startServer({ databaseFolders: [allowed, path.join(root, 'not-mounted')] });
  admin = await server.login('admin', server.adminPassword);
}, 60_000);
afterAll(async () => {
  await server?.stop();
  await other?.stop();
  await rm(root, { recursive: true, force: true });
});

function makeSqlite(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE shops (name TEXT); INSERT INTO shops VALUES ('North')`);
  database.close();
}

async function makeDuckdb(file: string, views: readonly string[] = []): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const sql of [`CREATE TABLE shops AS SELECT 'North' AS name`, ...views]) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

const registered = new Map<string, Record<string, unknown>>();

/** What TestConnection says of a file, without the folders that it lists. */
async function test(platform: string, DatabaseName: string, as = admin, through = server): Promise<string> {
  const name = `${through.url} ${platform}`;
  if (!registered.has(name))
    registered.set(name, (await registerServer(as, name, platform, { DatabaseName: 'x' })).regserver);
  const regserver = { ...registered.get(name), DisplayName: 'Shop', DatabaseName };
  return (await as.call('RegServers/TestConnection', { regserver })).text.replaceAll('"', '');
}

const refused = 'Shop: its database file does not exist, or is not in a database folder';

describe('a file database', () => {
  it('is read in the folders of the operator and of the data folder, through links within them too', async () => {
    await symlink(path.join(allowed, 'shop.sqlite'), path.join(allowed, 'linked.sqlite'));
    await symlink(allowed, path.join(root, 'allowed-not', 'way'));
    const own = path.join(server.dataFolder, 'databases');
    await copyFile(path.join(allowed, 'shop.sqlite'), path.join(own, 'own.sqlite'));
    await copyFile(path.join(allowed, 'shop.sqlite'), path.join(allowed, '..odd.sqlite'));
    const files = [
      path.join(allowed, 'shop.sqlite'),
      path.join(allowed, '..odd.sqlite'),
      path.join(allowed, 'linked.sqlite'),
      path.join(own, 'own.sqlite'),
      path.relative(process.cwd(), path.join(allowed, 'shop.sqlite')),
      `${allowed}/./../allowed//shop.sqlite`,
    ];
    for (const file of files) expect(await test('sqlite', file), file).toBe('Passed');
    expect(await test('duckdb', path.join(allowed, 'shop.duckdb'))).toBe('Passed');
    expect(await test('duckdb', ':memory:')).toBe('Passed');
  });

  it('elsewhere gets the same answer, whether it is there, may be read, or is one at all', async () => {
    await symlink(path.join(outside, 'shop.sqlite'), path.join(allowed, 'out.sqlite'));
    await symlink(outside, path.join(allowed, 'out'));
    await symlink(path.join(other.dataFolder, 'state.db'), path.join(allowed, 'state-link.db'));
    await link(path.join(server.dataFolder, 'state.db'), path.join(allowed, 'state-hard.db'));
    await copyFile(path.join(allowed, 'shop.sqlite'), path.join(root, 'allowed-not', 'shop.sqlite'));
    await writeFile(path.join(outside, 'closed.sqlite'), 'x');
    await chmod(path.join(outside, 'closed.sqlite'), 0o000);
    if (process.platform !== 'win32') execFileSync('mkfifo', [path.join(allowed, 'pipe.sqlite')]);
    const files = [
      path.join(allowed, 'absent.sqlite'),
      path.join(outside, 'absent.sqlite'),
      path.join(outside, 'shop.sqlite'),
      path.join(outside, 'shop.duckdb'),
      path.join(outside, 'closed.sqlite'),
      path.join(root, 'allowed-not', 'shop.sqlite'),
      path.join(allowed, 'out.sqlite'),
      path.join(allowed, 'out', 'shop.sqlite'),
      // A link from elsewhere is not followed to find out where it leads.
      path.join(root, 'allowed-not', 'way', 'shop.sqlite'),
      `${allowed}/../outside/shop.sqlite`,
      // Read as text it is within the folder, followed as the system does it is not.
      `${allowed}/out/../outside/shop.sqlite`,
      path.join(allowed, 'pipe.sqlite'),
      allowed,
      '',
      '.',
      ':memory: ',
      `file:${allowed}/shop.sqlite`,
      '\\\\attacker.example\\share\\shop.sqlite',
      '/etc/passwd',
      '/etc/shadow',
      '/proc/self/environ',
      ...['state.db', 'secret.key', 'server.lock', 'state.db-wal'].flatMap((name) => [
        path.join(server.dataFolder, name),
        path.join(other.dataFolder, name),
        `${server.dataFolder}/databases/../${name}`,
      ]),
      path.join(allowed, 'state-link.db'),
      path.join(allowed, 'state-hard.db'),
    ];
    const answers = new Set<string>();
    for (const file of files) for (const platform of ['sqlite', 'duckdb']) answers.add(await test(platform, file));
    const [answer, ...others] = answers;
    expect(others).toEqual([]);
    expect(answer).toContain(refused);
    // What the operator has to do.
    expect(answer).toContain('--database-folder');
    expect(answer).toContain('analytics.localServer.databaseFolders');
    expect(answer).toContain(allowed);
  });

  it.each(['postgresql', 'mysql'])(
    'behind a socket of %s gets the same answer, whatever is at its path',
    async (platform) => {
      const closed = path.join(outside, 'closed-folder');
      await mkdir(closed, { mode: 0o000 });
      const places = [
        path.join(outside, 'absent'),
        path.join(outside, 'shop.sqlite'),
        path.join(outside, 'shop.sqlite', 'below'),
        path.join(allowed, 'pipe.sqlite'),
        closed,
        outside,
      ];
      const { regserver } = await registerServer(admin, `${platform} socket`, platform, { DatabaseServer: outside });
      const answers = new Set<string>();
      for (const DatabaseServer of places) {
        const sent = { ...regserver, DisplayName: 'Shop', DatabaseServer, DatabasePassword: 'a secret' };
        const { text } = await admin.call('RegServers/TestConnection', { regserver: sent });
        answers.add(text.replaceAll('"', '').replace(DatabaseServer, 'PATH'));
      }
      expect([...answers]).toEqual(['Shop: cannot connect to PATH: no database server answers at this socket']);
      await rmdir(closed);
    },
  );

  it('of views reads no file that reports may not read, and lists no folder', async () => {
    await symlink(path.join(outside, 'prices.csv'), path.join(allowed, 'prices-link.csv'));
    const reads: Readonly<Record<string, string>> = {
      inside: `read_csv('${allowed}/prices.csv')`,
      past: `read_csv('${outside}/prices.csv')`,
      through_link: `read_csv('${allowed}/prices-link.csv')`,
      upwards: `read_csv('${allowed}/../outside/prices.csv')`,
      whole: `(SELECT content AS name FROM read_text('${outside}/prices.csv'))`,
      several: `read_csv(['${outside}/prices.csv'])`,
      wild: `read_csv('${outside}/*.csv')`,
      listed: `(SELECT file AS name FROM glob('${outside}/*'))`,
      looked_at: `(SELECT Delimiter AS name FROM sniff_csv('${outside}/prices.csv'))`,
      key_of_server: `(SELECT content AS name FROM read_text('${other.dataFolder}/secret.key'))`,
    };
    const views = Object.entries(reads).map(([name, from]) => `CREATE VIEW ${name} AS SELECT name FROM ${from}`);
    const file = path.join(allowed, 'views.duckdb');
    await makeDuckdb(file, views);
    const app = await registerServer(admin, 'views', 'duckdb', { DatabaseName: file });
    for (const view of Object.keys(reads)) {
      await registerTable(admin, app, { name: view, columns: { name: 'cha' } });
      const { text } = await admin.call('Report/GetReportData', {
        Reportobj: { Report: tableReport(app, view, ['name']) },
      });
      if (view === 'inside') expect(text).toContain('allowed');
      else expect(text, view).toContain('"HasError":true');
      expect(text, view).not.toContain(canary);
      expect(text, view).not.toContain('shop.duckdb');
    }
  });

  it('that was registered before is refused after a start without its folder, with what the operator has to do', async () => {
    const dataFolder = await mkdtemp(path.join(tmpdir(), 'analytics-upgraded-'));
    const run = async (databaseFolders: readonly string[], use: (admin: SignedIn) => Promise<string>) => {
      const started = await startServer({ dataFolder, databaseFolders });
      try {
        return await use(await started.login('admin', started.adminPassword));
      } finally {
        await started.stop();
      }
    };
    const report = tableReport({ appname: 'shop', moduleId: '', serverId: '', regserver: {} }, 'shops', ['name']);
    const rows = (as: SignedIn) =>
      as.call('Report/GetReportData', { Reportobj: { Report: report } }).then(({ text }) => text);
    const before = await run([outside], async (as) => {
      const app = await registerServer(as, 'shop', 'sqlite', { DatabaseName: path.join(outside, 'shop.sqlite') });
      await registerTable(as, app, { name: 'shops', columns: { name: 'cha' } });
      return rows(as);
    });
    expect(before).toContain('North');
    const after = await run([], rows);
    expect(after).not.toContain('North');
    expect(after).toContain('its database file does not exist, or is not in a database folder');
    expect(after).toContain('--database-folder');
    // Whoever only runs reports hears nothing of where files are.
    expect(after).not.toContain(outside);
    expect(await run([outside], rows)).toContain('North');
    await rm(dataFolder, { recursive: true });
  });

  it('folder that is a file ends the start with a message', async () => {
    await expect(startServer({ databaseFolders: [path.join(allowed, 'shop.sqlite')] })).rejects.toThrow(
      '--database-folder must be a folder',
    );
    expect(isRecord(registered.get(`${server.url} sqlite`))).toBe(true);
    expect(server.log()).toContain(`The database folder ${path.join(root, 'not-mounted')} does not exist.`);
  });
});
