import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { SignedIn, TestServer } from '../server.ts';
import { projectRoot } from '../vscodeHost/paths.ts';

const script = path.join(projectRoot, 'test', 'bench', 'server', 'pingProcess.ts');

/** What calls took, in milliseconds. */
export interface CallTimes {
  p99: number;
  most: number;
  calls: number;
}

/** What calls of others take while work goes on; they come from a process of its own. */
export async function othersMeanwhile(
  server: TestServer,
  { token }: SignedIn,
  work: () => Promise<unknown>,
): Promise<CallTimes> {
  const body = JSON.stringify({ sessionToken: token });
  const child = spawn(process.execPath, [script, `${server.apiBase}/Session/CheckSession`, body], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    if ((await lines.next()).value !== 'ready') throw new Error('The calls of others did not begin');
    await work();
    child.stdin.end();
    const took = z.array(z.number()).parse(JSON.parse(String((await lines.next()).value)));
    const sorted = took.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { p99: at(0.99), most: at(1), calls: took.length };
  } finally {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
  }
}

/** Times in words. */
export function shownTimes({ p99, most, calls }: CallTimes): string {
  return `p99 ${p99.toFixed(1)} ms, most ${most.toFixed(1)} ms of ${calls} calls`;
}
