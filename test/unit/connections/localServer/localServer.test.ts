import { existsSync } from 'node:fs';
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeServer } from '../../../../src/client/http/probe.ts';
import { isProcessAlive } from '../../../../src/connections/fileLock.ts';
import { LocalServer } from '../../../../src/connections/localServer/localServer.ts';
import { LocalServerHome } from '../../../../src/connections/localServer/localServerHome.ts';
import { fakeLocalServer } from '../../../support/processes/fakeLocalServer.ts';
import { MemorySecrets } from '../../../support/memorySecrets.ts';
import { waitFor } from '../../../support/waitFor.ts';

let folder: string;
let script: string;
let secrets: MemorySecrets;
let abandoned: string[];
const windows: LocalServer[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-local-'));
  script = path.join(folder, 'server.cjs');
  await writeFile(script, fakeLocalServer);
  await writeFile(path.join(folder, 'release'), '9.0.0');
  secrets = new MemorySecrets();
  abandoned = [];
});
afterEach(async () => {
  for (const window of windows.splice(0)) await window.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** The place of the local server, with a secret storage that may fail. */
function openedHome(faults: Partial<Pick<MemorySecrets, 'get'>> = {}): LocalServerHome {
  const { get = (key: string) => secrets.get(key) } = faults;
  const store = (key: string, value: string) => secrets.store(key, value);
  return new LocalServerHome(path.join(folder, 'home'), { get, store, delete: (key) => secrets.delete(key) });
}

/** What one window of the editor has; all share the folder, and those of one browser the secrets. */
function openWindow(
  storage = secrets,
  databaseFolders: () => readonly string[] = () => [],
  allowsOldEngines = () => false,
  release = '9.0.0',
  home = new LocalServerHome(path.join(folder, 'home'), storage),
): LocalServer {
  const server = new LocalServer({
    script,
    home,
    databaseFolders,
    allowsOldEngines,
    log: { info: () => undefined, warn: () => undefined },
    window: { release, editor: `Editor ${release}` },
    probe: (url, signal) => probeServer(url, { signal }),
    onDidAbandonData: (data) => void abandoned.push(data),
  });
  windows.push(server);
  return server;
}

async function seenBy(url: string): Promise<{ password: string; key: string; argv: string[]; env: object }> {
  const data = (await readdir(path.join(folder, 'home'))).filter((name) => name.startsWith('data-'));
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  return JSON.parse(await readFile(path.join(folder, 'home', data.at(-1) ?? '', 'seen.json'), 'utf8')) as never;
}

describe('LocalServer', () => {
  it('starts once for any number of callers and stops within two seconds', async () => {
    const window = openWindow();
    const states: string[] = [];
    window.onDidChange(() => states.push(window.state));
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => window.ensureRunning()));
    expect(others.every((other) => other.pid === first?.pid)).toBe(true);
    expect(first?.apiBase).toBe(`${first?.url}/api`);
    const began = performance.now();
    await window.stop();
    expect(performance.now() - began).toBeLessThan(2_500);
    expect(isProcessAlive(first?.pid ?? 0)).toBe(false);
    expect(states).toEqual(['starting', 'running', 'stopped']);
  });

  it('hands its secrets over between the processes only', async () => {
    const { url } = await openWindow().ensureRunning();
    const seen = await seenBy(url);
    expect(seen.password).toHaveLength(32);
    expect(seen.key).toMatch(/^[\da-f]{64}$/);
    const visible = JSON.stringify([seen.argv, seen.env]);
    expect(visible).not.toContain(seen.password);
    expect(visible).not.toContain(seen.key);
    const names = (await readdir(path.join(folder, 'home'))).filter((name) => name.endsWith('.json'));
    expect(names).toHaveLength(3);
    const files = await Promise.all(names.map((name) => readFile(path.join(folder, 'home', name), 'utf8')));
    expect(files.join()).not.toContain(seen.password);
  });

  it('starts with the folders of databases that the user has set by then', async () => {
    const folders = [['/srv/one', '/srv/two words'], []];
    const window = openWindow(secrets, () => folders.shift() ?? []);
    const given = async () => {
      const { argv } = await seenBy((await window.ensureRunning()).url);
      return argv.filter((_, at) => argv[at - 1] === '--database-folder');
    };
    expect(await given()).toEqual(['/srv/one', '/srv/two words']);
    await window.stop();
    expect(await given()).toEqual([]);
  });

  it('accepts old database servers only while the user allows it', async () => {
    const answers = [true, false];
    const window = openWindow(secrets, undefined, () => answers.shift() ?? false);
    const given = async () => (await seenBy((await window.ensureRunning()).url)).argv.includes('--allow-old-engines');
    expect(await given()).toBe(true);
    await window.stop();
    expect(await given()).toBe(false);
  });

  it('is shared by the windows of a machine', async () => {
    const [one, two] = [openWindow(), openWindow()];
    const running = await Promise.all([one.ensureRunning(), two.ensureRunning()]);
    expect(running[0].pid).toBe(running[1].pid);
    expect(await one.password()).toBe(await two.password());
  });

  it('gives a password that the server rejected to no window and no later start, and goes on with the same data', async () => {
    const [one, two] = [openWindow(), openWindow()];
    const first = await one.ensureRunning();
    const password = (await one.password()) ?? '';
    await one.rejectPassword('another one');
    expect(await two.password()).toBe(password);
    await one.rejectPassword(password);
    expect([await one.password(), await two.password(), await openWindow().password()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await one.stop();
    const second = await two.ensureRunning();
    expect(second.installationId).toBe(first.installationId);
    expect(abandoned).toEqual([]);
    expect(await two.password()).toBeUndefined();
    // The sample's accounts have theirs still.
    expect(await two.samplePassword()).toBe(password);
  });

  it('goes on with the same data in another window when the one that started it closes', async () => {
    const [one, two] = [openWindow(), openWindow()];
    const first = await one.ensureRunning();
    expect((await two.ensureRunning()).pid).toBe(first.pid);
    await one.dispose();
    expect(isProcessAlive(first.pid)).toBe(false);
    const second = await waitFor('the other window to start it', async () => {
      const running = await two.ensureRunning();
      return running.pid !== first.pid && running;
    });
    expect(second.installationId).toBe(first.installationId);
    expect(await two.peek()).toEqual(second);
  });

  it('starts anew for a window that looks for it while it stops', async () => {
    const [one, two] = [openWindow(), openWindow()];
    const first = await one.ensureRunning();
    const stopping = one.dispose();
    const lock = new LocalServerHome(path.join(folder, 'home'), secrets).lockFile;
    await Promise.race([stopping, waitFor('the lock', async () => existsSync(lock))]);
    const second = await two.ensureRunning();
    expect(second.pid).not.toBe(first.pid);
    await stopping;
    expect(await two.peek()).toEqual(second);
  });

  it('leaves nothing running when it is let go of while it starts', async () => {
    const window = openWindow();
    const pidFile = path.join(folder, 'pid');
    await writeFile(
      script,
      `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));${fakeLocalServer}`,
    );
    const starting = window.ensureRunning();
    starting.catch(() => undefined);
    const pid = Number(await waitFor('the process', async () => existsSync(pidFile) && readFile(pidFile, 'utf8')));
    await window.dispose();
    expect(isProcessAlive(pid)).toBe(false);
    await expect(window.ensureRunning()).rejects.toThrow();
  });

  it('is gone within two seconds of its window, though it neither gets ready nor stops when asked', async () => {
    const window = openWindow();
    const pidFile = path.join(folder, 'pid');
    const stubborn = `process.on('SIGTERM', () => {}); process.on('disconnect', () => {}); setInterval(() => {}, 1000);
      require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));`;
    await writeFile(script, stubborn);
    const starting = expect(window.ensureRunning()).rejects.toThrow();
    const pid = Number(await waitFor('the process', async () => existsSync(pidFile) && readFile(pidFile, 'utf8')));
    const began = performance.now();
    await window.dispose();
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(isProcessAlive(pid)).toBe(false);
    await starting;
  });

  it.each(['own', 'another'])(
    'lets a slow server write its state when the user stops it from its %s window',
    async (which) => {
      const sealed = path.join(folder, 'sealed');
      const slowly = `setTimeout(() => { fs.writeFileSync(${JSON.stringify(sealed)}, ''); process.exit(0); }, 2_500)`;
      await writeFile(
        script,
        fakeLocalServer.replaceAll(/(?<=on\('(?:disconnect|SIGTERM)', \(\) => )process\.exit\(0\)/g, slowly),
      );
      const own = openWindow();
      await own.ensureRunning();
      await (which === 'own' ? own : openWindow()).stop();
      expect(existsSync(sealed)).toBe(true);
    },
  );

  it('starts again after a crash, but gives up when it keeps crashing', async () => {
    const window = openWindow();
    for (let crash = 0; crash < 3; crash++) {
      const { pid } = await window.ensureRunning();
      process.kill(pid, 'SIGKILL');
      await waitFor('the crash to be noticed', async () => window.state === 'stopped');
    }
    await expect(window.ensureRunning()).rejects.toThrow('stopped 3 times');
    window.forgiveCrashes();
    await expect(window.ensureRunning()).resolves.toBeDefined();
  });

  it('does not take another program at the noted address for its server', async () => {
    const first = await openWindow().ensureRunning();
    const note = (await readdir(path.join(folder, 'home'))).find((name) => name.startsWith('server-')) ?? '';
    await writeFile(
      path.join(folder, 'home', note),
      JSON.stringify({ ...first, installationId: '0000-0000-0000-0000-0000-0000' }),
    );
    const second = await openWindow().ensureRunning();
    expect(second.pid).not.toBe(first.pid);
    expect(isProcessAlive(first.pid)).toBe(true);
  });

  it('quotes the server when it does not start', async () => {
    await openWindow()
      .ensureRunning()
      .then(() => windows.at(-1)?.stop());
    await writeFile(path.join(folder, 'home', 'broken'), '');
    const window = openWindow();
    await expect(window.ensureRunning()).rejects.toThrow(/\(3\).*the disk is full/);
    expect(window.state).toBe('stopped');
  });

  it('begins new data beside the old when the secrets are lost', async () => {
    const one = openWindow();
    const first = await one.ensureRunning();
    await one.dispose();
    secrets.values.clear();
    const second = await openWindow().ensureRunning();
    expect(second.installationId).not.toBe(first.installationId);
    expect(abandoned).toHaveLength(1);
    await access(path.join(abandoned[0] ?? '', 'id'));
  });

  it('gives each browser data of its own, whose secrets only that browser has', async () => {
    const [own, others] = [openWindow(), openWindow(new MemorySecrets())];
    const first = await own.ensureRunning();
    const second = await others.ensureRunning();
    expect(second.installationId).not.toBe(first.installationId);
    expect(await others.password()).not.toBe(await own.password());
    expect([await own.peek(), await others.peek()]).toEqual([first, second]);
    expect(abandoned).toEqual([]);
    await others.erase();
    expect([first, second].map(({ pid }) => isProcessAlive(pid))).toEqual([true, false]);
    await own.stop();
    expect((await openWindow().ensureRunning()).installationId).toBe(first.installationId);
  });

  it('leaves the data alone when the secret storage fails, and says what to do', async () => {
    await openedHome().prepare();
    const home = openedHome({ get: () => Promise.reject(new Error('the keyring is locked')) });
    for (const use of [() => home.prepare(), () => home.secrets()]) {
      await expect(use()).rejects.toMatchObject({
        kind: 'storage',
        message: expect.stringContaining('keyring is locked') as string,
        remedy: expect.stringContaining('Unlock') as string,
      });
    }
    expect(secrets.values.size).toBe(1);
  });

  it('leaves nothing behind when erased, even if another window runs it', async () => {
    const { pid } = await openWindow().ensureRunning();
    const other = openWindow();
    await other.erase();
    expect(isProcessAlive(pid)).toBe(false);
    expect(secrets.values.size).toBe(0);
    expect(await readdir(path.join(folder, 'home'))).toEqual([]);
  });

  it('is erased before another window can start it', async () => {
    const other = openWindow();
    let isErased = false;
    let started: Promise<boolean> | undefined;
    class Home extends LocalServerHome {
      override async erase(): Promise<void> {
        started = other.ensureRunning().then(() => isErased);
        await access(this.lockFile);
        await super.erase();
        isErased = true;
      }
    }
    await openWindow(secrets, undefined, undefined, undefined, new Home(path.join(folder, 'home'), secrets)).erase();
    expect(await started).toBe(true);
  });
});
