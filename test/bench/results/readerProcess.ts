/**
 * Fetches the reply once in a fresh process, by the method that the first argument names, from the address in the second,
 * and prints what it took as one line of JSON: a `Measured`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { createGunzip } from 'node:zlib';
import { request } from 'undici';
import { readResult } from '../../../src/client/results/readResult.ts';
import type { ResultStore } from '../../../src/client/results/resultStore.ts';
import type { Measured } from './measured.ts';

const [method = '', address = ''] = process.argv.slice(2);
let firstMs = 0;

/** Methods return what they keep, so that it counts as held. */
const methods: Record<string, (chunks: AsyncIterable<Uint8Array>, startedAt: number) => Promise<unknown>> = {
  async drain(chunks) {
    let bytes = 0;
    for await (const chunk of chunks) bytes += chunk.length;
    return bytes;
  },
  async parse(chunks, startedAt) {
    const all: Uint8Array[] = [];
    for await (const chunk of chunks) all.push(chunk);
    const reply: unknown = JSON.parse(Buffer.concat(all).toString('utf8'));
    firstMs = performance.now() - startedAt;
    return reply;
  },
  async scan(chunks, startedAt) {
    const { store, done } = readResult(chunks, {
      onProgress: (growing) => {
        if (firstMs === 0 && growing.rowCount >= 1000) firstMs = performance.now() - startedAt;
      },
    });
    const outcome = await done;
    if (outcome.kind !== 'complete') throw new Error(`Reading ended as ${outcome.kind}.`);
    return store;
  },
};

const run = methods[method];
if (run === undefined) throw new Error(`no method ${method}`);
globalThis.gc?.();
await delay(50);
const before = process.memoryUsage();
const blocks = monitorEventLoopDelay({ resolution: 1 });
blocks.enable();
const startedAt = performance.now();
const response = await request(address, { method: 'POST', body: '{}' });
const isPacked = response.headers['content-encoding'] === 'gzip';
const kept = await run(
  isPacked ? response.body.pipe(createGunzip({ chunkSize: 64 * 1024 })) : response.body,
  startedAt,
);
const totalMs = performance.now() - startedAt;
const peakBytes = process.resourceUsage().maxRSS * 1024 - before.rss;
await delay(5);
blocks.disable();
globalThis.gc?.();
await delay(5);
globalThis.gc?.();
const after = process.memoryUsage();
const heldBytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
const isStore = (value: unknown): value is ResultStore => method === 'scan' && value !== null;
const measured: Measured = {
  totalMs,
  firstMs,
  peakBytes,
  heldBytes,
  blockMs: blocks.max / 1e6,
  rows: isStore(kept) ? kept.rowCount : 0,
};
console.log(JSON.stringify(measured));
