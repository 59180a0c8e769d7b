import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalServerHome } from '../../../src/connections/localServer/localServerHome.ts';
import { ServerList } from '../../../src/connections/serverList.ts';
import { UnknownWrites } from '../../../src/connections/unknownWrites.ts';
import { SetupJournalStore } from '../../../src/features/applications/setupJournal.ts';
import { ImportJournalStore } from '../../../src/features/userImport/importJournal.ts';
import { MemorySecrets } from '../../support/memorySecrets.ts';

/* What the extension keeps in files, damaged at 20 places in two ways: reported with its file or repaired, and never overwritten. */

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-records-'));
});
afterEach(() => rm(folder, { recursive: true }));

const places = ({ length }: Buffer) =>
  Array.from({ length: 20 }, (_, index) => Math.floor(((index + 0.5) * length) / 20));

/** Each damage to a file, in turn; the file is whole again afterwards. */
async function damageEach(file: string, check: (how: string) => Promise<void>): Promise<void> {
  const whole = readFileSync(file);
  for (const at of places(whole)) {
    const flipped = Buffer.from(whole);
    flipped[at] = flipped.readUInt8(at) ^ 0x01;
    for (const [how, bytes] of [
      [`flipped at ${at}`, flipped],
      [`cut at ${at}`, whole.subarray(0, at)],
    ] as const) {
      writeFileSync(file, bytes);
      await check(how);
      expect(readFileSync(file).equals(bytes), how).toBe(true);
    }
  }
  writeFileSync(file, whole);
}

const fileIn = (name: string) => path.join(name, readdirSync(name).find((each) => /\.jsonl?$/.test(each)) ?? '');

const row = {
  ...{
    line: 2,
    loginName: 'ben',
    firstName: 'Ben',
    lastName: 'Ω',
    email: '',
    company: '',
    description: '',
    problems: [],
  },
  ...{ tags: ['', '', '', ''], memberships: [{ groupName: 'North', roleId: '2' }], password: 'not stored' },
} as never;

describe('a damaged record', () => {
  it('of an import is reported, and none of its ids is used', async () => {
    const journals = new ImportJournalStore(folder);
    const facts = { connectionId: 'c', installation: 'i', file: 'f', fileName: 'f', startedAt: '2026-01-01T00:00:00Z' };
    const { id } = await journals.begin(facts, [row]);
    const note = { line: 2, loginName: 'ben', userId: '12', reason: '' };
    await journals.note(id, { ...note, kind: 'started' });
    await journals.note(id, { ...note, kind: 'created' });
    const whole = await journals.list();
    expect(whole.map(({ entries }) => entries.get(2)?.kind)).toEqual(['created']);
    const file = fileIn(folder);
    await damageEach(file, async (how) => {
      const { imports, damaged } = await journals.readAll();
      if (damaged.length > 0) {
        expect([imports, damaged], how).toEqual([[], [file]]);
        return;
      }
      // A cut last line is a write that was not completed, so the row is unknown; a flipped letter may be in the name `sum`.
      const [found] = imports;
      expect(found?.header, how).toEqual(whole[0]?.header);
      expect([undefined, whole[0]?.entries.get(2), { ...note, kind: 'started' }], how).toContainEqual(
        found?.entries.get(2),
      );
      if (how.startsWith('flipped')) expect(found?.entries, how).toEqual(whole[0]?.entries);
    });
    expect(await journals.list()).toEqual(whole);
  });

  it('of an import takes no later entry with it when a crash has cut its last line', async () => {
    const journals = new ImportJournalStore(folder);
    const facts = { connectionId: 'c', installation: 'i', file: 'f', fileName: 'f', startedAt: '2026-01-01T00:00:00Z' };
    const { id } = await journals.begin(facts, [row]);
    const file = fileIn(folder);
    await writeFile(file, '{"line":2,"logi', { flag: 'a' });
    await journals.note(id, { line: 2, loginName: 'ben', userId: '12', reason: '', kind: 'created' });
    expect((await journals.list())[0]?.entries.get(2)?.userId).toBe('12');
  });

  it('of an application setup is reported', async () => {
    const journals = new SetupJournalStore(folder);
    const database = { displayName: 'Sales', platform: '', host: '', database: '', owner: '', login: '', timeZone: 0 };
    const begun = await journals.begin({
      connectionId: 'c',
      installation: 'i',
      name: 'Sales',
      description: '',
      database,
    });
    const file = fileIn(folder);
    await damageEach(file, async (how) => {
      expect(await journals.readAll(), how).toEqual({ setups: [], damaged: [file] });
    });
    expect(await journals.list()).toEqual([begun]);
  });

  it('of an unknown write is reported', async () => {
    const writes = new UnknownWrites(folder);
    const write = await writes.journalOf({ id: 'c', name: 'Shop' }).begin({ kind: 'change', object: 'policy P' });
    await write.unknown('the connection broke', () => Promise.resolve(false));
    const whole = await writes.list();
    expect(whole).toHaveLength(1);
    const file = fileIn(folder);
    await damageEach(file, async (how) => {
      const { writes: found, damaged } = await writes.read();
      // A flipped letter may be in the name `sum`.
      if (damaged.length === 0) expect(found, how).toEqual(whole);
      else expect([found, damaged.map((each) => each.file)]).toEqual([[], [file]]);
    });
  });

  it('of the local data is not needed: its folder and its secrets remain in use', async () => {
    const home = new LocalServerHome(folder, new MemorySecrets());
    const { dataFolder, password } = await home.prepare();
    await mkdir(dataFolder);
    await damageEach(path.join(folder, 'home.json'), async (how) => {
      expect(await home.prepare(), how).toMatchObject({ dataFolder, password, abandonedFolder: undefined });
    });
    await rm(path.join(folder, 'home.json'));
    expect(await home.prepare()).toMatchObject({ dataFolder, password });
  });

  it('of the last start and of the running server is not mistaken for another form', async () => {
    const home = new LocalServerHome(folder, new MemorySecrets());
    await home.prepare();
    const running = { url: 'http://127.0.0.1:4000', pid: 1, installationId: 'i', apiBase: 'http://127.0.0.1:4000/api' };
    await home.writeRunning(running, { release: '9.0.0', editor: 'Editor' });
    for (const name of readdirSync(folder).filter((each) => /^(?:server|last-start)-/.test(each))) {
      await damageEach(path.join(folder, name), async (how) => {
        const [last, server] = [await home.readLastStart(), await home.readRunning()];
        if (server) expect(server.apiBase.startsWith('http://127.0.0.1:'), how).toBe(true);
        if (last) expect(typeof last.pid, how).toBe('number');
      });
    }
  });

  it('of the saved servers is refused or leaves the others, and survives a change', async () => {
    const file = path.join(folder, 'servers.json');
    const list = new ServerList({ file, earlier: { get: () => undefined, update: () => Promise.resolve() } });
    const entry = {
      ...{ id: 'own', name: 'Shop', kind: 'remote', apiBase: 'http://127.0.0.1:9/api', installationId: '' },
      ...{ userName: 'ada', isGuest: false, keepsPassword: false, isSignedOut: false },
    };
    await writeFile(file, JSON.stringify([entry, { ...entry, id: 'other' }]));
    await damageEach(file, async (how) => {
      const bytes = readFileSync(file, 'utf8');
      const isJson = /^flipped/.test(how) && parses(bytes);
      if (!isJson) {
        expect(() => list.read(), how).toThrow();
        await expect(
          list.change('Shop', () => []),
          how,
        ).rejects.toThrow(file);
      } else expect(list.read().length, how).toBeGreaterThan(0);
    });
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
