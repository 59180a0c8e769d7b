import { Pacer } from '../../../../client/results/pacer.ts';
import { blockRows, cellTag } from '../../../../client/results/resultCell.ts';
import type { ResultStore } from '../../../../client/results/resultStore.ts';
import { verdict } from './columnFilter.ts';
import type { FilterTest } from './columnFilter.ts';

/** A column number and the test for its cells. */
export interface ColumnTest extends FilterTest {
  column: number;
}

/**
 * Finds the rows starting at `from` that satisfy all of `every` and, if defined, one of `some`. Returns row numbers in
 * ascending order. Works in slices of about 8 ms on the rows present at the start.
 * @throws the signal's reason if aborted.
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

/** Which rows of a block satisfy the tests: 1 or 0 per row. */
function blockPasses(
  store: ResultStore,
  block: number,
  { every, some }: { every: readonly ColumnTest[]; some: readonly ColumnTest[] | undefined },
): Uint8Array {
  const passes = new Uint8Array(blockRows).fill(some === undefined ? 1 : 0);
  // Test only undecided rows: those not found yet for `some`, those that remain for `every`.
  for (const test of some ?? []) mark(store, block, test, passes, 0);
  for (const test of every) mark(store, block, test, passes, 1);
  return passes;
}

const tags = new Uint8Array(blockRows);
const slots = new Float64Array(blockRows);

/**
 * Decides the rows of a block whose state is `open`: passing cells settle failed rows, failing cells settle passed
 * rows.
 */
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

/** The common verdict for all cells with these tags, if there is one. */
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
