import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { median } from '../results/median.ts';
import { builtServer, goal } from './goals.ts';

const rounds = 15;

async function untilReady(dataFolder: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [...builtServer.nodeArgs, builtServer.script, '--data', dataFolder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const took = performance.now() - started;
  child.kill();
  await once(child, 'exit');
  return took;
}

function bareNode(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['--eval', '0']);
  return performance.now() - started;
}

/** From spawning the server until it says that it answers, against a Node.js that does nothing. */
export async function benchReady(): Promise<void> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'bench-ready-'));
  try {
    const first = await untilReady(dataFolder);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) ratios.push((await untilReady(dataFolder)) / bareNode());
    console.log(`ready: the first start on a new data folder took ${first.toFixed(0)} ms; medians of ${rounds}`);
    goal('ratio', 'server.ready', median(ratios), 5);
  } finally {
    await rm(dataFolder, { recursive: true });
  }
}
