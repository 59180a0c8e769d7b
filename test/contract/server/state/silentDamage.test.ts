import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDraft, finishBackup } from '../../../../src/server/backups/backupFile.ts';
import { stateSchemas } from '../../../../src/server/schemas.ts';
import { Store } from '../../../../src/server/store/store.ts';
import { folderWithState, keptState } from '../../../support/state/keptState.ts';
import { runCommand } from '../../../support/state/runCommand.ts';
import { expectRefused, startOnState } from '../../../support/state/startOnState.ts';
import { waitFor } from '../../../support/waitFor.ts';

/*
 * Damage that SQLite itself does not notice, or takes for the end of its journal: changed letters, and a journal that is changed,
 * cut short or gone.
 */

const offsets = (length: number, count = 20) =>
  Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * length) / count));

let scratch: string;
/** Folder of a server that stopped, and of one that was killed after 60 commits. */
let stopped: string;
let killed: string;
/** Backup that the latter made after 30 commits. */
let backup: string;
let folder: string;
let stateFile: string;

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'analytics-silent-'));
  stopped = folderWithState(keptState('0.1.0'));
  const grow = new DatabaseSync(path.join(stopped, 'state.db'));
  // A list of free pages, and pages of a text that is longer than one.
  grow.exec(`UPDATE security_group SET description = hex(zeroblob(40000)) WHERE id = 1;
    CREATE TABLE short_lived AS SELECT hex(zeroblob(9000)) AS text; DROP TABLE short_lived`);
  grow.close();
  await (await startOnState(stopped)).stop();
  killed = path.join(scratch, 'killed');
  cpSync(stopped, killed, { recursive: true });
  const store = Store.open(path.join(killed, 'state.db'), stateSchemas);
  store.mark();
  backup = path.join(scratch, 'backup.db');
  for (let count = 0; count < 60; count += 1) {
    if (count === 30) {
      const draft = createDraft(backup);
      await store.copyTo(draft, () => undefined);
      finishBackup(draft, backup, { release: '0.2.0', moment: new Date() });
    }
    store.run('UPDATE security_group SET description = ? WHERE id = 2', `commit ${count}`);
  }
  const seal = path.join(killed, 'state.seal');
  const isNoted = () => Promise.resolve(readFileSync(seal, 'utf8').includes('journalBytes'));
  await waitFor('the length of the journal', isNoted);
  const copy = path.join(scratch, 'copy');
  cpSync(killed, copy, { recursive: true });
  store.close();
  killed = copy;
});
afterAll(() => {
  for (const each of [scratch, stopped]) rmSync(each, { recursive: true });
});

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'analytics-silent-'));
  stateFile = path.join(folder, 'state.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const take = (from: string) => cpSync(from, folder, { recursive: true });

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = bytes.readUInt8(at) ^ 0x01;
  writeFileSync(file, bytes);
}

const nextStep = /server\.js restore --data/;

/** Offset in the middle of a page of each type, as SQLite's file format says. */
function pagesByType(file: string): Record<string, number> {
  const bytes = readFileSync(file);
  const types: Record<number, string> = { 5: 'table, interior', 10: 'index', 13: 'table' };
  const found: Record<string, number> = {
    header: 30,
    schema: 700,
    'free list': (bytes.readUInt32BE(32) - 1) * 1024 + 20,
  };
  for (let page = 1; page < bytes.length / 1024; page += 1) {
    const type = types[bytes.readUInt8(page * 1024)];
    if (type !== undefined) found[type] = page * 1024 + 1000;
  }
  found['long text'] = bytes.indexOf('0'.repeat(900));
  return found;
}

describe('the state of a server that stopped', () => {
  it('is refused when a bit of any part of it is flipped', async () => {
    take(stopped);
    const bytes = readFileSync(stateFile);
    const byType = pagesByType(stateFile);
    expect(Object.keys(byType)).toHaveLength(7);
    expect(Object.values(byType).every((at) => at > 0)).toBe(true);
    for (const at of [...Object.values(byType), ...offsets(bytes.length)]) {
      flip(stateFile, at);
      await expectRefused(folder, stateFile, nextStep, 'Nothing was changed');
      writeFileSync(stateFile, bytes);
    }
    await expect(startOnState(folder).then((server) => server.stop())).resolves.toBeUndefined();
  });

  it('is refused when it is cut short or replaced by an earlier one, unless that is confirmed', async () => {
    take(stopped);
    const { length } = readFileSync(stateFile);
    for (const at of offsets(length).reverse()) {
      truncateSync(stateFile, at);
      await expectRefused(folder, stateFile, nextStep);
    }
    writeFileSync(stateFile, keptState('0.1.0'));
    await expectRefused(folder, 'is damaged or was changed since the server stopped', /delete .*state\.seal and start/);
    rmSync(path.join(folder, 'state.seal'));
    await expect(startOnState(folder).then((server) => server.stop())).resolves.toBeUndefined();
  });

  it('is refused when its seal is damaged', async () => {
    take(stopped);
    const seal = path.join(folder, 'state.seal');
    const bytes = readFileSync(seal);
    for (const at of offsets(bytes.length)) {
      flip(seal, at);
      await expectRefused(folder, seal, 'Nothing was changed');
      writeFileSync(seal, bytes.subarray(0, at));
      await expectRefused(folder, seal, 'Nothing was changed');
      writeFileSync(seal, bytes);
    }
  });

  it(
    'is neither copied nor checked as whole with a changed letter, and is kept as it is by a restore',
    { timeout: 120_000 },
    async () => {
      take(stopped);
      const backup = path.join(folder, 'kept.db');
      expect((await runCommand(['backup', '--data', folder, '--to', backup])).code).toBe(0);
      flip(stateFile, readFileSync(stateFile).indexOf('Everyone on'));
      const damaged = readFileSync(stateFile);
      for (const command of [['backup', '--to', path.join(folder, 'other.db')], ['check'], ['check', '--fix']]) {
        const [name = '', ...more] = command;
        const { code, err } = await runCommand([name, '--data', folder, ...more]);
        expect([code, err]).toEqual([1, expect.stringContaining('its digest does not match')]);
      }
      expect(readFileSync(stateFile).equals(damaged)).toBe(true);
      const { out, code } = await runCommand(['restore', '--data', folder, '--from', backup, '--yes']);
      expect(code).toBe(0);
      expect(readFileSync(/kept as (.*\.damaged)/.exec(out)?.[1] ?? '').equals(damaged)).toBe(true);
      await expect(startOnState(folder).then((server) => server.stop())).resolves.toBeUndefined();
    },
  );
});

