import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../../support/server.ts';

const hasModes = process.platform !== 'win32';
const isRoot = process.geteuid?.() === 0;
/** Of nobody, on any system. */
const stranger = 65_534;

let root: string;
let data: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'analytics-private-'));
  data = path.join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function start(dataFolder = data): Promise<void> {
  await (await startServer({ dataFolder })).stop();
}

function modeOf(folder: string): string {
  return (statSync(folder).mode & 0o7777).toString(8);
}

/** Makes the folder with this very mode, whatever the mask of the process. */
function make(folder: string, mode: number): string {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode);
  return folder;
}

describe.runIf(hasModes)('the data folder', () => {
  it.each(['755', '750', '711', '700'])(
    'is kept to its owner, whatever others might see before: mode %s',
    async (before) => {
      make(data, Number.parseInt(before, 8));
      await start();
      expect(modeOf(data)).toBe('700');
      expect(modeOf(path.join(data, 'databases'))).toBe('700');
    },
  );

  it('is made for its owner, and the folders above that are missing too', async () => {
    const deep = path.join(data, 'below', 'it');
    await start(deep);
    expect([deep, path.dirname(deep), data].map(modeOf)).toEqual(['700', '700', '700']);
  });

  it.each(['777', '707', '1777', '702'])('is refused when others can write to it: mode %s', async (before) => {
    make(data, Number.parseInt(before, 8));
    await expect(start()).rejects.toThrow(/Others can write to the data folder .*data \(mode .*chmod 700/);
    // Nothing was begun in it.
    expect(existsSync(path.join(data, 'server.lock'))).toBe(false);
    expect(modeOf(data)).toBe(before);
  });

  it('is refused when another group can write to it, not for the group of its own user', async ({ skip }) => {
    skip(!isRoot, 'Only root gives a folder to another group.');
    make(data, 0o770);
    chownSync(data, 0, stranger);
    await expect(start()).rejects.toThrow('Others can write to the data folder');
    chownSync(data, 0, 0);
    await start();
    expect(modeOf(data)).toBe('700');
  });

  it('is refused when somebody else owns it', async ({ skip }) => {
    skip(!isRoot, 'Only root gives a folder to another user.');
    chownSync(make(data, 0o700), stranger, stranger);
    await expect(start()).rejects.toThrow(/belongs to another user \(id 65534, not 0\).*chown/);
  });

  it('is refused where others can put another in its place, however far above', async () => {
    const open = make(path.join(root, 'open'), 0o777);
    const below = path.join(open, 'closed', 'data');
    make(path.dirname(below), 0o755);
    await expect(start(below)).rejects.toThrow(/Others can replace the data folder .*open \(mode 0777\).*chmod go-w/);
    expect(existsSync(path.join(below, 'server.lock'))).toBe(false);
    // Where only owners move what is theirs, as in a folder of temporary files, it is safe.
    chmodSync(open, 0o1777);
    await start(below);
  });

  it('is refused below what a stranger owns in such a folder', async ({ skip }) => {
    skip(!isRoot, 'Only root gives a folder to another user.');
    const theirs = make(path.join(make(path.join(root, 'open'), 0o1777), 'theirs'), 0o755);
    chownSync(theirs, stranger, stranger);
    await expect(start(path.join(theirs, 'data'))).rejects.toThrow('Others can replace the data folder');
  });

  it('is found through a link, and is what counts', async () => {
    const link = path.join(root, 'link');
    symlinkSync(make(data, 0o755), link);
    await start(link);
    expect(modeOf(data)).toBe('700');
    expect(existsSync(path.join(data, 'state.db'))).toBe(true);
    chmodSync(data, 0o777);
    await expect(start(link)).rejects.toThrow(`Others can write to the data folder ${data}`);
  });

  it('is refused through a link that others can put another in the place of', async () => {
    make(data, 0o700);
    const link = path.join(make(path.join(root, 'open'), 0o777), 'link');
    symlinkSync(data, link);
    await expect(start(link)).rejects.toThrow(`Others can replace the data folder ${link}`);
  });

  it('is refused, with the reason, where none can be made', async () => {
    symlinkSync(path.join(root, 'nowhere'), data);
    await expect(start()).rejects.toThrow(/The data folder .*data cannot be created \(E/);
  });
});
