/**
 * Exporting 500,000 rows of 12 columns from the store to a file, against writing the very same bytes to a file as an export
 * does: in as many writes, each after the other, on the disk before the file takes its name. In turns, so that a machine
 * that is busy for a while spoils a round and not the result. What the disk takes shows in the line for the plain bytes.
 */
import { mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { readResult } from '../../src/client/results/readResult.ts';
import { exportFile, exportFormats } from '../../src/features/reports/export/exportFile.ts';
import { median } from './results/median.ts';
import { sampleReply } from './results/sampleReply.ts';

const rowCount = 500_000;
const rounds = 5;
const chunkBytes = 256 * 1024;

async function* reply(): AsyncGenerator<Uint8Array> {
  yield* sampleReply(rowCount);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function writeBytes(target: string, bytes: Uint8Array): Promise<void> {
  const file = await open(`${target}.partial`, 'wx');
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes)
      await file.write(bytes, at, Math.min(chunkBytes, bytes.length - at));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${target}.partial`, target);
}

const { store, done } = readResult(reply());
const outcome = await done;
if (outcome.kind !== 'complete') throw new Error(`the sample was not read: ${outcome.kind}`);
const columns = store.columns.map((_, column) => column);
const source = { store, columns, rows: undefined, title: 'bench' };
const folder = await mkdtemp(path.join(os.tmpdir(), 'analytics-bench-'));
try {
  for (const format of exportFormats) {
    const isGoal = format.id === 'csv';
    const times = { export: [] as number[], write: [] as number[] };
    let longestBlock = 0;
    let size = 0;
    for (let round = 0; round < (isGoal ? rounds : 1); round++) {
      const target = path.join(folder, `export.${format.extension}`);
      // One for each round: it takes the time between two for a block.
      const delays = monitorEventLoopDelay({ resolution: 1 });
      delays.enable();
      times.export.push(await timed(() => exportFile(target, format, source, {})));
      delays.disable();
      longestBlock = Math.max(longestBlock, delays.max / 1e6);
      const bytes = await readFile(target);
      size = bytes.length;
      await rm(target);
      times.write.push(await timed(() => writeBytes(target, bytes)));
      await rm(target);
    }
    console.log(
      `${format.name}: ${median(times.export).toFixed(0)} ms, ${(size / 1e6).toFixed(1)} MB, writing the bytes ` +
        `${median(times.write).toFixed(0)} ms, longest block ${longestBlock.toFixed(0)} ms`,
    );
    if (!isGoal) continue;
    const ratio = median(times.export.map((time, round) => time / (times.write[round] ?? NaN)));
    console.log(`ratio export.csv ${ratio.toFixed(3)} goal 2${ratio <= 2 ? '' : ' MISSED'}`);
  }
} finally {
  await rm(folder, { recursive: true });
}
