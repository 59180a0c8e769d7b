import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { pack } from '../../.ci/package/pack.ts';
import { stage } from '../../.ci/package/stage.ts';
import { ownTarget, type Target } from '../../.ci/package/targets.ts';
import { registeredServer } from '../../src/contract/resources/application.ts';
import { sampleTenants } from '../../src/server/sample/seedSample.ts';
import { loadedBytes } from '../support/large/loadedBytes.ts';
import { SampleClient, statesIn } from '../support/sampleClient.ts';
import { startServer, type TestServer } from '../support/server.ts';

/* What is packed, of the project as it is built now. */

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'package-'));
  for (const target of staged) await stage({ root, target, folder: at(target), cache: path.join(folder, 'cache') });
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const own = ownTarget();
const staged: Target[] = own ? ['universal', own] : ['universal'];

function at(target: Target): string {
  return path.join(folder, target);
}

async function listed(target: Target): Promise<string[]> {
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const { stdout } = await run(process.execPath, [vsce, 'ls', '--no-dependencies'], { cwd: at(target) });
  return stdout.split('\n').filter((line) => line !== '');
}

const allowed = [
  /^(?:package\.json|package\.nls(?:\.\w+)?\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^media\/[\w./-]+\.(?:png|svg|json|css|md)$/,
  /^dist\/(?:extension\.js|server\.js|sqliteReader\.js|THIRD-PARTY-NOTICES\.txt)$/,
  /^dist\/extension\/[\w.-]+\.mjs$/,
  /^dist\/webview\/[\w.-]+\.(?:js|css|ttf)$/,
  /^dist\/schemas\/[\w.-]+\.json$/,
  /^dist\/server\/[\w.-]+\.js$/,
  /^dist\/sample\/(?:recipe|us-10m\.json)$/,
];

describe('a package', () => {
  it.each(staged)('of %s holds the listed files and nothing else', async (target) => {
    const files = await listed(target);
    const data = /^dist\/(?:duckdb\/[\w.]+|sample\/sample\.\w+)$/;
    const others = files.filter((file) => !data.test(file) && !allowed.some((pattern) => pattern.test(file)));
    expect(others).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'dist/extension.js', 'dist/server.js']),
    );
    // Every language, and nothing for translators.
    expect(files.filter((file) => /nls|l10n/.test(file)).sort()).toEqual(
      ['media/l10n/bundle.l10n.de.json', 'package.nls.de.json', 'package.nls.json'].sort(),
    );
    const databases = files.filter((file) => data.test(file) && !file.endsWith('LICENSE'));
    if (target === 'universal') expect(databases).toEqual(['dist/sample/sample.sqlite']);
    else expect(databases).toEqual(expect.arrayContaining(['dist/sample/sample.duckdb', 'dist/duckdb/duckdb.node']));
  });

  it.each(staged)(
    'of %s is the same file, byte for byte, when it is packed again, and no larger than it may be',
    { timeout: 120_000 },
    async (target) => {
      const cache = path.join(folder, 'cache');
      const packed = async (name: string) => {
        const file = path.join(folder, name);
        await pack({ root, target, cache, time: '1700000000', file });
        return readFile(file);
      };
      const first = await packed('first.vsix');
      expect(first.equals(await packed('second.vsix'))).toBe(true);
    },
  );

  it('loads little when it starts: no schemas and no network library', async () => {
    const kilobytes = (await loadedBytes(path.join(at('universal'), 'dist', 'extension.js'))) / 1024;
    expect(kilobytes).toBeLessThan(160);
  });

  it('names the licence of every package that is bundled', async () => {
    const notices = await readFile(path.join(at('universal'), 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const { devDependencies } = z
      .object({ devDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')));
    for (const name of [
      'undici',
      'zod',
      'sql-formatter',
      'pg',
      'mysql2',
      'tedious',
      'oracledb',
      '@duckdb/node-api',
      'vega-datasets',
    ]) {
      expect(devDependencies).toHaveProperty([name]);
      expect(notices).toContain(`\n${name} ${devDependencies[name]?.replace(/^[\^~]/, '')}`);
    }
  });
});

describe('the package without DuckDB', () => {
  let server: TestServer;
  let client: SampleClient;

  beforeAll(async () => {
    server = await startServer({ sample: true, script: path.join(at('universal'), 'dist', 'server.js') });
    client = new SampleClient(server);
  }, 60_000);
  afterAll(() => server.stop());

  it('runs every report of the sample on SQLite', async () => {
    const reports = await client.reports('admin');
    expect(reports.length).toBeGreaterThan(12);
    for (const { id, ReportName } of reports) {
      const { Data } = await client.run('admin', String(id), { topN: 50 });
      expect(Data?.length, String(ReportName)).toBeGreaterThan(0);
    }
  }, 60_000);

  it('has the driver of every database server', async () => {
    const admin = await client.as('admin');
    const { json } = await admin.call('RegServers/GetAdminRegisteredServers');
    const [sample] = registeredServer.array().parse(json);
    for (const DatabasePlatform of ['postgresql', 'mysql', 'mssql', 'oracle', 'clickhouse', 'trino']) {
      // Nothing listens on port 1.
      const regserver = { ...sample, DatabasePlatform, DatabaseServer: '127.0.0.1:1', DatabaseName: 'nothing' };
      const { text } = await admin.call('RegServers/TestConnection', { regserver });
      expect(text, DatabasePlatform).toContain('cannot connect to 127.0.0.1:1: no server is listening there');
    }
  });

  it('keeps the tenants apart', async () => {
    const [north, south] = sampleTenants;
    const count = async (loginName: string) => {
      const report = (await client.reports('admin')).find(({ ReportName }) => ReportName === 'Number of Flights');
      const { Data } = await client.run(loginName, String(report?.id));
      return Number(Data?.[0]?.flights);
    };
    expect(await count('admin')).toBe(100_000);
    expect(await count('sample.admin')).toBe((await count('north.viewer')) + (await count('south.viewer')));
    const delays = (await client.reports('north.viewer')).find(({ ReportName }) => ReportName === 'Delays by State');
    const ofNorth = statesIn(await client.run('north.viewer', String(delays?.id)));
    expect(ofNorth.size).toBeGreaterThan(0);
    for (const state of ofNorth) expect(north.states).toContain(state);
    for (const state of statesIn(await client.run('south.viewer', String(delays?.id)))) {
      expect(south.states).toContain(state);
    }
  }, 60_000);
});
