import { describe, expect, it } from 'vitest';
import { readResult } from '../../../../../../src/client/results/readResult.ts';
import { ProfileCache } from '../../../../../../src/features/reports/view/figures/columnProfile.ts';
import { arrangeRows, plainRows, rowCount } from '../../../../../../src/features/reports/view/arrangedRows.ts';
import { replyText } from '../results.ts';

const locale = { language: 'en', timeZone: 'UTC' };
const never = new AbortController().signal;
const columns = [
  { key: 'city', yurbitype: 'cha' },
  { key: 'n', yurbitype: 'num' },
];

/** A result of which the rows come when they are asked for. */
function growing(...parts: readonly (readonly object[])[]) {
  const all = parts.flat();
  const text = replyText(columns, all);
  const waiting: (() => void)[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let from = 0;
    let rows = 0;
    for (const part of parts) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      rows += part.length;
      const row = JSON.stringify(all[rows - 1]);
      const end = rows === all.length ? text.length : text.indexOf(row, from) + row.length;
      yield new TextEncoder().encode(text.slice(from, end));
      from = end;
    }
  }
  const { store, done } = readResult(chunks());
  const grow = async (to: number) => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()!();
    await expect.poll(() => store.rowCount).toBe(to);
  };
  return { store, done, grow };
}

describe('profiles of the columns of a view', () => {
  it('are counted again when rows were added since they were asked for, and only then', async () => {
    const first = Array.from({ length: 40 }, (_, n) => ({ city: `first ${n}`, n }));
    const second = Array.from({ length: 60 }, (_, n) => ({ city: 'second', n: 1_000 + n }));
    const { store, done, grow } = growing(first, second);
    const cache = new ProfileCache();
    await grow(40);
    const early = plainRows(store, locale);
    const asked = cache.of(early, 1, never);
    expect(cache.of(early, 1, never), 'asked twice, counted once').toBe(asked);
    expect(await asked).toMatchObject({ rows: 40, distinct: 40, greatest: '39' });
    await grow(100);
    await done;
    expect(rowCount(early)).toBe(100);
    expect(await cache.of(early, 1, never)).toMatchObject({ rows: 100, distinct: 100, greatest: '1059' });
    expect(await cache.of(early, 0, never)).toMatchObject({ rows: 100, distinct: 41 });
  });

  it('of another arrangement of the same rows are counted anew', async () => {
    const { store, done, grow } = growing(Array.from({ length: 30 }, (_, n) => ({ city: n < 10 ? 'a' : 'b', n })));
    await grow(30);
    await done;
    const cache = new ProfileCache();
    expect(await cache.of(plainRows(store, locale), 0, never)).toMatchObject({ rows: 30, distinct: 2 });
    const some = { sort: [], filters: { 0: 'a' }, search: '' };
    const filtered = await arrangeRows(store, some, locale, never);
    expect(await cache.of(filtered, 0, never)).toMatchObject({ rows: 10, distinct: 1 });
  });

  it('are counted again after a count that was given up', async () => {
    const { store, done, grow } = growing([{ city: 'a', n: 1 }]);
    await grow(1);
    await done;
    const cache = new ProfileCache();
    const view = plainRows(store, locale);
    await expect(cache.of(view, 0, AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up');
    expect(await cache.of(view, 0, never)).toMatchObject({ rows: 1 });
  });
});
