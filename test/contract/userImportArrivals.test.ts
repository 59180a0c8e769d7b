import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ImportJob } from '../../src/features/userImport/importJob.ts';
import { readServerNames } from '../../src/features/userImport/serverNames.ts';
import { ImportJournalStore } from '../../src/features/userImport/importJournal.ts';
import { freshRows, type RowStatus } from '../../src/features/userImport/importRows.ts';
import { readUserCsv } from '../../src/features/userImport/userCsv.ts';
import type { AnalyticsClient } from '../../src/client/client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { testClient } from '../support/testClient.ts';

/* Rows whose first sending was cut off, and that arrive, or may arrive, while the import goes on. */

const password = 'For the First Time 1';
const signal = new AbortController().signal;
const source = { connectionId: 'c', installation: '', file: 'file:///late.csv', fileName: 'late.csv' };

let server: TestServer;
let client: AnalyticsClient;
let folder: string;
beforeAll(async () => {
  server = await startServer({ sample: true });
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-import-'));
  client = testClient(server.apiBase, { userName: 'admin', password: server.adminPassword });
  source.installation = await client.call('LicenseManager/GetInstallationID', {});
});
afterAll(async () => {
  await client.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const imported = async () =>
  (await client.call('Contact/GetContactList', {})).filter(({ LoginName }) => LoginName?.startsWith('late.'));

/** An import whose rows have this status, and what sends them in the meantime as its first sending would. */
async function cutOff(status: RowStatus) {
  const text = ['LoginName,FirstName,Groups', 'late.one,One,North', 'late.two,Two,South'].join('\n');
  const { rows } = readUserCsv(text, await readServerNames(client));
  const options = { journals: new ImportJournalStore(folder), changed: () => undefined, pauses: [1] };
  const job = new ImportJob(
    source,
    freshRows(rows).map((row) => ({ ...row, status })),
    options,
  );
  const arrive = () => new ImportJob(source, freshRows(rows), options).run(client, password, signal, async () => true);
  return { job, arrive };
}

it('takes a user for its own whose first sending arrives just before the second', async () => {
  const { job, arrive } = await cutOff('unknown');
  await job.run(client, password, signal, async () => {
    // They were looked for, and are not there yet.
    await arrive();
    return true;
  });
  const there = await imported();
  expect(job.rows.map(({ status, userId }) => [status, userId])).toEqual(
    there.map(({ ID }) => ['created', String(ID)]),
  );
  expect(there).toHaveLength(2);
  await job.undo(client, signal);
  expect(await imported()).toEqual([]);
});

it('still does not know of a user, when it is stopped before the second sending', async () => {
  const { job, arrive } = await cutOff('unknown');
  const stop = new AbortController();
  await job.run(client, password, stop.signal, async () => {
    stop.abort();
    return true;
  });
  expect(job.rows.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
  await arrive();
  expect(await imported()).toHaveLength(2);
  await job.undo(client, signal);
  expect(job.rows.map(({ status }) => status)).toEqual(['undone', 'undone']);
  expect(await imported()).toEqual([]);
});

it('still counts a user as there, when it is stopped before the user is put into the group', async () => {
  const { job, arrive } = await cutOff('unknown');
  await arrive();
  const stopped = AbortSignal.abort();
  await job.run(client, password, stopped, async () => true);
  expect(job.rows.map(({ status }) => status)).toEqual(['partial', 'partial']);
  await job.run(client, password, signal, async () => true);
  expect(job.rows.map(({ status }) => status)).toEqual(['created', 'created']);
  await job.undo(client, signal);
  expect(await imported()).toEqual([]);
});
