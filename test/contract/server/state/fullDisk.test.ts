import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderWithState, keptState } from '../../../support/state/keptState.ts';
import { runCommand, type EndedCommand } from '../../../support/state/runCommand.ts';
import { startOnState } from '../../../support/state/startOnState.ts';
import { mayMount } from '../../../support/state/smallDisk.ts';
import { serverScript } from '../../../support/serverScript.ts';

/* Disks that are full at some point of an upgrade, a backup, a restore or the rotation of backups. */

/** Runs a command on a copy of `$1` on a disk of `$2` KB that only it sees, mounted on `$0`, and copies the result to `$3`. */
const onSmallDisk = `mount -t tmpfs -o size="$2"k,mode=700 tmpfs "$0" && cp -a "$1/." "$0" || exit 99
  to="$3"; from="$0"; shift 3; "$@"; code=$?; cp -a "$from/." "$to" && exit $code`;

/** A state to restore, outside the small disks. */
const keptFolder = folderWithState(keptState('0.1.0'));
afterAll(() => rmSync(keptFolder, { recursive: true }));

let scratch: string;
let start: string;
/** Where the small disk is while a command runs, and a copy of what it held afterwards. */
let disk: string;
let after: string;
beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'analytics-full-'));
  [disk, after] = [path.join(scratch, 'data'), path.join(scratch, 'after')];
  mkdirSync(disk);
  start = folderWithState(keptState('0.1.0'));
});
afterEach(() => {
  for (const each of [scratch, start]) rmSync(each, { recursive: true });
});

function kilobytes(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + Math.ceil(statSync(path.join(folder, name)).size / 4096) * 4 + 4, 0);
}

/** Runs a command with ever more space until it succeeds, and `check` after each. */
async function withMoreSpace(
  command: readonly [script: string, ...args: string[]],
  check: (ended: EndedCommand) => Promise<void>,
): Promise<void> {
  const [script, ...args] = command;
  const used = kilobytes(start);
  const state = Math.ceil(statSync(path.join(start, 'state.db')).size / 1024);
  let failures = 0;
  for (let part = 0; ; part += 1) {
    rmSync(after, { recursive: true, force: true });
    mkdirSync(after, { mode: 0o700 });
    const size = used + 16 + Math.floor((part * state) / 3);
    const launcher = ['unshare', '-rm', 'sh', '-c', onSmallDisk, disk, start, String(size), after];
    const ended = await runCommand(args, { script, launcher });
    await check(ended);
    if (ended.code === 0) break;
    failures += 1;
    // The other scripts call the parts of the server that leave it to their caller to name the disk.
    if (script === serverScript) expect(ended.err).toMatch(`The disk of ${disk}`);
    expect(ended.err).toMatch(/full|ENOSPC|space|SQLITE_IOERR|disk I\/O error/);
    expect(failures).toBeLessThan(40);
  }
  expect(failures).toBeGreaterThan(0);
}

function groupNames(file: string): string[] {
  const database = new DatabaseSync(file);
  try {
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const rows = database.prepare('SELECT name FROM security_group ORDER BY id').all();
    return rows.map(({ name }) => String(name));
  } finally {
    database.close();
  }
}

/** Every backup of a folder is whole, and the server starts once there is space; returns its groups. */
async function servedGroups(before: readonly string[], backups = path.join(after, 'backups')): Promise<string[]> {
  const names = statSync(backups, { throwIfNoEntry: false }) ? readdirSync(backups) : [];
  for (const name of names.filter((each) => each.endsWith('.db'))) {
    expect(groupNames(path.join(backups, name))).toEqual(before);
  }
  await (await startOnState(after)).stop();
  return groupNames(path.join(after, 'state.db'));
}

