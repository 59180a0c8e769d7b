import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { isRecord } from '../../../support/isRecord.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';
import { runCommand } from '../../../support/state/runCommand.ts';

/*
 * The drill of a disaster: clients write at random while a backup is made, the server is killed, and the backup is restored. The
 * restored groups are those of one moment: those that its audit trail leads to, which is the beginning of the killed server's.
 */

const writers = 4;
const groupFields = { GroupRoles: [], Membership: [], AllUsers: [], AllRoles: [] };

let folder: string;
let server: TestServer;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'analytics-drill-'));
  server = await startServer({ dataFolder: path.join(folder, 'data') });
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

interface Load {
  /** Audit entries of the acknowledged writes, such as 'created group drill 1 2'. */
  acknowledged: string[];
  /** Ends with the server. */
  ended: Promise<void>;
  kill(): Promise<void>;
}

/** Creates, changes and deletes groups at random; the description of a group counts its changes. */
function writeAtRandom({ call }: SignedIn): Load {
  const acknowledged: string[] = [];
  let killed: Promise<void> | undefined;
  const send = async (endpoint: string, group: object, entry: string) => {
    const { json, text } = await call(endpoint, { group });
    if (!isRecord(json) || json.ErrorCode !== 0) throw new Error(text);
    acknowledged.push(entry);
    return json;
  };
  const write = async (writer: number) => {
    const own: { name: string; changes: number; group: object }[] = [];
    for (let count = 0; ; count += 1) {
      const at = Math.floor(Math.random() * own.length);
      const chosen = Math.random() < 0.6 ? own[at] : undefined;
      if (!chosen) {
        const name = `drill ${writer} ${count}`;
        const group = { ...groupFields, GroupName: name, GroupDescription: '0' };
        own.push({ name, changes: 0, group: await send('Group/SaveSecurityGroup', group, `created group ${name}`) });
      } else if (Math.random() < 0.4) {
        own.splice(at, 1);
        await send('Group/DeleteSecurityGroup', chosen.group, `deleted group ${chosen.name}`);
      } else {
        chosen.changes += 1;
        const group = { ...chosen.group, GroupDescription: String(chosen.changes) };
        chosen.group = await send('Group/SaveSecurityGroup', group, `saved group ${chosen.name}`);
      }
    }
  };
  const untilKilled = async (writer: number) => {
    try {
      await write(writer);
    } catch (error) {
      if (!killed) throw error;
    }
  };
  const ended = Promise.all(Array.from({ length: writers }, (_, writer) => untilKilled(writer))).then(() => undefined);
  return { acknowledged, ended, kill: () => (killed ??= server.kill()) };
}

/** Groups of the drill that a sequence of audit entries leads to, by name, with their number of changes. */
function replayed(entries: readonly string[]): Record<string, string> {
  const changes = new Map<string, number>();
  for (const entry of entries) {
    const [, verb = '', name = ''] = /^(created|saved|deleted) group (drill .+)$/.exec(entry) ?? [];
    if (verb === 'deleted') changes.delete(name);
    else if (verb !== '') changes.set(name, verb === 'created' ? 0 : (changes.get(name) ?? NaN) + 1);
  }
  return Object.fromEntries([...changes].map(([name, count]) => [name, String(count)]));
}

/** Details of the audit trail, of a copy of the data: reading it would write the journal back. */
function auditEntries(): string[] {
  const copy = path.join(folder, 'copy');
  cpSync(path.join(folder, 'data'), copy, { recursive: true });
  const database = new DatabaseSync(path.join(copy, 'state.db'));
  try {
    const rows = database.prepare('SELECT detail FROM audit_entry ORDER BY id').all();
    return rows.map(({ detail }) => String(detail));
  } finally {
    database.close();
    rmSync(copy, { recursive: true });
  }
}

it('brings back the state of one moment under load', { timeout: 120_000 }, async () => {
  const dataFolder = path.join(folder, 'data');
  const { adminPassword } = server;
  const load = writeAtRandom(await server.login('admin', adminPassword));
  const until = async (count: number) => {
    while (load.acknowledged.length < count) await Promise.race([new Promise(setImmediate), load.ended]);
  };
  await until(40);
  const before = [...load.acknowledged];
  const file = path.join(folder, 'backup.db');
  expect(await runCommand(['backup', '--data', dataFolder, '--to', file])).toMatchObject({ code: 0, err: '' });
  await until(load.acknowledged.length + 40);
  await load.kill();
  await load.ended;
  const all = auditEntries();

  expect(await runCommand(['restore', '--data', dataFolder, '--from', file, '--yes'])).toMatchObject({ code: 0 });
  const restored = auditEntries();
  expect(restored.pop()).toMatch(/^restored the state of /);
  expect(restored).toEqual(all.slice(0, restored.length));
  expect(all.length).toBeGreaterThan(restored.length + 30);
  expect(restored).toEqual(expect.arrayContaining(before));
  expect(await runCommand(['check', '--data', dataFolder])).toMatchObject({ code: 0 });

  server = await startServer({ dataFolder });
  const admin = await server.login('admin', adminPassword);
  const groups = z
    .array(z.looseObject({ GroupName: z.string(), GroupDescription: z.string() }))
    .parse((await admin.call('Group/GetAllSecurityGroups')).json)
    .filter(({ GroupName }) => GroupName.startsWith('drill '));
  const found = Object.fromEntries(groups.map(({ GroupName, GroupDescription }) => [GroupName, GroupDescription]));
  expect(found).toEqual(replayed(restored));
  expect(Object.keys(found).length).toBeGreaterThan(3);
});
