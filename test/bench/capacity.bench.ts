/**
 * How much one server holds and answers: calls a second by kind, and memory, at growing numbers of users and reports. Sixteen
 * connections ask at once. Then what more cores, a second installation and cached results bring. Writes the
 * tables of src/server/README.md when `WRITE_TABLE` is set.
 */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { startLargeServer } from '../support/large/largeServer.ts';
import { LoadClient } from '../support/large/loadClient.ts';
import type { TestServer } from '../support/server.ts';
import { benchMeans } from './server/beyond.ts';
import { kindsOf, memory, rate } from './server/capacityCalls.ts';
import { show } from './server/capacityTable.ts';
import { builtServer } from './server/goals.ts';

const allSizes = [
  { users: 1_000, folders: 100, reportsPerFolder: 10 },
  { users: 10_000, folders: 500, reportsPerFolder: 20 },
  { users: 50_000, folders: 2_500, reportsPerFolder: 20 },
];
/** `BENCH_SIZES=1` measures the smallest alone, `BENCH_SIZES=0` none. */
const sizes = allSizes.slice(0, Number(process.env.BENCH_SIZES ?? allSizes.length));
const connections = 16;
const run = promisify(execFile);

/** Seconds that a command or a start takes on the state. */
async function seconds(work: () => Promise<unknown>): Promise<string> {
  const started = performance.now();
  await work();
  return ((performance.now() - started) / 1_000).toFixed(1);
}

function commandSeconds({ dataFolder }: TestServer, command: 'backup' | 'check'): Promise<string> {
  return seconds(() => run(process.execPath, [builtServer.script, command, '--data', dataFolder]));
}

async function measure(size: (typeof sizes)[number]): Promise<Record<string, string>> {
  const server = await startLargeServer(builtServer.script, size);
  try {
    const admin = await server.login('admin', server.adminPassword);
    const idle = memory(server).now;
    const clients = Array.from({ length: connections }, () => new LoadClient(server, admin));
    const row: Record<string, string> = {
      users: size.users.toLocaleString('en'),
      reports: (size.folders * size.reportsPerFolder).toLocaleString('en'),
      'state, MB': (statSync(path.join(server.dataFolder, 'state.db')).size / 1e6).toFixed(0),
    };
    for (const [kind, ask] of Object.entries(await kindsOf(admin, server.adminPassword))) {
      const { perSecond, p99 } = await rate(clients, ask);
      // Calls a second, and in brackets the time of the slowest of a hundred in ms.
      row[kind] =
        `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString('en')} (${p99.toFixed(0)})`;
    }
    clients.forEach((client) => client.close());
    row['memory, MB'] = `${idle.toFixed(0)} (${memory(server).peak.toFixed(0)})`;
    row['backup, s'] = await commandSeconds(server, 'backup');
    row['check, s'] = await commandSeconds(server, 'check');
    return row;
  } finally {
    await server.stop();
  }
}

show('means', await benchMeans());
const rows: Record<string, string>[] = [];
for (const size of sizes) rows.push(await measure(size));
const names = Object.keys(rows[0] ?? {});
if (names.length > 0)
  show(
    'capacity',
    names.map((name) => [name, ...rows.map((row) => row[name] ?? '')]),
  );
