import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parseAllowedOrigin } from '../../../src/server/http/originGuard.ts';
import { startServer, type ServeOptions } from '../../../src/server/serve.ts';
import { keptPassword } from './keptState.ts';

/** Starts a server of this process on a data folder. */
export function startOnState(dataFolder: string, more: Partial<ServeOptions> = {}): ReturnType<typeof startServer> {
  return startServer({
    ...{ dataFolder, port: 0, prefix: '/api', allowedOrigin: parseAllowedOrigin('none'), sampleFiles: undefined },
    ...{ databaseFolders: [], password: keptPassword, key: undefined, log: () => undefined },
    ...more,
  });
}

/** Files that each start writes. */
const ofProcess = new Set(['server.lock', 'server.pid']);

/** Digests of all files of a folder that hold data, by name. */
export function digestsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => !ofProcess.has(name) && statSync(path.join(folder, name)).isFile());
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex');
  return Object.fromEntries(files.sort().map((name) => [name, digest(name)]));
}

/** Expects that a server refuses the folder with a message and leaves every byte of it. */
export async function expectRefused(dataFolder: string, ...texts: (string | RegExp)[]): Promise<void> {
  const before = digestsOf(dataFolder);
  const refused: unknown = await startOnState(dataFolder).then(
    async (server) => {
      await server.stop();
      return undefined;
    },
    (error: unknown) => error,
  );
  if (!(refused instanceof Error)) throw new Error('The damaged state was served');
  for (const text of texts) expect(refused.message).toMatch(text);
  expect(digestsOf(dataFolder)).toEqual(before);
}
