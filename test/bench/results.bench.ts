/**
 * Reading a report result of 500,000 rows of 12 columns, some 140 MB of JSON, over loopback: into the result store, against
 * only draining the bytes and against JSON.parse of the whole text. Every reading is a fresh process; medians of several
 * rounds, in which the methods take turns.
 */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Measured, Method } from './results/measured.ts';
import { median } from './results/median.ts';

const rowCount = 500_000;
const rounds = 5;
const part = (file: string) => join(import.meta.dirname, 'results', file);
const run = promisify(execFile);

async function startServer(): Promise<{ child: ChildProcess; root: string; bytes: number; packedBytes: number }> {
  const child = spawn(process.execPath, [part('replyServer.ts'), String(rowCount)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const ready = JSON.parse(line) as { port: number; bytes: number; packedBytes: number };
  return { child, root: `http://127.0.0.1:${ready.port}`, ...ready };
}

async function read(method: Method, address: string): Promise<Measured> {
  const { stdout } = await run(process.execPath, ['--expose-gc', part('readerProcess.ts'), method, address]);
  return JSON.parse(stdout) as Measured;
}

/** Medians of each figure of several readings. */
function figures(readings: readonly Measured[]) {
  const of = (figure: (each: Measured) => number) => median(readings.map(figure));
  return {
    total: of((each) => each.totalMs),
    first: of((each) => each.firstMs),
    peak: of((each) => each.peakBytes),
    held: of((each) => each.heldBytes),
    block: of((each) => each.blockMs),
    sort: of((each) => each.views?.sort ?? NaN),
    filter: of((each) => each.views?.filter ?? NaN),
    group: of((each) => each.views?.group ?? NaN),
  };
}

function report(kind: 'ratio' | 'figure', name: string, value: number, limit: number): void {
  const verdict = value <= limit ? '' : ' MISSED';
  console.log(`${kind} results.${name} ${value.toFixed(kind === 'ratio' ? 3 : 1)} goal ${limit}${verdict}`);
}

const { child, root, bytes, packedBytes } = await startServer();
const drained: Measured[] = [];
const parsed: Measured[] = [];
const stored: Measured[] = [];
const inflated: Measured[] = [];
try {
  for (let round = 0; round < rounds; round++) {
    drained.push(await read('drain', `${root}/identity`));
    stored.push(await read('store', `${root}/identity`));
    parsed.push(await read('parse', `${root}/identity`));
    inflated.push(await read('store', `${root}/gzip`));
  }
} finally {
  child.kill();
}

const [drain, parse, store, gzip] = [figures(drained), figures(parsed), figures(stored), figures(inflated)];
const mb = (count: number) => (count / 1e6).toFixed(1);
console.log(`${rowCount} rows, ${mb(bytes)} MB, gzip ${mb(packedBytes)} MB, medians of ${rounds}`);
for (const [name, each] of Object.entries({ drain, 'text + JSON.parse': parse, store, 'store, gzip': gzip })) {
  const { total, peak, held, block } = each;
  const memory = `peak ${mb(peak)} MB, held ${mb(held)} MB`;
  console.log(`${name}: ${total.toFixed(0)} ms, ${memory}, longest block ${block.toFixed(1)} ms`);
}
report('ratio', 'total', store.total / parse.total, 0.5);
report('ratio', 'drain', store.total / drain.total, 2.5);
report('ratio', 'gzip', gzip.total / store.total, 1.3);
report('ratio', 'peak', store.peak / parse.peak, 0.25);
report('ratio', 'peakPerByte', store.peak / bytes, 1.2);
report('ratio', 'held', store.held / bytes, 0.4);
report('figure', 'first1000ms', store.first, 30);
report('figure', 'longestBlockMs', store.block, 30);
report('figure', 'sortMs', store.sort, 60);
report('figure', 'filterMs', store.filter, 120);
report('figure', 'groupMs', store.group, 30);
