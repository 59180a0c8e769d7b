/**
 * Fetches the reply once in a fresh process, by the method that the first argument names, from the address in the second,
 * and prints what it took as one line of JSON: a `Measured`. Needs --expose-gc.
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { request } from 'undici';
import { readResult } from '../../../src/client/results/readResult.ts';
import { groupRows } from '../../../src/client/results/resultGroups.ts';
import type { ScanEngine } from '../../../src/client/results/scan/resultScanner.ts';
import { sortRows } from '../../../src/client/results/sort/resultSort.ts';
import { noArrangement, arrangeRows } from '../../../src/features/reports/view/arrangedRows.ts';
import { inflating } from '../../../src/client/http/transport.ts';
import { ResultStore } from '../../../src/client/results/resultStore.ts';
import type { Measured, Method, ViewTimes } from './measured.ts';
import { median } from './median.ts';

const [method = '', address = ''] = process.argv.slice(2);
let firstAt = 0;

/** Each returns what it keeps, so that it counts as held. */
const methods: Record<Method, (chunks: AsyncIterable<Uint8Array>) => Promise<unknown>> = {
  async drain(chunks) {
    let bytes = 0;
    for await (const chunk of chunks) bytes += chunk.length;
    return bytes;
  },
  async parse(chunks) {
    const all: Uint8Array[] = [];
    for await (const chunk of chunks) all.push(chunk);
    const reply: unknown = JSON.parse(Buffer.concat(all).toString('utf8'));
    firstAt = performance.now();
    return reply;
  },
  store: (chunks) => readStore(chunks, 'wasm'),
  storeJs: (chunks) => readStore(chunks, 'js'),
};

async function readStore(chunks: AsyncIterable<Uint8Array>, engine: ScanEngine): Promise<ResultStore> {
  const { store, done } = readResult(chunks, {
    engine,
    onProgress: (growing) => {
      if (firstAt === 0 && growing.rowCount >= 1000) firstAt = performance.now();
    },
  });
  const outcome = await done;
  if (outcome.kind !== 'complete') throw new Error(`Reading ended as ${outcome.kind}.`);
  return store;
}

async function measureViews(store: ResultStore): Promise<ViewTimes> {
  const column = (key: string) => store.columns.findIndex((each) => each.key === key);
  const find = { ...noArrangement, search: 'den' };
  const locale = { language: 'en', timeZone: 'UTC' };
  const { signal } = new AbortController();
  return {
    sort: await medianTime(() => sortRows(store, [{ column: column('DelayMinutes'), isDescending: true }])),
    filter: await medianTime(() => arrangeRows(store, find, locale, signal)),
    group: await medianTime(() => groupRows(store, [column('Airline')], [column('Fare')])),
  };
}

async function medianTime(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function collect(): Promise<NodeJS.MemoryUsage> {
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.();
    // Buffers are given back only after a turn of the event loop.
    await delay(20);
  }
  return process.memoryUsage();
}

const read = methods[method as Method];
if (globalThis.gc === undefined || read === undefined) throw new Error(`cannot measure '${method}'`);
const before = await collect();
const blocks = monitorEventLoopDelay({ resolution: 1 });
blocks.enable();
const startedAt = performance.now();
const response = await request(address, { method: 'POST', body: '{}' });
const firstByteAt = performance.now();
const isPacked = response.headers['content-encoding'] === 'gzip';
const kept = await read(isPacked ? response.body.pipe(createGunzip(inflating)) : response.body);
const totalMs = performance.now() - startedAt;
const peakBytes = process.resourceUsage().maxRSS * 1024 - before.rss;
await delay(5);
blocks.disable();
const after = await collect();
const measured: Measured = {
  totalMs,
  firstMs: firstAt - firstByteAt,
  peakBytes,
  heldBytes: after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers,
  blockMs: blocks.max / 1e6,
  views: kept instanceof ResultStore ? await measureViews(kept) : undefined,
};
console.log(JSON.stringify(measured));
