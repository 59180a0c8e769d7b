/**
 * Reading a report result of 500,000 rows of 12 columns, some 140 MB of JSON, over loopback: into the result store, with
 * WebAssembly and without, against only draining the bytes and against JSON.parse of the whole text. Every reading is a fresh
 * process. The methods take turns in several rounds; a figure is the median over the rounds, a ratio the median of the ratios
 * within each round, so that a machine that is busy for a while spoils a round and not the result.
 */
import type { Measured } from './results/measured.ts';
import { median } from './results/median.ts';
import { readReply, startReplyServer } from './results/readReply.ts';

const rowCount = 500_000;
const rounds = 5;

type Figure = (each: Measured) => number;

const total: Figure = (each) => each.totalMs;
const peak: Figure = (each) => each.peakBytes;

function medianOf(readings: readonly Measured[], figure: Figure): number {
  return median(readings.map(figure));
}

/** Median of a figure's ratio to the same figure of the reading against it in the same round. */
function medianRatio(readings: readonly Measured[], against: readonly Measured[], figure: Figure): number {
  return median(against.map((each, round) => figure(readings[round]!) / figure(each)));
}

/** @param limit what must never be exceeded, where that is more than the goal. */
function report(kind: 'ratio' | 'figure', name: string, value: number, goal: number, limit?: number): void {
  const verdict = value <= goal ? '' : ' MISSED';
  const bounds = limit === undefined ? `goal ${goal}` : `goal ${goal} limit ${limit}`;
  console.log(`${kind} results.${name} ${value.toFixed(kind === 'ratio' ? 3 : 1)} ${bounds}${verdict}`);
}

const { root, bytes, packedBytes, stop } = await startReplyServer(rowCount);
const drained: Measured[] = [];
const parsed: Measured[] = [];
const stored: Measured[] = [];
const storedJs: Measured[] = [];
const inflated: Measured[] = [];
try {
  for (let round = 0; round < rounds; round++) {
    drained.push(await readReply('drain', root));
    stored.push(await readReply('store', root));
    storedJs.push(await readReply('storeJs', root));
    parsed.push(await readReply('parse', root));
    inflated.push(await readReply('store', root, '/gzip'));
  }
} finally {
  stop();
}

const mb = (count: number) => (count / 1e6).toFixed(1);
console.log(`${rowCount} rows, ${mb(bytes)} MB, gzip ${mb(packedBytes)} MB, medians of ${rounds}`);
const methods = {
  drain: drained,
  'text + JSON.parse': parsed,
  store: stored,
  'store, gzip': inflated,
  'store, no WebAssembly': storedJs,
};
for (const [name, readings] of Object.entries(methods)) {
  const memory = `peak ${mb(medianOf(readings, peak))} MB, held ${mb(medianOf(readings, (each) => each.heldBytes))} MB`;
  const block = medianOf(readings, (each) => each.blockMs).toFixed(1);
  const best = Math.min(...readings.map(total)).toFixed(0);
  console.log(
    `${name}: ${medianOf(readings, total).toFixed(0)} ms, best ${best}, ${memory}, longest block ${block} ms`,
  );
}
report('ratio', 'total', medianRatio(stored, parsed, total), 0.5, 0.75);
report('ratio', 'drain', medianRatio(stored, drained, total), 2.5);
// Where WebAssembly does not load, its twin in JavaScript still has to be well below JSON.parse.
report('ratio', 'totalWithoutWebAssembly', medianRatio(storedJs, parsed, total), 0.75);
report('ratio', 'gzip', medianRatio(inflated, stored, total), 1.3);
report('ratio', 'peak', medianRatio(stored, parsed, peak), 0.25);
report('ratio', 'peakPerByte', medianOf(stored, peak) / bytes, 1.2);
report('ratio', 'held', medianOf(stored, (each) => each.heldBytes) / bytes, 0.4);
report(
  'figure',
  'first1000ms',
  medianOf(stored, (each) => each.firstMs),
  30,
);
report(
  'figure',
  'longestBlockMs',
  medianOf(stored, (each) => each.blockMs),
  30,
);
report(
  'figure',
  'sortMs',
  medianOf(stored, (each) => each.views?.sort ?? NaN),
  60,
);
report(
  'figure',
  'filterMs',
  medianOf(stored, (each) => each.views?.filter ?? NaN),
  120,
);
report(
  'figure',
  'groupMs',
  medianOf(stored, (each) => each.views?.group ?? NaN),
  30,
);
