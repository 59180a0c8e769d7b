import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { figure } from '../../../support/run/figure.ts';
import { isRecord } from '../../../support/isRecord.ts';
import { startServer, type SignedIn, type TestServer } from '../../../support/server.ts';
import { readServerState } from '../../../support/serverState.ts';
import { soakSize } from '../../../support/run/soakSize.ts';
import { mayMount, onSmallDisk } from '../../../support/state/smallDisk.ts';

const kills = soakSize(5, 2_000);
/** A busy machine takes seconds for each. */
const killsTake = soakSize(600_000, 14_400_000);
const writers = 4;
/** A session ends after 20 minutes, and what moved its end on is not written when the server is killed. */
const killsPerSession = 100;

describe('what the server has acknowledged', () => {
  let dataFolder: string;
  beforeEach(async () => {
    dataFolder = await mkdtemp(path.join(tmpdir(), 'analytics-durable-'));
  });
  afterEach(() => rm(dataFolder, { recursive: true, force: true }));

  const start = () => startServer({ dataFolder });

  it(`is there after each of ${kills} kills under load, with its audit entry`, { timeout: killsTake }, async () => {
    const random = seededRandom(7);
    const acknowledged: string[] = [];
    let server = await start();
    let token = '';
    let left = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      if (kill % killsPerSession === 0) token = (await server.login('admin', server.adminPassword)).token;
      const wanted = 1 + Math.floor(random() * 30);
      const round = await writeUntilKilled(server, token, `kill ${kill}`, wanted);
      server = await start();
      const { groups, entries, isWhole } = storedGroups(dataFolder, `kill ${kill} %`);
      expect(isWhole).toBe(true);
      expect(round.filter((name) => !groups.includes(name))).toEqual([]);
      // Nothing is half there either: a group without an entry, or an entry without its group.
      expect(entries.toSorted()).toEqual(groups.map((name) => `created group ${name}`).toSorted());
      acknowledged.push(...round);
      left += groups.length - round.length;
      if ((kill + 1) % 250 === 0)
        figure('E5', `so far ${kill + 1} SIGKILLs, ${acknowledged.length} acknowledged writes: 0 lost`);
    }
    const { groups } = storedGroups(dataFolder, 'kill %');
    const kept = new Set(groups);
    expect(acknowledged.filter((name) => !kept.has(name))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(kills);
    await server.stop();
    figure('E5', `${kills} SIGKILLs under load, ${acknowledged.length} acknowledged writes: 0 lost, 0 corrupt`);
    figure('E5', `${left} more were durable before their answer could be sent; each has its audit entry`);
  });

  it.skipIf(!mayMount)('stays whole on a full disk, which is told as a failure and passes', async () => {
    const launcher = onSmallDisk(dataFolder);
    const server = await startServer({ dataFolder, launcher });
    const onDisk = path.join(`/proc/${server.process.pid}/root`, dataFolder);
    try {
      const admin = await server.login('admin', server.adminPassword);
      const kept: string[] = [];
      let refused = 0;
      for (let count = 0; refused < 20; count += 1) {
        const name = `full ${count} ${'x'.repeat(5_000)}`;
        if (await saveGroup(admin, name)) kept.push(name);
        else refused += 1;
        expect(count).toBeLessThan(10_000);
      }
      // It still answers, with what it acknowledged and nothing that it refused.
      const { json } = await admin.call('Group/GetAllSecurityGroups');
      const listed = z.array(z.looseObject({ GroupName: z.string() })).parse(json);
      const names = listed.map(({ GroupName }) => GroupName).filter((name) => name.startsWith('full '));
      expect(names.toSorted()).toEqual(kept.toSorted());

      await rm(path.join(onDisk, 'filler'));
      expect(await saveGroup(admin, 'full no more')).toBe(true);
      const { groups, entries, isWhole } = storedGroups(onDisk, 'full %');
      expect(isWhole).toBe(true);
      expect(groups.toSorted()).toEqual([...kept, 'full no more'].toSorted());
      expect(entries.toSorted()).toEqual(groups.map((name) => `created group ${name}`).toSorted());
      figure('E5', `full disk: ${kept.length} acknowledged writes, 0 lost; ${refused} refused, 0 stored; 0 corrupt`);
    } finally {
      await server.stop();
    }
  });
});

/** Numbers from 0 to 1, the same in every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What SaveSecurityGroup needs beside a name. */
const newGroup = { GroupRoles: [], Membership: [], AllUsers: [], AllRoles: [] };

/** Saves a group; whether the server acknowledged it. @throws Error when the connection breaks. */
async function saveGroup({ call }: Pick<SignedIn, 'call'>, GroupName: string): Promise<boolean> {
  const group = { ...newGroup, GroupName };
  const { json } = await call('Group/SaveSecurityGroup', { group });
  return isRecord(json) && json.ErrorCode === 0;
}

/** Writes on several connections at once and kills the server at the acknowledgement `wanted`; returns what it acknowledged. */
async function writeUntilKilled(server: TestServer, token: string, name: string, wanted: number): Promise<string[]> {
  const acknowledged: string[] = [];
  let killed: Promise<void> | undefined;
  const call: SignedIn['call'] = (endpoint, body) => server.call(endpoint, { ...body, sessionToken: token });
  const write = async (writer: number) => {
    for (let count = 0; ; count += 1) {
      const group = `${name} ${writer} ${count}`;
      let isSaved: boolean;
      try {
        isSaved = await saveGroup({ call }, group);
      } catch (error) {
        if (killed) return;
        throw error;
      }
      if (!isSaved) throw new Error(`The server refused ${group}`);
      acknowledged.push(group);
      if (acknowledged.length >= wanted) killed ??= server.kill();
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  await killed;
  return acknowledged;
}

/** Groups with a name like `pattern`, the audit entries of their creation, and whether the database is whole. */
function storedGroups(folder: string, pattern: string): { groups: string[]; entries: string[]; isWhole: boolean } {
  return readServerState(folder, (database) => {
    const texts = (sql: string, like: string) =>
      database
        .prepare(sql)
        .all(like)
        .map(({ text }) => String(text));
    return {
      groups: texts('SELECT name AS text FROM security_group WHERE name LIKE ?', pattern),
      entries: texts('SELECT detail AS text FROM audit_entry WHERE detail LIKE ?', `created group ${pattern}`),
      isWhole: database.prepare('PRAGMA integrity_check').get()?.integrity_check === 'ok',
    };
  });
}
