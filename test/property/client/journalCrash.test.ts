import fc from 'fast-check';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { UnknownWrites } from '../../../src/connections/unknownWrites.ts';
import { figure } from '../../support/run/figure.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

const script = path.join(import.meta.dirname, '..', '..', 'support', 'processes', 'journalProcess.ts');

/** Where two windows that write all the time are killed. */
const crash = fc.record({
  /** Requests that each has sent by then. */
  writes: fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })),
  /** Microseconds after its last request arrived; 0 before it is answered. */
  after: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4000 })),
});

it('holds every write that was under way when its window was killed, whatever another window writes', async () => {
  let crashes = 0;
  let open = 0;
  let writes = 0;
  await fc.assert(
    fc.asyncProperty(crash, async ({ writes: limits, after }) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'analytics-journal-'));
      const scene = await startScene(folder, limits, after);
      try {
        const journal = new UnknownWrites(folder);
        const kept = (await journal.list()).map(({ object }) => object);
        for (const { last, isAnswered } of scene) {
          // Answered: it may be settled by now, or not. Anything older was settled before the next was sent.
          if (!isAnswered) expect(kept).toContain(last);
          const { pid } = /of (?<pid>\d+)$/.exec(last)?.groups ?? {};
          const own = kept.filter((object) => object.endsWith(`of ${pid}`));
          // The next one may have been noted, and not sent.
          expect(own.filter((object) => numberOf(object) < numberOf(last))).toEqual([]);
          expect(own.length).toBeLessThanOrEqual(2);
          open += own.length;
          writes += numberOf(last);
          crashes += 1;
        }
        for (const { id } of await journal.list()) await journal.forget(id);
        expect((await readdir(folder)).filter((name) => name.endsWith('.json'))).toEqual([]);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: propertyRuns(5, 200), endOnFailure: true },
  );
  figure('R3', `${crashes} windows killed while writing, ${writes} writes: ${open} under way, all in the journal`);
}, 600_000);

interface Killed {
  /** Last object that reached the server. */
  last: string;
  isAnswered: boolean;
}

/** Two windows on one folder, each killed when it has sent its number of writes; what reached the server of each. */
async function startScene(folder: string, limits: readonly number[], after: number): Promise<Killed[]> {
  const received = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { object } = JSON.parse(Buffer.concat(chunks).toString()) as { object: string };
      const pid = object.slice(object.lastIndexOf(' ') + 1);
      received.set(pid, numberOf(object));
      windows.get(pid)?.(object, response);
    });
  });
  const windows = new Map<string, (object: string, response: ServerResponse) => void>();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const children: ChildProcess[] = [];
  try {
    return await Promise.all(
      limits.map(async (limit) => {
        const child = spawn(process.execPath, [script, folder, `http://127.0.0.1:${port}/`], { stdio: 'ignore' });
        children.push(child);
        const killed = new Promise<Killed>((resolve) => {
          windows.set(String(child.pid), (object, response) => {
            if (numberOf(object) < limit) return void response.end('{}');
            const end = () => resolve({ last: object, isAnswered: after > 0 });
            if (after === 0) return end();
            response.end('{}');
            void delay(after / 1000).then(end);
          });
        });
        const { isAnswered } = await killed;
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        const pid = String(child.pid);
        return { last: `write ${received.get(pid)} of ${pid}`, isAnswered };
      }),
    );
  } finally {
    for (const child of children) child.kill('SIGKILL');
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  }
}

function numberOf(object: string): number {
  return Number(object.split(' ')[1]);
}
