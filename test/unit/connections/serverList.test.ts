import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerEntry } from '../../../src/connections/serverEntry.ts';
import { ServerList } from '../../../src/connections/serverList.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-list-'));
  file = path.join(folder, 'servers.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function entry(id: string): ServerEntry {
  const account = { userName: 'ada', isGuest: false, keepsPassword: false, isSignedOut: false };
  return { id, name: id, kind: 'remote', apiBase: 'http://127.0.0.1:9/api', installationId: '', ...account };
}

/** The list as one window has it, with the copy of the editor's state that it started with. */
function list(earlier: readonly ServerEntry[] = []): ServerList {
  return new ServerList({ file, earlier: { get: () => earlier, update: async () => undefined } });
}

describe('the list of servers', () => {
  it('keeps what every window changes, however old its copy of the editor state is', async () => {
    const windows = [list(), list([entry('old')]), list()] as const;
    const ids = Array.from({ length: 30 }, (_, index) => `s${index}`);
    await Promise.all(
      ids.map((id, index) =>
        list(index % 3 === 0 ? [entry('old')] : []).change(id, (entries) => [...entries, entry(id)]),
      ),
    );
    await windows[0].change('s0', (entries) => entries.filter(({ id }) => id !== 's0'));
    for (const window of windows) {
      expect(
        window
          .read()
          .map(({ id }) => id)
          .filter((id) => id !== 'old')
          .sort(),
      ).toEqual(ids.slice(1).sort());
    }
    expect((await readdir(folder)).sort()).toEqual(['locks', 'servers.json']);
  });

  it('takes over what an earlier release kept in the editor state, once', async () => {
    const window = list([entry('old')]);
    expect(window.read()).toEqual([entry('old')]);
    await window.change('old', () => []);
    expect(list([entry('old')]).read()).toEqual([]);
  });

  it('leaves nothing of it in the editor state, once the list is written', async () => {
    const state = new Map<string, unknown>([['analytics.servers', [entry('old')]]]);
    const earlier = {
      get: (key: string) => state.get(key),
      update: async (key: string) => void state.delete(key),
    };
    const window = new ServerList({ file, earlier });
    await window.change('new', (entries) => [...entries, entry('new')]);
    expect(state.size).toBe(0);
    expect(window.read()).toEqual([entry('old'), entry('new')]);
  });

  it('leaves no file when the last server is removed', async () => {
    const earlier = { get: () => undefined, update: async () => undefined };
    const window = new ServerList({ file, earlier });
    await window.change('new', () => [entry('new')]);
    await window.change('new', () => []);
    expect(await readdir(folder)).toEqual(['locks']);
    expect(window.read()).toEqual([]);
  });

  it('is not overwritten where it cannot be read, and says where it is', async () => {
    await writeFile(file, '[{"id":');
    const window = list();
    expect(() => window.read()).toThrow();
    const change = window.change('North', () => []);
    await expect(change).rejects.toThrow(file);
    await expect(change).rejects.toMatchObject({ kind: 'storage', server: 'North' });
    expect(await readFile(file, 'utf8')).toBe('[{"id":');
  });
});
