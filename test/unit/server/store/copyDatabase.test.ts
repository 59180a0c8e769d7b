import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Store } from '../../../../src/server/store/store.ts';

let folder: string;
let store: Store;
let target: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'analytics-copy-'));
  target = path.join(folder, 'copy.db');
  const steps = ['CREATE TABLE entry (round INTEGER, half INTEGER, filler TEXT)'];
  store = Store.open(path.join(folder, 'state.db'), [{ room: 'entries', steps }]);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

/** Rounds that are kept: more than one part of a copy, and never so many that copies become slow. */
const keptRounds = 200;

function add(round: number): void {
  store.transaction(() => {
    for (let half = 0; half < 20; half += 1)
      store.run('INSERT INTO entry VALUES (?, ?, ?)', round, half, 'x'.repeat(300));
    store.run('DELETE FROM entry WHERE round <= ?', round - keptRounds);
  });
}

it('succeeds while transactions are always running, with all or nothing of each', async () => {
  let round = 0;
  let isWriting = true;
  const write = () => {
    round += 1;
    add(round);
    if (isWriting) setImmediate(write);
  };
  write();
  for (let copy = 0; copy < 20; copy += 1) {
    writeFileSync(target, '');
    const before = round;
    await store.copyTo(target, () => undefined);
    const database = new DatabaseSync(target);
    const rounds = database.prepare('SELECT round, count(*) AS count FROM entry GROUP BY round ORDER BY round').all();
    database.close();
    expect(rounds.every(({ count }) => count === 20)).toBe(true);
    expect(rounds.at(-1)?.round).toBeGreaterThanOrEqual(before);
    expect(rounds).toHaveLength(Math.min(Number(rounds.at(-1)?.round), keptRounds));
    rmSync(target);
  }
  isWriting = false;
});

it('ends when the progress callback throws, and leaves the database usable', async () => {
  for (let round = 0; round < keptRounds; round += 1) add(round);
  writeFileSync(target, '');
  const cancelled = store.copyTo(target, () => {
    throw new Error('The client has left');
  });
  await expect(cancelled).rejects.toThrow('The client has left');
  add(keptRounds);
});
