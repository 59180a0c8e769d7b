import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupRows } from '../../../src/client/results/resultGroups.ts';
import { sortRows } from '../../../src/client/results/sort/resultSort.ts';
import type { ResultStore } from '../../../src/client/results/resultStore.ts';
import { noArrangement, arrangeRows } from '../../../src/features/reports/view/arrangedRows.ts';
import { readReply } from './resultsOracle.ts';

type Cell = string | number | boolean | null | undefined | bigint;
type Row = Record<'a' | 'b' | 'c', Cell>;

const word = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'b9', 'b10', 'B010', 'é', 'e', 'É', 'zebra', 'x-1', 'x-2', '12', '9', '😀', 'äöü'),
  fc.stringMatching(/^[aAbB019. -]{0,5}$/),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const numeric = fc
  .oneof(
    fc.integer({ min: -5, max: 5 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0.1, -0.1, 1e300, -1e300, 2 ** 31, 2 ** 40),
  )
  // JSON.stringify writes -0 as 0.
  .map((value) => value + 0);
/** Whole numbers that doubles do not tell apart. */
const wide = fc.integer({ min: -3, max: 3 }).map((near) => 9_007_199_254_740_993_000n + BigInt(near));
const scalar = fc.oneof(word, numeric, wide, fc.boolean(), fc.constant(null), fc.constant(undefined));
const columnKind = fc.constantFrom(word, numeric, wide, scalar);

/** Rows of three columns, each of one kind of cells or a mixture. */
const rows: fc.Arbitrary<Row[]> = fc
  .tuple(columnKind, columnKind, columnKind)
  .chain(([a, b, c]) => fc.array(fc.record({ a, b, c }), { maxLength: 60 }));

const columns = ['a', 'b', 'c'] as const;

async function storeOf(all: readonly Row[]): Promise<ResultStore> {
  const cell = (value: Cell) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value));
  const row = (each: Row) =>
    columns.flatMap((key) => (each[key] === undefined ? [] : [`"${key}":${cell(each[key])}`])).join(',');
  const listed = columns.map((key) => ({ key }));
  const text = `{"Columns":${JSON.stringify(listed)},"Data":[${all.map((each) => `{${row(each)}}`).join(',')}]}`;
  return (await readReply(text)).store;
}

function classOf(cell: Cell): number {
  if (typeof cell === 'number' || typeof cell === 'bigint') return 0;
  if (typeof cell === 'string') return 1;
  if (typeof cell === 'boolean') return 2;
  return cell === null ? 4 : 5;
}

/** Natural order in other words than the sort's: pieces of digits and of other characters, compared in turn. */
function compareNaturally(one: string, other: string): number {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase();
  const pieces = (text: string) => plain(text).match(/[0-9]+|[^0-9]/gu) ?? [];
  const left = pieces(one);
  const right = pieces(other);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [l = '', r = ''] = [left[i], right[i]];
    const bothNumbers = /^[0-9]/.test(l) && /^[0-9]/.test(r);
    const difference = bothNumbers ? Number(BigInt(l) - BigInt(r)) : Buffer.compare(Buffer.from(l), Buffer.from(r));
    if (difference !== 0)
      return /^[0-9]/.test(l) === /^[0-9]/.test(r)
        ? difference
        : Buffer.compare(Buffer.from(l[0] ?? ''), Buffer.from(r[0] ?? '')) || difference;
  }
  return left.length - right.length || Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function compareCells(one: Cell, other: Cell, isDescending: boolean): number {
  if (classOf(one) !== classOf(other)) return classOf(one) - classOf(other);
  const sign = isDescending ? -1 : 1;
  if (typeof one === 'string' && typeof other === 'string') return sign * compareNaturally(one, other);
  if (one === null || one === undefined || other === null || other === undefined || one === other) return 0;
  return sign * (one < other ? -1 : one > other ? 1 : 0);
}

