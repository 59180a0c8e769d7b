import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AutomaticBackupOutcome } from '../../../../src/contract/serverCommands.ts';
import {
  AutomaticBackups,
  lastAutomaticBackup,
  latestBackup,
} from '../../../../src/server/backups/automaticBackups.ts';

const hour = 3_600_000;

let dataFolder: string;
let folder: string;
let outcomes: AutomaticBackupOutcome[];
let fails: string | undefined;
let running: AutomaticBackups[];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-18T03:00:00Z') });
  dataFolder = mkdtempSync(path.join(tmpdir(), 'analytics-daily-'));
  folder = path.join(dataFolder, 'elsewhere');
  outcomes = [];
  fails = undefined;
  running = [];
});
afterEach(async () => {
  for (const backups of running) await backups.stop();
  vi.useRealTimers();
  rmSync(dataFolder, { recursive: true, force: true });
});

function start(limitBytes = 1e9): AutomaticBackups {
  const backups = new AutomaticBackups({
    ...{ dataFolder, folder, limitBytes, installation: 'own', now: () => new Date() },
    makeBackup: async (target) => {
      if (fails !== undefined) throw new Error(fails);
      writeFileSync(target, 'x'.repeat(100));
    },
    onOutcome: (outcome) => void outcomes.push(outcome),
  });
  running.push(backups);
  backups.start();
  return backups;
}

const names = () => readdirSync(folder).sort();

describe('automatic backups', () => {
  it('are made once a day, also by a server that starts again, and old ones are deleted', async () => {
    for (let day = 0; day < 10; day++) {
      const backups = start();
      await vi.advanceTimersByTimeAsync(23 * hour);
      await backups.stop();
      await vi.advanceTimersByTimeAsync(hour);
    }
    expect(outcomes.map(({ reason }) => reason)).toEqual(Array.from({ length: 10 }, () => ''));
    // Of seven days; the last day of the week before is one of them.
    expect(names()).toHaveLength(7);
    expect(names().at(-1)).toMatch(/^daily-2026-03-27T03-/);
    expect(lastAutomaticBackup(dataFolder)).toEqual(outcomes.at(-1));
    expect(lastAutomaticBackup(dataFolder)?.file).toBe(path.join(folder, names().at(-1) ?? ''));
  });

  it('are tried again each hour after a failure, which is recorded with its reason', async () => {
    fails = 'The disk is full';
    start();
    await vi.advanceTimersByTimeAsync(1.5 * hour);
    expect(outcomes.map(({ file, reason }) => [file, reason])).toEqual([
      ['', 'The disk is full'],
      ['', 'The disk is full'],
    ]);
    expect(lastAutomaticBackup(dataFolder)?.reason).toBe('The disk is full');
    fails = undefined;
    await vi.advanceTimersByTimeAsync(hour);
    expect(lastAutomaticBackup(dataFolder)?.reason).toBe('');
    expect(names()).toHaveLength(1);
  });

  it('delete no other file, and never the latest backup', async () => {
    const backups = start(1);
    await vi.advanceTimersByTimeAsync(hour);
    writeFileSync(path.join(folder, 'before-0.2.0.db'), 'x');
    await vi.advanceTimersByTimeAsync(24 * hour);
    expect(names()).toEqual(['before-0.2.0.db', expect.stringMatching(/^daily-2026-03-19T/)]);
    expect(statSync(path.join(folder, names()[1] ?? '')).size).toBe(100);
    await backups.stop();
  });

  it('leave the backups of another server alone, and say whose they are', async () => {
    mkdirSync(folder);
    const other = path.join(folder, 'daily-2026-03-18T02-00-00.db');
    const database = new DatabaseSync(other);
    database.exec("CREATE TABLE installation (identifier TEXT); INSERT INTO installation VALUES ('other')");
    database.close();
    start(1);
    await vi.advanceTimersByTimeAsync(hour);
    expect(outcomes[0]?.reason).toContain(`${folder} has the backups of another server (installation other, not own)`);
    expect(names()).toEqual([path.basename(other)]);
    new DatabaseSync(other).exec("UPDATE installation SET identifier = 'own'");
    await vi.advanceTimersByTimeAsync(26 * hour);
    expect(outcomes.at(-1)?.reason).toBe('');
  });

  it('remove what a killed one left', async () => {
    mkdirSync(folder);
    for (const end of ['', '-wal', '-journal'])
      writeFileSync(path.join(folder, `daily-2026-03-17T03-05-00.db.new${end}`), 'x');
    start();
    await vi.advanceTimersByTimeAsync(hour);
    expect(names()).toEqual([expect.stringMatching(/^daily-2026-03-18T03-.*\.db$/)]);
  });

  it('delete states that restores replaced, damaged or not, after four weeks', async () => {
    const own = path.join(dataFolder, 'backups');
    mkdirSync(own);
    const replaced = ['02-17', '02-19', '03-01'].map((day) => `replaced-2026-${day}T01-00-00`);
    const files = [`${replaced[0]}.damaged`, `${replaced[0]}.damaged-wal`, `${replaced[1]}.db`, `${replaced[2]}.db`];
    for (const name of [...files, 'backup-2026-01-01T01-00-00.db']) writeFileSync(path.join(own, name), 'x');
    start();
    await vi.advanceTimersByTimeAsync(hour);
    const left = readdirSync(own).filter((name) => name !== 'automatic.json');
    expect(left.sort()).toEqual(['backup-2026-01-01T01-00-00.db', ...files.slice(2)]);
  });

  it('end with the server', async () => {
    const backups = start();
    await backups.stop();
    await vi.advanceTimersByTimeAsync(48 * hour);
    expect(outcomes).toEqual([]);
  });

  it('are looked for without creating their folder, which may be a disk that is not mounted', async () => {
    expect([latestBackup(folder), existsSync(folder)]).toEqual([undefined, false]);
    start();
    await vi.advanceTimersByTimeAsync(hour);
    expect(latestBackup(folder)).toEqual(new Date('2026-03-18T03:05:00Z'));
  });

  it('have no outcome before the first, nor if its record is damaged', () => {
    expect(lastAutomaticBackup(dataFolder)).toBeUndefined();
    mkdirSync(path.join(dataFolder, 'backups'));
    writeFileSync(path.join(dataFolder, 'backups', 'automatic.json'), '{"at":');
    expect(lastAutomaticBackup(dataFolder)).toBeUndefined();
  });
});