describe('the journal of a server that was killed', () => {
  const journal = () => `${stateFile}-wal`;
  /** Bytes of all commits but the last two; each begins with the frame after a commit. */
  function earlierCommits(): number {
    const bytes = readFileSync(journal());
    const salts = bytes.subarray(16, 24);
    const ends: number[] = [];
    for (let at = 32; at + 1048 <= bytes.length; at += 1048) {
      const isOwn = bytes.subarray(at + 8, at + 16).equals(salts);
      if (isOwn && bytes.readUInt32BE(at + 4) !== 0) ends.push(at + 1048);
    }
    expect(ends.length).toBe(60);
    return ends.at(-3) ?? 0;
  }

  /** The text that the commits changed, after a start. */
  async function servedText(): Promise<unknown> {
    await (await startOnState(folder)).stop();
    const database = new DatabaseSync(stateFile, { readOnly: true });
    const { description } = database.prepare('SELECT description FROM security_group WHERE id = 2').get() ?? {};
    database.close();
    return description;
  }

  it('is written back when it is whole', async () => {
    take(killed);
    expect(await servedText()).toBe('commit 59');
  });

  it.each([
    ['a backup of the same run', () => readFileSync(backup), 'commit 29'],
    ['the state of the run before', () => readFileSync(path.join(stopped, 'state.db')), undefined],
    ['the state of another release', () => keptState('0.1.0'), undefined],
    ['a few bytes', () => Buffer.from('none'), undefined],
  ])('is not applied to %s that was put beside it', async (_what, bytes, text) => {
    take(killed);
    writeFileSync(stateFile, bytes());
    await expectRefused(folder, stateFile, 'Nothing was changed', nextStep);
    if (bytes().length < 100) return;
    await expectRefused(folder, `was replaced or damaged while its journal ${journal()} was left`);
    // The way out that the message names.
    for (const file of [journal(), path.join(folder, 'state.seal')]) rmSync(file);
    const served = await servedText();
    expect(served).not.toBe('commit 59');
    if (text !== undefined) expect(served).toBe(text);
  });

  it.each(['with', 'without'])('is refused when a bit of a commit is flipped (%s a seal)', async (how) => {
    take(killed);
    if (how === 'without') rmSync(path.join(folder, 'state.seal'));
    const bytes = readFileSync(journal());
    for (const at of [...offsets(32, 8), ...offsets(earlierCommits())]) {
      flip(journal(), at);
      await expectRefused(folder, stateFile, journal(), nextStep, 'Nothing was changed');
      writeFileSync(journal(), bytes);
    }
  });

  it('is refused when it is cut short or gone', async () => {
    take(killed);
    const { length } = readFileSync(journal());
    for (const at of offsets(length).reverse()) {
      truncateSync(journal(), at);
      await expectRefused(folder, journal(), 'is cut short', nextStep);
    }
    rmSync(journal());
    await expectRefused(folder, journal(), 'is missing', nextStep);
  });

  it('is kept with its state by a restore when it is damaged', { timeout: 120_000 }, async () => {
    take(stopped);
    const backup = path.join(folder, 'kept.db');
    expect((await runCommand(['backup', '--data', folder, '--to', backup])).code).toBe(0);
    take(killed);
    flip(journal(), 2_000);
    const [state, damaged] = [readFileSync(stateFile), readFileSync(journal())];
    const { out, code } = await runCommand(['restore', '--data', folder, '--from', backup, '--yes']);
    expect(code).toBe(0);
    const kept = /kept as (.*\.damaged)/.exec(out)?.[1] ?? '';
    expect(readFileSync(kept).equals(state)).toBe(true);
    expect(readFileSync(`${kept}-wal`).equals(damaged)).toBe(true);
    await expect(startOnState(folder).then((server) => server.stop())).resolves.toBeUndefined();
  });
});

describe('the key of stored passwords', () => {
  it('is refused when it is cut short, changed or gone, and replaced only by --new', { timeout: 120_000 }, async () => {
    take(stopped);
    const file = path.join(folder, 'secret.key');
    const key = readFileSync(file);
    for (const at of offsets(key.length)) {
      flip(file, at);
      await expectRefused(folder, file, /Put your copy of it back/);
      writeFileSync(file, key.subarray(0, at));
      await expectRefused(folder, file, /Put your copy of it back/);
      writeFileSync(file, key);
    }
    rmSync(file);
    await expectRefused(folder, file, 'is missing', '--new');
    const said: string[] = [];
    await (await startOnState(folder, { isNew: true, log: (message) => void said.push(message) })).stop();
    expect(said.filter((line) => line.includes('was removed: enter it again'))).not.toEqual([]);
    await expect(startOnState(folder).then((server) => server.stop())).resolves.toBeUndefined();
  });
});