const sortKey = fc.record({ column: fc.nat({ max: 2 }), isDescending: fc.boolean() });
const keyOf = (column: number) => columns[column] ?? 'a';

function expectedOrder(
  all: readonly Row[],
  order: number[],
  keys: readonly { column: number; isDescending: boolean }[],
) {
  return order.sort((one, other) => {
    for (const { column, isDescending } of keys) {
      const difference = compareCells(all[one]?.[keyOf(column)], all[other]?.[keyOf(column)], isDescending);
      if (difference !== 0) return difference;
    }
    return one - other;
  });
}

const textOf = (cell: Cell) => (cell === null || cell === undefined ? undefined : String(cell));
const containsText = (cell: Cell, wanted: string) =>
  textOf(cell)?.toLowerCase().includes(wanted.toLowerCase()) === true;

/** Whether a column's filter is something else than a text to look for. */
const readsOtherwise = (text: string) => /^\s*(?:$|[<>=!]|!?null\s*$)|\.\./i.test(text);

describe('views of a result', () => {
  test('sort as comparing the cells one by one does', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.array(sortKey, { maxLength: 3 }), async (all, keys) => {
        const order = await sortRows(await storeOf(all), keys);
        expect([...order]).toEqual(expectedOrder(all, [...all.keys()], keys));
      }),
      { numRuns: 1000 },
    );
  });

  test('find a text as looking at the cells one by one does, and sort what is left', async () => {
    const filter = fc.record({ column: fc.nat({ max: 2 }), text: word.filter((text) => !readsOtherwise(text)) });
    await fc.assert(
      fc.asyncProperty(
        rows,
        word,
        fc.option(filter, { nil: undefined }),
        fc.array(sortKey, { maxLength: 1 }),
        async (all, search, inColumn, sort) => {
          const kept = [...all.keys()].filter((row) => {
            const cell = (column: number) => all[row]?.[keyOf(column)];
            const isFound = search.trim() === '' || columns.some((_, at) => containsText(cell(at), search.trim()));
            return isFound && (inColumn === undefined || containsText(cell(inColumn.column), inColumn.text.trim()));
          });
          const arrangement = { ...noArrangement, search, sort };
          const filters = inColumn && { [inColumn.column]: inColumn.text };
          const view = await arrangeRows(
            await storeOf(all),
            { ...arrangement, ...(filters && { filters }) },
            { language: 'en', timeZone: 'UTC' },
            new AbortController().signal,
          );
          expect([...(view.order ?? all.keys())]).toEqual(expectedOrder(all, kept, sort));
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('group as adding up the cells one by one does', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.uniqueArray(fc.nat({ max: 2 })), fc.nat({ max: 2 }), async (all, by, measured) => {
        const groups = await groupRows(await storeOf(all), by, [measured]);
        const expected = new Map<string, { rowCount: number; numbers: number[] }>();
        for (const row of all) {
          const name = by.map((column) => `${typeof row[keyOf(column)]} ${String(row[keyOf(column)])}`).join('|');
          const group = expected.get(name) ?? { rowCount: 0, numbers: [] };
          expected.set(name, group);
          group.rowCount++;
          const cell = row[keyOf(measured)];
          if (classOf(cell) === 0) group.numbers.push(Number(cell));
        }
        expect(groups.map(({ rowCount, figures }) => ({ rowCount, figures }))).toEqual(
          [...expected.values()].map(({ rowCount, numbers }) => ({
            rowCount,
            figures: [
              {
                count: numbers.length,
                sum: numbers.reduce((sum, value) => sum + value, 0),
                min: numbers.length === 0 ? undefined : numbers.reduce((low, value) => Math.min(low, value)),
                max: numbers.length === 0 ? undefined : numbers.reduce((high, value) => Math.max(high, value)),
              },
            ],
          })),
        );
      }),
      { numRuns: 1000 },
    );
  });
});
