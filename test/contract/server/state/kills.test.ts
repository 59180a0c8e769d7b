import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thisRelease } from '../../../../src/server/store/store.ts';
import { figure } from '../../../support/run/figure.ts';
import { soakSize } from '../../../support/run/soakSize.ts';
import { folderWithState, keptState } from '../../../support/state/keptState.ts';
import { runCommand } from '../../../support/state/runCommand.ts';
import { startOnState } from '../../../support/state/startOnState.ts';

/*
 * SIGKILL before each operation on the disk of an upgrade, a backup, a restore and the rotation of backups and logs. Afterwards the
 * server starts on the folder with all that was acknowledged, and every file that is called a backup is one.
 */

const script = 'test/support/state/killedCommand.ts';
const rotation = 'test/support/state/killedRotation.ts';
/** Kills of each kind. */
const kills = soakSize(3, 400);
const time = { timeout: soakSize(600_000, 14_400_000) };

let scratch: string;
let start: string;
let folder: string;
beforeEach(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'analytics-kills-'));
  folder = path.join(scratch, 'data');
  start = folderWithState(keptState('0.1.0'));
});
afterEach(() => {
  for (const each of [scratch, start]) rmSync(each, { recursive: true });
});

interface Killed {
  /** Script and its arguments, the first of which is the operation. */
  run: readonly [script: string, ...args: string[]];
  /** Prepares the folder of each kill. */
  prepare?: () => void;
  /** Checks what a kill left, beyond that the server starts. */
  check: (out: string) => void | Promise<void>;
}

/** Operations spread over a run that has `operations` of them; with more kills than these, again from the first. */
function operationAt(kill: number, operations: number): number {
  return kills <= operations ? 1 + Math.floor((kill * operations) / kills) : 1 + (kill % operations);
}

/** Number of operations of a run, by bisection: it is killed before the n-th unless it has fewer. */
async function countOperations(killed: (operation: number) => Promise<boolean>): Promise<number> {
  let [least, most] = [0, 128];
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (await killed(middle)) least = middle;
    else most = middle;
  }
  return least;
}

async function killEach(what: string, { run: [file, ...args], prepare, check }: Killed): Promise<void> {
  const kill = async (operation: number) => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(start, folder, { recursive: true });
    prepare?.();
    return runCommand([String(operation), ...args], { script: file });
  };
  const operations = await countOperations(async (operation) => (await kill(operation)).signal === 'SIGKILL');
  expect(operations).toBeGreaterThan(5);
  for (let count = 0; count < kills; count += 1) {
    const { signal, out } = await kill(operationAt(count, operations));
    expect(signal).toBe('SIGKILL');
    await check(out);
  }
  figure(
    'E5',
    `${kills} SIGKILLs during ${what}, at ${Math.min(kills, operations)} of ${operations} operations: 0 lost`,
  );
}

function groupNames(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    return database
      .prepare('SELECT name FROM security_group ORDER BY id')
      .all()
      .map(({ name }) => String(name));
  } finally {
    database.close();
  }
}

const state = () => path.join(folder, 'state.db');

/** The server starts on the folder and has these groups. */
async function expectServed(...groups: readonly string[][]): Promise<void> {
  await (await startOnState(folder)).stop();
  expect(groups).toContainEqual(groupNames(state()));
}

/** Every file with the name of a backup in these folders is whole and has these groups. */
function expectBackups(groups: readonly string[], ...folders: string[]): void {
  for (const each of folders.filter((name) => existsSync(name))) {
    const names = readdirSync(each).filter((name) => /\.db$/.test(name));
    for (const name of names) expect(groupNames(path.join(each, name))).toEqual(groups);
  }
}

describe('a SIGKILL before any operation', () => {
  const backups = () => path.join(folder, 'backups');
  let before: string[];
  beforeEach(() => {
    before = groupNames(path.join(start, 'state.db'));
    expect(before.length).toBeGreaterThan(2);
  });

  it(
    'of an upgrade leaves a state that is upgraded at the next start, with a copy of the one before',
    time,
    async () => {
      await killEach('upgrade', {
        run: ['test/support/state/killedOpen.ts', state()],
        check: async () => {
          expectBackups(before, backups());
          await expectServed(before);
          expect(readdirSync(backups()).filter((name) => name.endsWith('.db'))).toEqual([`before-${thisRelease}.db`]);
        },
      });
    },
  );

  it('of a backup leaves the state, and no half backup under its name', time, async () => {
    await killEach('backup', {
      run: [script, 'backup', '--data', folder],
      check: async () => {
        expectBackups(before, backups());
        await expectServed(before);
      },
    });
  });

  it('of a restore leaves the old state or the new one, and the old one also as a backup', time, async () => {
    const from = path.join(scratch, 'from.db');
    copyFileSync(path.join(start, 'state.db'), from);
    const changed = ['later', ...before.slice(1)];
    await killEach('restore', {
      run: [script, 'restore', '--data', folder, '--from', from, '--yes'],
      prepare: () => {
        const database = new DatabaseSync(state());
        database.exec("UPDATE security_group SET name = 'later' WHERE id = (SELECT min(id) FROM security_group)");
        database.close();
      },
      check: async () => {
        expectBackups(changed, backups());
        const isRestored = groupNames(state())[0] !== 'later';
        if (isRestored) expect(readdirSync(backups()).some((name) => /^replaced-.*\.db$/.test(name))).toBe(true);
        await expectServed(before, changed);
      },
    });
  });

  it('of the rotation of backups leaves whole ones, the latest among them', time, async () => {
    const kept = path.join(folder, 'daily');
    await killEach('rotation of backups', {
      run: [rotation, 'backups', folder, kept],
      prepare: () => {
        mkdirSync(kept);
        for (let day = 10; day < 30; day += 1) {
          copyFileSync(path.join(start, 'state.db'), path.join(kept, `daily-2026-01-${day}T03-00-00.db`));
        }
      },
      check: async () => {
        expectBackups(before, kept);
        expect(readdirSync(kept)).toContain('daily-2026-01-29T03-00-00.db');
        await expectServed(before);
      },
    });
  });

  it('of the rotation of logs loses no entry of the files that are kept', time, async () => {
    const log = path.join(folder, 'server.log');
    await killEach('rotation of logs', {
      run: [rotation, 'log', log],
      prepare: () => writeFileSync(log, ''),
      check: (out) => {
        const said = out.trim() === '' ? -1 : Number(out.trim().split('\n').at(-1));
        const lines = readdirSync(folder)
          .filter((name) => name.startsWith('server.log'))
          .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'));
        const found = lines.flatMap((line) => /entry (\d+)/.exec(line)?.[1] ?? []).map(Number);
        // Three entries fit a file; three earlier files are kept, and one more is being written.
        const first = Math.max(0, said - 8);
        for (let entry = first; entry <= said; entry += 1) expect(found).toContain(entry);
      },
    });
  });
});
