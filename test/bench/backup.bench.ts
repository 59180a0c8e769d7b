/**
 * `server.js backup` of a state of 1 GB while it is used: how long it takes, and how long other calls take meanwhile and
 * without it. `BENCH_REPORTS=10` makes the state smaller.
 */
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { startLargeServer } from '../support/large/largeServer.ts';
import { LoadClient } from '../support/large/loadClient.ts';
import type { SignedIn, TestServer } from '../support/server.ts';
import { runCommand } from '../support/state/runCommand.ts';
import { builtServer, goal, percentile } from './server/goals.ts';
import { startPings } from './server/pings.ts';

const size = { users: 1_000, folders: 2_500, reportsPerFolder: Number(process.env.BENCH_REPORTS ?? 120) };

/** Milliseconds of reads and of durable writes while `work` runs. */
async function callsDuring(server: TestServer, admin: SignedIn, work: () => Promise<void>) {
  const pings = await startPings(server, admin);
  const client = new LoadClient(server, admin);
  const group = { GroupRoles: [], Membership: [], AllUsers: [], AllRoles: [] };
  const writes: number[] = [];
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const name = `Group ${performance.now()}`;
      const { text, ms } = await client.call('Group/SaveSecurityGroup', { group: { ...group, GroupName: name } });
      if (!text.includes('"ErrorCode":0')) throw new Error(text.slice(0, 300));
      writes.push(ms);
      await delay(20);
    }
  };
  const writing = write();
  try {
    await work();
  } finally {
    isOver = true;
    await writing;
    client.close();
  }
  return { reads: await pings.stop(), writes };
}

const server = await startLargeServer(builtServer.script, size);
const target = path.join(server.dataFolder, 'copy.db');
try {
  const admin = await server.login('admin', server.adminPassword);
  let seconds = 0;
  const during = await callsDuring(server, admin, async () => {
    const started = performance.now();
    const { code, err } = await runCommand(['backup', '--data', server.dataFolder, '--to', target], builtServer);
    if (code !== 0) throw new Error(err);
    seconds = (performance.now() - started) / 1_000;
  });
  const without = await callsDuring(server, admin, () => delay(seconds * 1_000));
  console.log(`backup: ${(statSync(target).size / 1e6).toFixed(0)} MB`);
  goal('figure', 'backup.seconds', seconds, 60);
  for (const kind of ['reads', 'writes'] as const) {
    const p99 = (times: readonly number[]) => percentile(times, 99);
    console.log(`${kind}: ${during[kind].length} meanwhile; without a backup p99 ${p99(without[kind]).toFixed(1)} ms`);
    goal('figure', `backup.${kind}.p99Ms`, p99(during[kind]), 50);
  }
} finally {
  await server.stop();
  await rm(target, { force: true });
}
