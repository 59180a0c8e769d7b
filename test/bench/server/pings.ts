import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { SignedIn, TestServer } from '../../support/server.ts';

/** Checks the session again and again from a process of its own, until `stop`, which returns the milliseconds of each call. */
export async function startPings(server: TestServer, { token }: SignedIn) {
  const args = [
    path.join(import.meta.dirname, 'pingProcess.ts'),
    `${server.apiBase}/Session/CheckSession`,
    JSON.stringify({ sessionToken: token }),
  ];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    stop: async () => {
      child.stdin.end();
      const { value } = await lines.next();
      return JSON.parse(String(value)) as number[];
    },
  };
}
