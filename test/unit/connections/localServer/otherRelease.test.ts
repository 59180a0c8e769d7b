import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeServer } from '../../../../src/client/http/probe.ts';
import { isProcessAlive } from '../../../../src/connections/fileLock.ts';
import { LocalServer } from '../../../../src/connections/localServer/localServer.ts';
import { LocalServerHome } from '../../../../src/connections/localServer/localServerHome.ts';
import { MemorySecrets } from '../../../support/memorySecrets.ts';
import { fakeLocalServer } from '../../../support/processes/fakeLocalServer.ts';

let folder: string;
let secrets: MemorySecrets;
const windows: LocalServer[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-releases-'));
  secrets = new MemorySecrets();
});
afterEach(async () => {
  for (const window of windows.splice(0)) await window.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** A window whose extension, and the server that it starts, are of `release`. */
async function openWindow(release: string): Promise<LocalServer> {
  const script = path.join(folder, `server-${release}`, 'server.cjs');
  await rm(path.dirname(script), { recursive: true, force: true });
  await mkdir(path.dirname(script));
  await writeFile(script, fakeLocalServer);
  await writeFile(path.join(path.dirname(script), 'release'), release);
  const window = new LocalServer({
    script,
    home: new LocalServerHome(path.join(folder, 'home'), secrets),
    log: { info: () => undefined, warn: () => undefined },
    window: { release, editor: `Editor of ${release}` },
    probe: (url, signal) => probeServer(url, { signal }),
    onDidAbandonData: () => undefined,
  });
  windows.push(window);
  return window;
}

/** Changes the record of the last start. */
async function changeLastStart(change: object): Promise<void> {
  const home = path.join(folder, 'home');
  const name = (await readdir(home)).find((file) => file.startsWith('last-start-'));
  if (name === undefined) throw new Error('No start was recorded.');
  const file = path.join(home, name);
  await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), ...change }));
}

const nextContract = { contract: 2 };

describe('windows of two releases', () => {
  it.each([
    ['9.0.0', '9.1.0'],
    ['9.1.0', '9.0.0'],
  ])('share the server of release %s with a window of %s', async (first, second) => {
    const running = await (await openWindow(first)).ensureRunning();
    expect((await (await openWindow(second)).ensureRunning()).pid).toBe(running.pid);
  });

  it('share the server of a release that keeps no record', async () => {
    const running = await (await openWindow('9.0.0')).ensureRunning();
    await changeLastStart({ pid: 1 });
    expect((await (await openWindow('9.1.0')).ensureRunning()).pid).toBe(running.pid);
  });

  it.each([
    [
      '9.9.0',
      '9.10.0',
      'Another window runs the local server of an earlier release (9.9.0), and this window needs release 9.10.0. Reload the other window or update Analytics Studio in Editor of 9.9.0, then try again.',
    ],
    [
      '9.10.0',
      '9.9.0',
      'Another window of Editor of 9.10.0 runs the local server of release 9.10.0, which this window of release 9.9.0 cannot use. Reload this window or update Analytics Studio in this editor.',
    ],
  ])('that do not understand each other: %s runs, %s asks', async (first, second, words) => {
    const running = await (await openWindow(first)).ensureRunning();
    await changeLastStart(nextContract);
    await expect((await openWindow(second)).ensureRunning()).rejects.toThrow(words);
    expect(isProcessAlive(running.pid)).toBe(true);
  });

  it.each([{}, nextContract])('replace a server whose window has closed (%o)', async (contract) => {
    const running = await (await openWindow('9.0.0')).ensureRunning();
    const { pid: closed } = spawnSync(process.execPath, ['--version']);
    await changeLastStart({ ...contract, owner: closed });
    const own = await (await openWindow('9.1.0')).ensureRunning();
    expect(own.pid).not.toBe(running.pid);
    expect(isProcessAlive(running.pid)).toBe(false);
    expect(own.installationId).toBe(running.installationId);
  });

  it('name the later release that has upgraded the data, and start nothing', async () => {
    await (await openWindow('9.2.0')).ensureRunning();
    await windows[0]?.dispose();
    await writeFile(path.join(folder, 'home', 'newer'), '');
    const window = await openWindow('9.1.0');
    await expect(window.ensureRunning()).rejects.toThrow(
      'Release 9.2.0 of Analytics Studio, last started in Editor of 9.2.0, has upgraded the data of the local server, and this window runs release 9.1.0, which cannot read it. Nothing was changed.',
    );
    expect(window.state).toBe('stopped');
    expect(await window.peek()).toBeUndefined();
  });
});
