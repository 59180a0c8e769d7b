/**
 * The report builder without the editor: what a field tree of 5,000 fields takes from the server's reply to the rows on
 * display and to the rows that match what is typed, and what a keystroke takes from the page's message to the changed JSON.
 */
import { performance } from 'node:perf_hooks';
import { applyEdits } from 'jsonc-parser';
import { fieldEntries } from '../../src/features/builder/builderCalls.ts';
import { readReport } from '../../src/features/builder/readReport.ts';
import { reportEdits } from '../../src/features/builder/edits/reportEdits.ts';
import type { BuilderReport, TreeEntry } from '../../src/features/builder/pageContract.ts';
import { firstUnfolded, searchableTree, shownEntries } from '../../src/features/builder/page/fields/treeRows.ts';
import { largeReport, largeTree } from './builder/largeReport.ts';
import { median } from './results/median.ts';

const rounds = 101;

/** Milliseconds of each round. */
function times(work: (round: number) => unknown): number[] {
  return Array.from({ length: rounds }, (_, round) => {
    const start = performance.now();
    work(round);
    return performance.now() - start;
  }).slice(1);
}

function print(what: string, measured: number[], goal: number): void {
  const middle = median(measured);
  // The slowest rounds tell of other programs on the machine.
  const slow = measured.toSorted((one, other) => one - other)[Math.ceil(measured.length * 0.95) - 1] ?? Infinity;
  const verdict = slow <= goal ? 'met' : 'MISSED';
  console.log(
    `${what}: median ${middle.toFixed(1)} ms, 95th percentile ${slow.toFixed(1)} ms (goal ${goal} ms, ${verdict})`,
  );
}

const reply = JSON.stringify(largeTree());

/** Host and page: the reply is read, listed, carried over as JSON and made searchable; the first rows are chosen. */
const opening = times(() => {
  const { rootnode } = JSON.parse(reply) as { rootnode: Parameters<typeof fieldEntries>[0] };
  const carried = JSON.parse(JSON.stringify(fieldEntries(rootnode).entries)) as TreeEntry[];
  const tree = searchableTree(carried);
  return shownEntries(tree, firstUnfolded(tree), '').length;
});
print('5,000 fields, reply to rows on display', opening, 300);

const { rootnode } = JSON.parse(reply) as { rootnode: Parameters<typeof fieldEntries>[0] };
const tree = searchableTree(fieldEntries(rootnode).entries);
const searches = ['f', 'fi', 'field', 'column_4', 'folder 7 field', 'table_9.column', 'nothing at all'];
const filtering = times((round) => shownEntries(tree, new Set(), searches[round % searches.length] ?? ''));
print('5,000 fields, one search', filtering, 50);

let text = `${JSON.stringify(largeReport(), null, 2)}\n`;
const typing = times((round) => {
  const value = `Field 50${'x'.repeat(round)}`;
  text = applyEdits(
    text,
    reportEdits(text, { kind: 'renameField', field: 50, value }, { outputClass: () => undefined }),
  );
  return JSON.parse(JSON.stringify(readReport(text))) as BuilderReport;
});
print('100 fields, keystroke to JSON and back to the page', typing, 30);
