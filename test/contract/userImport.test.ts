import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { deleteUser } from '../../src/features/userImport/sendUsers.ts';
import { ImportJob } from '../../src/features/userImport/importJob.ts';
import { readServerNames } from '../../src/features/userImport/serverNames.ts';
import { freshRows, keptRows } from '../../src/features/userImport/importRows.ts';
import { ImportJournalStore, isUnfinished, type LockImport } from '../../src/features/userImport/importJournal.ts';
import { readUserCsv } from '../../src/features/userImport/userCsv.ts';
import type { AnalyticsClient } from '../../src/client/client.ts';
import { withFileLock } from '../../src/connections/fileLock.ts';
import { startFaultProxy, type Fault, type FaultProxy } from '../support/faults/faultProxy.ts';
import { figure } from '../support/run/figure.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { testClient } from '../support/testClient.ts';

const userCount = 150;
const ownPassword = 'Of Their Own 1';
const file = [
  'LoginName,FirstName,LastName,EmailAddress,Groups,Password',
  ...Array.from({ length: userCount }, (_, index) => {
    const password = index % 5 === 0 ? ownPassword : '';
    return `import.${index},First ${index},Last,u${index}@example.com,${index % 2 ? 'North:Modify' : 'South'},${password}`;
  }),
].join('\n');

let server: TestServer;
let proxy: FaultProxy;
let client: AnalyticsClient;
let folder: string;
/** What goes wrong with every so-manieth request to an endpoint. */
let plan: Record<string, readonly [every: number, fault: Fault][]> = {};
const asked = new Map<string, number>();
let faultCount = 0;

function next(endpoint: string): Fault {
  const number = (asked.get(endpoint) ?? 0) + 1;
  asked.set(endpoint, number);
  const fault = plan[endpoint]?.find(([every]) => number % every === 0)?.[1] ?? 'none';
  if (fault !== 'none') faultCount += 1;
  return fault;
}

