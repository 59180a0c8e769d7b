import { Pacer } from '../../../../client/results/pacer.ts';
import { blockRows, cellTag } from '../../../../client/results/resultCell.ts';
import type { ResultStore } from '../../../../client/results/resultStore.ts';
import { verdict } from './columnFilter.ts';
import type { FilterTest } from './columnFilter.ts';

/** A column, by number, and what its cells must satisfy. */
export interface ColumnTest extends FilterTest {
  column: number;
}

/**
 * The rows from `from` on that satisfy all of `every` and, unless it is undefined, one of `some`: row numbers,
 * ascending. Works in slices of some 8 ms on the rows there are at the beginning.
 * @throws the signal's reason once it has fired.
 */
export async function filterRows(
  store: ResultStore,
  from: number,
  tests: { every: readonly ColumnTest[]; some: readonly ColumnTest[] | undefined },
  signal: AbortSignal,
): Promise<Uint32Array> {
  const end = store.rowCount;
  const pacer = new Pacer(signal);
  const found = new Uint32Array(Math.max(0, end - from));
  let count = 0;
  for (let block = Math.floor(from / blockRows); block * blockRows < end; block++) {
    const first = Math.max(from, block * blockRows);
    const passes = blockPasses(store, block, tests);
    for (let row = first; row < Math.min(end, (block + 1) * blockRows); row++) {
      if (passes[row - block * blockRows] === 1) found[count++] = row;
    }
    if (pacer.isDue) await pacer.pause();
  }
  return found.slice(0, count);
}

/** Which rows of a block satisfy the tests: 1 or 0 for each. */
function blockPasses(
  store: ResultStore,
  block: number,
  { every, some }: { every: readonly ColumnTest[]; some: readonly ColumnTest[] | undefined },
): Uint8Array {
  const passes = new Uint8Array(blockRows).fill(some === undefined ? 1 : 0);
  // Only rows that are still undecided are looked at: those found so far for `some`, those left for `every`.
  for (const test of some ?? []) mark(store, block, test, passes, 0);
  for (const test of every) mark(store, block, test, passes, 1);
  return passes;
}

const tags = new Uint8Array(blockRows);
const slots = new Float64Array(blockRows);

/** Decides rows of a block that stand at `open`: a cell that passes settles a row that failed, one that fails a row that passed. */
function mark(store: ResultStore, block: number, columnTest: ColumnTest, passes: Uint8Array, open: 0 | 1): void {
  const { column, test, verdicts, byTag, isNowhere } = columnTest;
  const data = store.columnData(column);
  const settled = 1 - open;
  const settling = open === 0 ? verdict.passes : verdict.fails;
  const common = commonVerdict(byTag, data.tagBits(block));
  if (common !== verdict.open) {
    if (common === settling) passes.fill(settled);
    return;
  }
  const texts = isNowhere && data.rangeOf(block, cellTag.text);
  if (texts && isNowhere(texts.low, texts.high)) {
    if (settling === verdict.fails) passes.fill(settled);
    return;
  }
  const rows = store.table.readBlock(data, block, tags, slots);
  for (let i = 0; i < rows; i++) {
    if (passes[i] !== open) continue;
    const tag = tags[i]!;
    let found = byTag[tag]!;
    if (found === verdict.open && tag === cellTag.code) found = verdicts[slots[i]!]!;
    if (found === verdict.open) found = test(tag, slots[i]!) ? verdict.passes : verdict.fails;
    if (found === settling) passes[i] = settled;
  }
}

/** The verdict on all cells that have these tags, where there is one. */
function commonVerdict(byTag: Uint8Array, tagBits: number | undefined): number {
  if (tagBits === undefined) return verdict.open;
  let common: number | undefined;
  for (let tag = 0; tag < byTag.length; tag++) {
    if ((tagBits & (1 << tag)) === 0) continue;
    common ??= byTag[tag]!;
    if (common !== byTag[tag]!) return verdict.open;
  }
  return common ?? verdict.open;
}
