import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAllowedOrigin } from '../../../../src/server/http/originGuard.ts';
import { startServer, type ServeOptions } from '../../../../src/server/serve.ts';
import { folderWithState, keptKey, keptState } from '../../../support/state/keptState.ts';

/*
 * State that is damaged, replaced or gone when the server starts. Flipped bytes are those of SQLite's own structure: it keeps no
 * checksum of what a text holds.
 */

let dataFolder: string;
let stateFile: string;
const state = keptState('0.1.0');
beforeEach(() => {
  dataFolder = folderWithState(state);
  stateFile = path.join(dataFolder, 'state.db');
});
afterEach(() => rmSync(dataFolder, { recursive: true }));

function start(more: Partial<ServeOptions> = {}): ReturnType<typeof startServer> {
  return startServer({
    ...{ dataFolder, port: 0, prefix: '/api', allowedOrigin: parseAllowedOrigin('none'), sampleFiles: undefined },
    ...{ databaseFolders: [], password: 'correct horse battery staple', key: undefined, log: () => undefined },
    ...more,
  });
}

const digest = () => createHash('sha256').update(readFileSync(stateFile)).digest('hex');

/** The server refuses the state with its name and a next step, and leaves it as it was. */
async function isRefused(what: RegExp | string): Promise<void> {
  const before = digest();
  const refused: unknown = await start().then(
    async (server) => {
      await server.stop();
      return undefined;
    },
    (error: unknown) => error,
  );
  if (!(refused instanceof Error)) throw new Error('The damaged state was served');
  expect(refused.message).toMatch(what);
  expect(refused.message).toContain(stateFile);
  expect(refused.message).toContain('Nothing was changed');
  expect(refused.message).toMatch(/to restore one of your own|To restore a copy/);
  expect(digest()).toBe(before);
  expect(existsSync(`${stateFile}-wal`)).toBe(false);
}

const pages = state.length / 1024;

describe('state that is damaged', () => {
  it.each(Array.from({ length: 20 }, (_, index) => Math.floor(((index + 0.5) * state.length) / 20)))(
    'is refused when it ends after %i bytes',
    async (length) => {
      truncateSync(stateFile, length);
      await isRefused(/is damaged|is not a database/);
    },
  );

  it.each(Array.from({ length: 20 }, (_, index) => Math.floor((index * pages) / 20)))(
    'is refused when the type of page %i is flipped',
    async (page) => {
      const bytes = Buffer.from(state);
      // The first page begins behind the header of 100 bytes.
      const at = page * 1024 + (page === 0 ? 100 : 0);
      bytes[at] = bytes.readUInt8(at) ^ 0xff;
      writeFileSync(stateFile, bytes);
      await isRefused(/is damaged|is not a database/);
    },
  );

  it('is refused when another file is in its place', async () => {
    writeFileSync(stateFile, 'This is a letter, and no database. '.repeat(100));
    await isRefused('is not a database');
  });

  it('says which copies there are', async () => {
    truncateSync(stateFile, 5_000);
    mkdirSync(path.join(dataFolder, 'backups'));
    writeFileSync(path.join(dataFolder, 'backups', 'before-9.0.0.db'), '');
    await isRefused(/To restore a copy of .*backups \(before-9\.0\.0\.db\), run: server\.js restore --data/);
  });
});

describe('state that is gone', () => {
  it.each(['empty', 'absent'])('is not replaced by a new one without a word (%s)', async (how) => {
    if (how === 'empty') truncateSync(stateFile, 0);
    else rmSync(stateFile);
    const before = readdirSync(dataFolder).sort();
    await expect(start()).rejects.toThrow(`The data of ${dataFolder} is gone`);
    expect(readdirSync(dataFolder).sort()).toEqual([...before, 'server.lock'].sort());
    const server = await start({ isNew: true });
    await server.stop();
    await expect(start().then((again) => again.stop())).resolves.toBeUndefined();
  });

  it('is noticed where the key is given from outside, too', async () => {
    rmSync(stateFile);
    rmSync(path.join(dataFolder, 'secret.key'));
    const first = await start({ key: keptKey });
    await first.stop();
    rmSync(stateFile);
    await expect(start({ key: keptKey })).rejects.toThrow('is gone');
  });

  it('is not overwritten by --new while it is there', async () => {
    const server = await start({ isNew: true });
    await server.stop();
    expect(readFileSync(stateFile).length).toBeGreaterThanOrEqual(state.length);
  });
});
