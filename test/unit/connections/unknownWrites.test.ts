import { randomUUID } from 'node:crypto';
import fs, { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClientError } from '../../../src/client/clientError.ts';
import { asAnswered, settleWrite } from '../../../src/client/writes/writes.ts';
import { UnknownWrites } from '../../../src/connections/unknownWrites.ts';

const server = { id: 'c1', name: 'Reports' };
const secret = 'the content of the object';

/** One change that fails as told; `isThere` says what a look shows. */
function change(folder: string, failure: ClientError | undefined, isThere: () => boolean): Promise<unknown> {
  const traces = {
    kind: 'change' as const,
    object: 'the data tag Region',
    read: async () => [secret],
    idOf: () => '7',
    hasContent: isThere,
  };
  const send = async () => {
    const [underWay] = await filesIn(folder);
    expect(underWay).toMatchObject({ object: 'the data tag Region', reason: '' });
    if (failure) throw failure;
    return 'ok';
  };
  return settleWrite({ name: server.name, journal: writesIn(folder).journalOf(server) }, traces, send, asAnswered, {
    pauses: [0],
  });
}

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Where the journal of this test lies: as an editor that has never written anything finds it. */
async function newFolder(): Promise<string> {
  const parent = await mkdtemp(path.join(tmpdir(), 'analytics-writes-'));
  folders.push(parent);
  return path.join(parent, 'writes');
}

/** Everything in the folder, as it is on the disk. */
async function filesIn(folder: string): Promise<Record<string, unknown>[]> {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
}

const lost = () =>
  new ClientError('timeout', 'No answer in time.', { server: 'Reports', endpoint: 'DataTag/SaveDataTag' });

const known = new Map<string, UnknownWrites>();
/** The journal of this window. */
function writesIn(folder: string): UnknownWrites {
  const writes = known.get(folder) ?? new UnknownWrites(folder);
  known.set(folder, writes);
  return writes;
}