describe.skipIf(!mayMount)('a disk that is full', { timeout: 300_000 }, () => {
  let before: string[];
  beforeEach(() => {
    before = groupNames(path.join(start, 'state.db'));
  });

  it('during an upgrade leaves the earlier state', async () => {
    await withMoreSpace(['test/support/state/killedOpen.ts', '0', path.join(disk, 'state.db')], async () => {
      expect(await servedGroups(before)).toEqual(before);
    });
  });

  it('during a backup leaves no half one', async () => {
    await withMoreSpace([serverScript, 'backup', '--data', disk], async ({ code }) => {
      const made = statSync(path.join(after, 'backups'), { throwIfNoEntry: false })
        ? readdirSync(path.join(after, 'backups'))
        : [];
      expect(made).toHaveLength(code === 0 ? 1 : 0);
      expect(await servedGroups(before)).toEqual(before);
    });
  });

  it('during a restore leaves the state as it was', async () => {
    const from = path.join(scratch, 'from.db');
    copyFileSync(path.join(start, 'state.db'), from);
    const database = new DatabaseSync(path.join(start, 'state.db'));
    database.exec("UPDATE security_group SET name = 'later' WHERE id = (SELECT min(id) FROM security_group)");
    database.close();
    const later = ['later', ...before.slice(1)];
    const command = [serverScript, 'restore', '--data', disk, '--from', from, '--yes'] as const;
    await withMoreSpace(command, async ({ code }) => {
      expect(await servedGroups(later)).toEqual(code === 0 ? before : later);
    });
  });

  it('during the rotation of backups deletes none without a new one', async () => {
    const daily = path.join(start, 'daily');
    mkdirSync(daily);
    const old = [10, 11, 12].map((day) => `daily-2026-01-${day}T03-00-00.db`);
    for (const name of old) cpSync(path.join(start, 'state.db'), path.join(daily, name));
    const run = ['test/support/state/killedRotation.ts', '0', 'backups', disk, path.join(disk, 'daily')] as const;
    await withMoreSpace(run, async ({ code }) => {
      const kept = path.join(after, 'daily');
      if (code !== 0) expect(readdirSync(kept).sort()).toEqual(old);
      expect(readdirSync(kept).filter((name) => name.endsWith('.db'))).toHaveLength(code === 0 ? 4 : 3);
      expect(await servedGroups(before, kept)).toEqual(before);
    });
  });
});

describe.skipIf(!mayMount)('a disk that takes no more', { timeout: 120_000 }, () => {
  /** Runs a command of the server on a disk after `prepare`, a shell script that knows the disk as `$0`. */
  const runAfter = (prepare: string, ...args: string[]) => {
    const script = `mount -t tmpfs -o size=64m,mode=700 tmpfs "$0" && cp -a "$1/." "$0" && shift || exit 99
      ${prepare}
      exec "$@"`;
    return runCommand(args, { launcher: ['unshare', '-rm', 'sh', '-c', script, disk, start] });
  };
  const fill = 'dd if=/dev/zero of="$0/filler" bs=4k 2>/dev/null';
  const commands: [name: string, ...args: string[]][] = [
    ['start'],
    ['check', 'check'],
    ['backup', 'backup'],
    ['restore', 'restore', '--from', path.join(keptFolder, 'state.db'), '--yes'],
  ];

  it.each(commands)('is reported with the space left and the next step: %s', async (_name, ...args) => {
    const { code, err } = await runAfter(fill, ...args, '--data', disk);
    expect(err).toContain(`The disk of ${disk}`);
    expect(err).toMatch(/ is full: \d+ KB left\. Free some space there, and try again\.\n$/);
    expect(code).toBe(1);
  });

  it.each(commands)('is named when it is read-only: %s', async (_name, ...args) => {
    const { code, err } = await runAfter('mount -o remount,ro "$0"', ...args, '--data', disk);
    expect(err).toContain(`The data of ${disk} cannot be used (it is read-only). Check its disk`);
    expect(code).toBe(1);
  });

  it('is not taken for a folder that another server uses', async () => {
    const { err } = await runAfter('rm -f "$0/server.lock"; mount -o remount,nr_inodes=4 "$0"', '--data', disk);
    expect(err).not.toContain('in use by another server');
    expect(err).toContain(disk);
  });
});
