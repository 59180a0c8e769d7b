import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SlicedWork } from '../../../../src/server/calls/turns.ts';
import type { JsonRows, QueryOptions, RowQuery } from '../../../../src/server/databases/database.ts';
import { DatabaseError } from '../../../../src/server/databases/database.ts';
import { ServerQuery } from '../../../../src/server/databases/serverDatabase.ts';

/** Keeps the processor busy for a millisecond. */
function work(): void {
  for (const end = performance.now() + 1; performance.now() < end;);
}

/** Counts the turns of the event loop until it is stopped: in each, other calls can run. */
function countTurns() {
  let count = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; count += 1) await nextTurn();
  })();
  return {
    count: () => count,
    stop: () => {
      isOver = true;
      return counting;
    },
  };
}

/** A database that has all rows at hand, as one that fills its socket faster than they are written. */
class FastQuery extends ServerQuery {
  #left = 40;
  constructor() {
    const options: QueryOptions = { signal: new AbortController().signal, timeoutMs: 60_000 };
    super('Fast', options);
  }
  begin(_query: RowQuery): Promise<void> {
    return Promise.resolve();
  }
  protected next(): Promise<Iterable<JsonRows> | undefined> {
    if (this.#left === 0) return Promise.resolve(undefined);
    this.#left -= 10;
    return Promise.resolve(Array.from({ length: 10 }, () => ({ count: 1, json: '{}' })));
  }
  protected release(): Promise<void> {
    return Promise.resolve();
  }
  protected explain(error: unknown): DatabaseError {
    return new DatabaseError('failed', String(error));
  }
}

it('lets other calls run while a fast database sends rows', async () => {
  const turns = countTurns();
  let rows = 0;
  for await (const { count } of new FastQuery().rows()) {
    rows += count;
    work();
  }
  const passed = turns.count();
  await turns.stop();
  expect(rows).toBe(40);
  expect(passed).toBeGreaterThan(5);
});

it('runs one slice of all long work in a turn', async () => {
  const turns = countTurns();
  const resumed: number[] = [];
  const slices = async () => {
    const sliced = new SlicedWork();
    for (let slice = 0; slice < 3; slice += 1) {
      await sliced.pause();
      resumed.push(turns.count());
      for (let busy = 0; busy < 3; busy += 1) work();
    }
  };
  await Promise.all([slices(), slices(), slices()]);
  await turns.stop();
  expect(resumed).toHaveLength(9);
  expect(new Set(resumed).size).toBe(9);
});
