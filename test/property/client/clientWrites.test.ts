import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { ClientError, isClientError } from '../../../src/client/clientError.ts';
import { asAnswered, writeOnce } from '../../../src/client/writes/writes.ts';
import type { Folder } from '../../../src/contract/resources/library.ts';
import { handled, startScriptedServer } from '../../support/scriptedServer.ts';
import { testClient } from '../../support/testClient.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

const runs = propertyRuns(80, 10_000);
const pauses = [4, 8, 16];
const count = { schedules: 0, late: 0, answered: 0, reconciled: 0, unknown: 0, refused: 0 };

afterAll(() => {
  const { schedules, late, answered, reconciled, unknown, refused } = count;
  console.log(
    `figure R3: ${schedules} creates, ${late} of them done after their reply was lost: ${answered} answered, ${reconciled} found after a lost reply, ${unknown} unknown, ${refused} refused; 0 duplicates, 0 false successes`,
  );
});

/** What there is beside a create, and what goes wrong after it. */
const scene = {
  /** A folder of that name and content is there already. */
  hasTwin: fc.boolean(),
  /** Reads that fail after the create. */
  failedReads: fc.integer({ min: 0, max: 3 }),
};
const commitsAfterMs = fc.integer({ min: 0, max: 60 });
const lost = ['drop', 'truncate', 'gateway', 'page'] as const;
/** How the server treats one create: whether and when it commits, and what the client gets to see. */
const late = fc.record({ commitsAfterMs, reply: fc.constantFrom(...lost), ...scene });
const any = fc.record({
  commitsAfterMs: fc.option(commitsAfterMs),
  // Each of these has a count that must not stay at nothing, however few the runs.
  reply: fc.constantFrom('good', 'good', 'refused', 'refused', ...lost),
  ...scene,
});
/** Most are of the kind that the figure is about. */
const creation = fc.oneof({ weight: 4, arbitrary: late }, { weight: 1, arbitrary: any });

it('never makes a second object, and never claims one that it did not make', async () => {
  let folders: Folder[] = [];
  let next = 1;
  let creates = 0;
  let plan: { commitsAfterMs: number | null; reply: string; failedReads: number } | undefined;
  let landing: Promise<unknown> = Promise.resolve();
  const commit = (body: Record<string, unknown>) => {
    const folder = { ...(body.libraryfolder as Folder), ID: String(next++) };
    folders.push(folder);
    return folder;
  };
  const server = await startScriptedServer(async ({ path, body }, response) => {
    if (path.endsWith('DoLogin')) {
      return { ErrorCode: 0, LoginSession: { SessionToken: 't' }, LoginUser: { LoginName: 'ada' } };
    }
    if (path.endsWith('CheckSession')) return { ErrorCode: 0 };
    if (path.endsWith('GetAllLibraryTree')) {
      if (creates === 0 || !plan || plan.failedReads-- <= 0) return folders;
      response.writeHead(502).end();
      return handled;
    }
    creates += 1;
    if (!plan || plan.reply === 'refused') return { error_code: 108, error_message: 'no' };
    const { commitsAfterMs, reply } = plan;
    // A good reply is given only to what is done.
    if (commitsAfterMs !== null && reply !== 'good') landing = delay(commitsAfterMs).then(() => commit(body));
    if (reply === 'good') return { error_code: 0, ...commit(body) };
    if (reply === 'drop') response.destroy();
    else if (reply === 'truncate') response.writeHead(200, { 'content-type': 'application/json' }).end('{"ID":');
    else if (reply === 'gateway') response.writeHead(502).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    return handled;
  });
  const client = testClient(`${server.url}/api`, { userName: 'ada', password: 'p' });
  const folder = { Name: 'Sales', Description: 'Of the year' };
  const read = async () =>
    (await client.call('library/GetAllLibraryTree', {})).filter((entry) => 'Name' in entry && entry.Name === 'Sales');

  await fc.assert(
    fc.asyncProperty(creation, async ({ hasTwin, ...wish }) => {
      folders = hasTwin ? [{ ...folder, ID: String(next++) }] : [];
      const before = folders.length;
      creates = 0;
      plan = wish;
      const outcome = await writeOnce(
        client,
        {
          kind: 'create',
          path: 'library/SaveLibraryFolder',
          body: { libraryfolder: folder },
          object: 'the folder Sales',
          read,
          idOf: (entry) => String(entry.ID),
          hasContent: (entry) => 'Description' in entry && entry.Description === folder.Description,
        },
        asAnswered,
        { pauses },
      ).catch((error: unknown) => {
        if (error instanceof ClientError) return error;
        throw error;
      });
      const shown = folders.length - before;
      count.schedules += 1;
      if (wish.commitsAfterMs !== null && !['good', 'refused'].includes(wish.reply)) count.late += 1;
      expect(creates).toBe(1);
      if (outcome instanceof ClientError) {
        expect(outcome.kind).toBe(wish.reply === 'refused' ? 'refused' : 'unknownOutcome');
        count[isClientError(outcome, 'refused') ? 'refused' : 'unknown'] += 1;
      } else {
        expect(shown).toBe(1);
        if (outcome.kind === 'reconciled') expect(outcome.found?.ID).toBe(folders.at(-1)?.ID);
        count[outcome.kind] += 1;
      }
      await landing;
      expect(folders.length - before).toBeLessThanOrEqual(1);
    }),
    { numRuns: Math.ceil(runs * 1.4) },
  );
  expect(count.late).toBeGreaterThanOrEqual(runs);
  expect(Math.min(count.answered, count.reconciled, count.unknown, count.refused)).toBeGreaterThan(0);
  await client.close();
  await server.close();
}, 300_000);