describe('the journal of writes', () => {
  it('keeps a write only while it is under way, when its outcome shows', async () => {
    const folder = await newFolder();
    expect(await writesIn(folder).list()).toEqual([]);
    await change(folder, undefined, () => true);
    await change(folder, lost(), () => true);
    const refusal = new ClientError('refused', 'No.', { server: 'Reports', code: 9000 });
    await expect(change(folder, refusal, () => false)).rejects.toThrow('No.');
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps a write whose reply was lost when a failure of our own keeps it from being looked for', async () => {
    const folder = await newFolder();
    const broken = () => {
      throw new TypeError('our own fault');
    };
    await expect(change(folder, lost(), broken)).rejects.toMatchObject({ kind: 'unknownOutcome' });
    await expect(writesIn(folder).list()).resolves.toHaveLength(1);
  });

  it('keeps a write that broke off by a failure of our own', async () => {
    const folder = await newFolder();
    const fault = new TypeError('our own fault') as unknown as ClientError;
    const failed = change(folder, fault, () => false);
    await expect(failed).rejects.toMatchObject({
      kind: 'unknownOutcome',
      message: expect.stringContaining('own') as string,
    });
    await expect(writesIn(folder).list()).resolves.toHaveLength(1);
  });

  it('believes a refusal in words that came with status 200, once a look shows nothing of the write', async () => {
    const folder = await newFolder();
    const refusal = new ClientError('refused', 'Contact not found.', { server: 'Reports', status: 200 });
    await expect(change(folder, refusal, () => false)).rejects.toBe(refusal);
    expect(await readdir(folder)).toEqual([]);
    await expect(change(folder, refusal, () => true)).resolves.toMatchObject({ kind: 'reconciled' });
    const gateway = new ClientError('refused', 'Bad gateway.', { server: 'Reports', status: 502 });
    await expect(change(folder, gateway, () => false)).rejects.toMatchObject({ kind: 'unknownOutcome' });
  });

  it('keeps what was sent, to whom and when, without its content, until a look shows it', async () => {
    const folder = await newFolder();
    const writes = writesIn(folder);
    let isThere = false;
    await expect(change(folder, lost(), () => isThere)).rejects.toMatchObject({ kind: 'unknownOutcome' });
    const [entry] = await writes.list();
    expect(entry).toMatchObject({
      connectionId: 'c1',
      server: 'Reports',
      object: 'the data tag Region',
      kind: 'change',
    });
    expect(Date.now() - Date.parse(entry?.sentAt ?? '')).toBeLessThan(60_000);
    expect(entry?.reason).toContain('No answer in time');
    expect(JSON.stringify(await filesIn(folder))).not.toContain(secret);
    expect(await writes.look(entry?.id ?? '')).toBe(false);
    expect(await writes.list()).toHaveLength(1);
    isThere = true;
    expect(await writes.look(entry?.id ?? '')).toBe(true);
    expect(await writes.list()).toEqual([]);
  });

  it('is on the disk for its owner alone', async () => {
    const folder = await newFolder();
    await writesIn(folder).journalOf(server).begin({ kind: 'create', object: 'the group North' });
    const [name = ''] = await readdir(folder);
    if (process.platform !== 'win32') expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
  });

  it('loses nothing when many windows write at once', async () => {
    const folder = await newFolder();
    const windows = Array.from({ length: 20 }, () => new UnknownWrites(folder));
    const begun = windows.flatMap((window, index) =>
      [1, 2, 3].map(async (number) => {
        const open = await window.journalOf(server).begin({ kind: 'change', object: `object ${index} ${number}` });
        if (number === 1) await open.settled();
        else await open.unknown('No answer.', async () => false);
      }),
    );
    await Promise.all(begun);
    expect(await new UnknownWrites(folder).list()).toHaveLength(40);
  });

  it('tells of a write that was under way when its program ended, and not of one that still is', async () => {
    const folder = await newFolder();
    const open = await writesIn(folder).journalOf(server).begin({ kind: 'create', object: 'the group North' });
    const other = new UnknownWrites(folder);
    expect(await other.list()).toEqual([]);
    const [entry] = await filesIn(folder);
    const rewrite = (change: object) =>
      writeFile(
        path.join(folder, `${String(entry?.id)}.json`),
        JSON.stringify({ ...entry, ...change, sum: undefined }),
      );
    // No process has this id: it is beyond what systems give.
    await rewrite({ pid: 2 ** 30 });
    expect(await other.list()).toMatchObject([{ object: 'the group North', reason: '' }]);
    expect(await other.look(String(entry?.id))).toBeUndefined();
    // The id of its process was given to another since; whichever way the clock was set.
    for (const hours of [-1, 1]) {
      await rewrite({ pid: process.ppid, sentAt: new Date(Date.now() + hours * 3_600_000).toISOString() });
      expect(await other.list()).toHaveLength(1);
    }
    await rewrite({ pid: process.ppid });
    expect(await other.list()).toEqual([]);
    // This process knows what it has under way, and this is not it.
    const stranger = randomUUID();
    await writeFile(path.join(folder, `${stranger}.json`), JSON.stringify({ ...entry, id: stranger, sum: undefined }));
    expect(await other.list()).toMatchObject([{ id: stranger }]);
    await other.forget(stranger);
    await open.settled();
    expect(await other.list()).toEqual([]);
  });

  it('lets what the server said stand when the disk takes no more notes', async () => {
    const write = { kind: 'change' as const, object: 'the data tag Region', idOf: () => '7', hasContent: () => false };
    const traces = { ...write, read: async () => [secret] };
    const full = () => Promise.reject(new Error('ENOSPC: no space left on device'));
    const journal = { begin: async () => ({ settled: full, unknown: full }) };
    const to = { name: server.name, journal };
    expect(await settleWrite(to, traces, async () => 'ok', asAnswered)).toEqual({ kind: 'answered', reply: 'ok' });
    const refusal = new ClientError('refused', 'No.', { server: 'Reports', code: 9000 });
    await expect(settleWrite(to, traces, () => Promise.reject(refusal), asAnswered)).rejects.toBe(refusal);
    await expect(
      settleWrite(to, traces, () => Promise.reject(lost()), asAnswered, { pauses: [0] }),
    ).rejects.toMatchObject({
      kind: 'unknownOutcome',
    });
    let wasSent = false;
    const send = async () => (wasSent = true);
    const unsent: unknown = await settleWrite({ ...to, journal: { begin: full } }, traces, send, asAnswered).catch(
      (error: unknown) => error,
    );
    expect(unsent).toMatchObject({ kind: 'storage', server: server.name, isUnsent: true });
    expect(unsent).toMatchObject({ message: expect.stringMatching(/data tag Region.*not sent.*ENOSPC/) as string });
    expect(unsent).toMatchObject({ remedy: expect.stringContaining('Free up disk space') as string });
    expect(wasSent).toBe(false);
  });

  it.each([
    ['EINVAL', true],
    ['ENOTSUP', true],
    ['EIO', false],
  ])('where the disk answers the syncing of a folder with %s, takes the write: %s', async (code, isTaken) => {
    const folder = await newFolder();
    const close = vi.fn(async () => undefined);
    const sync = () => Promise.reject(Object.assign(new Error(code), { code }));
    const open = vi.spyOn(fs, 'open').mockResolvedValue({ sync, close } as unknown as FileHandle);
    try {
      const begun = writesIn(folder).journalOf(server).begin({ kind: 'create', object: 'the group North' });
      if (isTaken) await expect(begun).resolves.toBeDefined();
      else await expect(begun).rejects.toThrow(code);
      expect(close).toHaveBeenCalled();
    } finally {
      open.mockRestore();
    }
    expect(await filesIn(folder)).toHaveLength(isTaken ? 1 : 0);
  });

  it('lists what cannot be read with its path, until it is discarded', async () => {
    const folder = await newFolder();
    const writes = writesIn(folder);
    const open = await writes.journalOf(server).begin({ kind: 'create', object: 'the group North' });
    await open.unknown('No answer.', async () => false);
    const [whole] = await filesIn(folder);
    const texts = ['', '{', 'null', '1', '{}', '{"id":"x"}', JSON.stringify(whole), JSON.stringify(whole).slice(0, -9)];
    await Promise.all(texts.map((text, index) => writeFile(path.join(folder, `${index}.json`), text)));
    // Readable for nobody: a folder in the place of a file.
    await mkdir(path.join(folder, 'folder.json'));
    const { writes: listed, damaged } = await writes.read();
    expect(listed).toMatchObject([{ object: 'the group North' }]);
    const names = [...texts.map((_text, index) => `${index}.json`), 'folder.json'];
    expect(damaged.map(({ file }) => file).sort()).toEqual(names.map((name) => path.join(folder, name)).sort());
    expect(damaged.every(({ changedAt }) => !Number.isNaN(Date.parse(changedAt)))).toBe(true);
    await rm(path.join(folder, 'folder.json'), { recursive: true });
    for (const one of damaged) await writes.discard(one);
    expect(await writes.read()).toMatchObject({ writes: [{ object: 'the group North' }], damaged: [] });
    const elsewhere = path.join(folder, '..', 'writes.json');
    await writeFile(elsewhere, '');
    await expect(writes.discard({ file: elsewhere, changedAt: '' })).rejects.toThrow('no record of a write');
  });
});