beforeAll(async () => {
  server = await startServer({ sample: true });
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-import-'));
  const { token, reply } = await server.login('admin', server.adminPassword);
  proxy = await startFaultProxy({ target: server.apiBase, token, login: reply, sessionMs: 1_200_000, next });
  client = testClient(proxy.apiBase, { userName: 'admin', password: server.adminPassword });
  source.installation = await client.call('LicenseManager/GetInstallationID', {});
});
afterAll(async () => {
  await client.close();
  await proxy.settled();
  await proxy.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What the user does when the account was used elsewhere. */
async function signInAgain(): Promise<void> {
  if (client.session.state.kind !== 'takenOver') return;
  await client.session.signIn({ userName: 'admin', password: server.adminPassword, isGuest: false });
}

const imported = async () =>
  (await client.call('Contact/GetContactList', {})).filter(({ LoginName }) => LoginName?.startsWith('import.'));
const source = { connectionId: 'c', installation: '', file: 'file:///users.csv', fileName: 'users.csv' };
const signal = new AbortController().signal;
const yes = async () => true;

it('creates every user once, whatever is lost on the way, and deletes them again', { timeout: 240_000 }, async () => {
  const { rows } = readUserCsv(file, await readServerNames(client));
  expect(rows.filter(({ problems }) => problems.length > 0)).toEqual([]);
  const before = (await client.call('Contact/GetContactList', {})).length;
  const journals = new ImportJournalStore(folder);
  const options = { journals, changed: () => undefined, pauses: [5, 15, 30] };
  const passwords = new Map(rows.map(({ line, password }) => [line, password]));
  plan = {
    'Contact/SaveContact': [
      [17, 'dropAfter'],
      [23, 'dropBefore'],
      [29, 'gateway502After'],
      [37, 'truncate'],
      [43, 'empty204After'],
      [61, 'expire'],
    ],
    'Group/AddUser': [
      [31, 'dropAfter'],
      [41, 'dropBefore'],
      [53, 'htmlAfter'],
    ],
  };
  let job = new ImportJob(source, freshRows(rows), options);
  let runs = 0;
  for (; job.waiting.length > 0 && runs < 60; runs++) {
    await signInAgain();
    await job.run(client, 'For the First Time 1', signal, yes);
    // Every other time the window ends, and the journal is all that is left.
    const [kept] = await journals.list();
    if (kept && runs % 2 === 0) {
      expect(isUnfinished(kept)).toBe(job.waiting.length > 0);
      job = new ImportJob(source, keptRows(kept, passwords), { ...options, kept });
    }
  }
  expect(job.rows.map(({ status }) => status)).toEqual(rows.map(() => 'created'));
  const found = await imported();
  expect(found).toHaveLength(userCount);
  expect(new Set(found.map(({ LoginName }) => LoginName)).size).toBe(userCount);
  const groups = await client.call('Group/GetAllSecurityGroups', {});
  const inNorth = groups.find(({ GroupName }) => GroupName === 'North')?.Membership ?? [];
  expect(inNorth.filter(({ LoginName }) => LoginName?.startsWith('import.'))).toHaveLength(userCount / 2);
  await server.login('import.5', ownPassword);
  await server.login('import.6', 'For the First Time 1');

  const [name = ''] = await readdir(folder);
  const text = await readFile(path.join(folder, name), 'utf8');
  expect(text).not.toContain(ownPassword);
  expect(text).not.toContain('For the First Time');

  plan = { 'Contact/DeleteContact': [[37, 'dropAfter']] };
  await job.undo(client, signal);
  expect(await imported()).toEqual([]);
  expect((await client.call('Contact/GetContactList', {})).length).toBe(before);
  figure(
    'user import',
    `${userCount} users through ${faultCount} faults in ${runs} runs: each created once with its group, 0 lost, 0 twice, 0 passwords on disk, all deleted again`,
  );
});

it('undoes users of unknown outcome, too: they are looked for first', { timeout: 60_000 }, async () => {
  plan = {};
  const { rows } = readUserCsv(file.split('\n').slice(0, 3).join('\n'), await readServerNames(client));
  const options = { journals: new ImportJournalStore(folder), changed: () => undefined };
  const job = new ImportJob(source, freshRows(rows), options);
  await job.run(client, 'For the First Time 1', signal, yes);
  expect(await imported()).toHaveLength(rows.length);
  const lost = new ImportJob(
    source,
    job.rows.map((row) => ({ ...row, status: 'unknown', userId: '' })),
    options,
  );
  expect(lost.undoable).toHaveLength(rows.length);
  await lost.undo(client, signal);
  expect(await imported()).toEqual([]);
});

it(
  'looks for users of unknown outcome although the file with their passwords is gone',
  { timeout: 60_000 },
  async () => {
    plan = {};
    await signInAgain();
    // Rows with a password of their own: one is there, though its outcome was never noted; the other never came.
    const header = file.split('\n')[0] ?? '';
    const text = [header, `import.kept,A,B,a@b,North,${ownPassword}`, `import.lost,C,D,c@d,,${ownPassword}`].join('\n');
    const { rows } = readUserCsv(text, await readServerNames(client));
    const journals = new ImportJournalStore(folder);
    const options = { journals, changed: () => undefined, pauses: [1] };
    const [first, second] = rows;
    if (!first || !second) throw new Error('There are two rows.');
    const before = new ImportJob(source, freshRows([first]), options);
    await before.run(client, '', signal, yes);
    const { id } = await journals.begin({ ...source, startedAt: new Date(Date.now() + 60_000).toISOString() }, rows);
    for (const { line, loginName } of rows) {
      await journals.note(id, { line, loginName, kind: 'started', userId: '', reason: '' });
    }
    const kept = (await journals.list()).find((found) => found.header.id === id);
    if (!kept) throw new Error('The journal is there.');
    const job = new ImportJob(source, keptRows(kept, new Map()), { ...options, kept });
    expect(job.rows.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
    expect(job.undoable).toHaveLength(2);
    await job.run(client, '', signal, yes);
    expect(job.rows.map(({ status }) => status)).toEqual(['created', 'unknown']);
    expect((await imported()).map(({ LoginName }) => LoginName)).toEqual(['import.kept']);
    await job.undo(client, signal);
    expect(await imported()).toEqual([]);
  },
);

it('neither goes on nor is undone on another installation, nor on a user who is somebody else', async () => {
  plan = {};
  await signInAgain();
  const { rows } = readUserCsv(file.split('\n').slice(0, 3).join('\n'), await readServerNames(client));
  const journals = new ImportJournalStore(folder);
  const options = { journals, changed: () => undefined, pauses: [1] };
  const job = new ImportJob(source, freshRows(rows), options);
  await job.run(client, 'For the First Time 1', signal, yes);
  expect(job.created).toHaveLength(2);
  const elsewhere = new ImportJob({ ...source, installation: 'another' }, job.rows, options);
  const another = { kind: 'refused', message: expect.stringContaining('Another installation') as string };
  await expect(elsewhere.undo(client, signal)).rejects.toMatchObject(another);
  await expect(elsewhere.run(client, 'For the First Time 1', signal, yes)).rejects.toMatchObject(another);
  expect(await imported()).toHaveLength(2);
  const [first, second] = job.rows;
  if (!first || !second) throw new Error('There are two rows.');
  // As if the id of the first row were somebody else's by now.
  const own = first.userId;
  first.userId = second.userId;
  first.status = 'partial';
  await job.run(client, 'For the First Time 1', signal, yes);
  expect(first).toMatchObject({ status: 'partial', reason: expect.stringContaining('was not changed') as string });
  second.status = 'undone';
  await job.undo(client, signal);
  expect(first.reason).toContain('was not changed');
  expect(await imported()).toHaveLength(2);
  first.userId = own;
  second.status = 'created';
  await job.undo(client, signal);
  expect(await imported()).toEqual([]);
});

it('takes users whom somebody else deleted for undone, and has nothing left to undo', async () => {
  const { job } = await twoRows(new ImportJournalStore(folder));
  await job.run(client, 'For the First Time 1', signal, yes);
  const [first, second] = job.rows;
  if (!first || !second) throw new Error('There are two rows.');
  await deleteUser(client, first.userId, first.row.loginName, [1]);
  await job.undo(client, signal);
  expect(first).toMatchObject({ status: 'undone', reason: expect.stringContaining('already deleted') as string });
  expect(second).toMatchObject({ status: 'undone', reason: '' });
  expect(job.undoable).toEqual([]);
});

it('stops where going on would fail as well, and says what was not tried', { timeout: 60_000 }, async () => {
  plan = { 'Contact/SaveContact': [[1, 'rejected101Before']] };
  const { rows } = readUserCsv(file.split('\n').slice(0, 21).join('\n'), await readServerNames(client));
  const job = new ImportJob(source, freshRows(rows), {
    journals: new ImportJournalStore(folder),
    changed: () => undefined,
  });
  await job.run(client, 'For the First Time 1', signal, yes);
  const count = (kind: string) => job.rows.filter(({ status }) => status === kind).length;
  // Ten go out at a time.
  expect(count('failed')).toBeLessThanOrEqual(10);
  expect(count('notTried')).toBeGreaterThanOrEqual(10);
  expect(job.waiting).toHaveLength(20);
  await signInAgain();
  expect(await imported()).toEqual([]);
});

/** Two rows, and an import of them in a journal of its own. */
async function twoRows(journals: ImportJournalStore) {
  plan = {};
  await signInAgain();
  const { rows } = readUserCsv(file.split('\n').slice(0, 3).join('\n'), await readServerNames(client));
  const options = { journals, changed: () => undefined, pauses: [1] };
  return { rows, options, job: new ImportJob(source, freshRows(rows), options) };
}

it('is worked at by one window at a time, which takes over what the other one did', { timeout: 60_000 }, async () => {
  const locked: LockImport = (lock, work) => withFileLock(lock, work, { server: 'Test', waitMs: 50 });
  const journals = new ImportJournalStore(folder, locked);
  const { rows, options, job } = await twoRows(journals);
  const { id } = await journals.begin({ ...source, startedAt: new Date(Date.now() + 120_000).toISOString() }, rows);
  const windows = await Promise.all(
    [1, 2].map(async () => {
      const kept = await journals.read(id);
      if (!kept) throw new Error('The journal is there.');
      return new ImportJob(source, keptRows(kept, new Map(rows.map((row) => [row.line, row.password]))), {
        ...options,
        kept,
      });
    }),
  );
  const [one, other] = windows;
  if (!one || !other) throw new Error('There are two windows.');
  await journals.exclusively(id, async () => {
    const refused = one.run(client, 'For the First Time 1', signal, yes);
    await expect(refused).rejects.toMatchObject({ kind: 'storage' });
  });
  expect(await imported()).toEqual([]);
  await one.run(client, 'For the First Time 1', signal, yes);
  expect(one.created).toHaveLength(2);
  // The other window still shows them as to be sent.
  expect(other.waiting).toHaveLength(2);
  await other.run(client, 'For the First Time 1', signal, yes);
  expect(other.rows.map(({ status, userId }) => [status, userId])).toEqual(
    one.rows.map(({ userId }) => ['created', userId]),
  );
  await other.undo(client, signal);
  await one.undo(client, signal);
  expect(one.rows.map(({ status }) => status)).toEqual(['undone', 'undone']);
  expect(await imported()).toEqual([]);
  expect(job.journalId).toBeUndefined();
});

it('sends nothing that it cannot note, and leaves no row without an outcome', { timeout: 60_000 }, async () => {
  const journals = new ImportJournalStore(folder);
  const { job } = await twoRows(journals);
  const note = vi.spyOn(journals, 'note').mockRejectedValue(new Error('no space left on device'));
  await expect(job.run(client, 'For the First Time 1', signal, yes)).rejects.toThrow('no space left');
  expect(job.rows.map(({ status, reason }) => [status, reason])).toEqual([
    ['notTried', 'no space left on device'],
    ['notTried', 'no space left on device'],
  ]);
  expect(await imported()).toEqual([]);
  note.mockRestore();
  await job.run(client, 'For the First Time 1', signal, yes);
  expect(job.created).toHaveLength(2);
  await job.undo(client, signal);
  expect(await imported()).toEqual([]);
});

it('asks before rows of unknown outcome are sent again, and takes nobody else for one of its users', async () => {
  const { rows, options } = await twoRows(new ImportJournalStore(folder));
  const unknown = () =>
    new ImportJob(
      source,
      freshRows(rows).map((row) => ({ ...row, status: 'unknown' })),
      options,
    );
  const asked: number[] = [];
  const declined = unknown();
  expect(declined.uncertain).toHaveLength(2);
  await declined.run(client, 'For the First Time 1', signal, async (count) => {
    asked.push(count);
    return false;
  });
  expect(asked).toEqual([2]);
  expect(declined.rows.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
  expect(await imported()).toEqual([]);
  // Somebody else takes the name after the file was checked.
  const fresh = new ImportJob(source, freshRows(rows), options);
  const others = rows.slice(0, 1).map((row) => ({ ...row, firstName: 'Somebody' }));
  const elsewhere = new ImportJob(source, freshRows(others), options);
  await elsewhere.run(client, 'Somebody Else 1', signal, yes);
  const [their] = elsewhere.created;
  for (const job of [fresh, unknown()]) {
    await job.run(client, 'For the First Time 1', signal, yes);
    expect(job.rows[0]).toMatchObject({ status: 'failed', userId: '' });
    expect(job.rows[1]?.status).toBe('created');
    await job.undo(client, signal);
    expect((await imported()).map(({ ID }) => String(ID))).toEqual([their?.userId]);
  }
  await elsewhere.undo(client, signal);
  expect(await imported()).toEqual([]);
});
