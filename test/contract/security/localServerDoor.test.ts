import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnalyticsClient } from '../../../src/client/client.ts';
import { probeServer } from '../../../src/client/http/probe.ts';
import { isProcessAlive } from '../../../src/connections/fileLock.ts';
import { LocalServer } from '../../../src/connections/localServer/localServer.ts';
import { LocalServerHome, type RunningServer } from '../../../src/connections/localServer/localServerHome.ts';
import { localLocation } from '../../../src/connections/localServer/serverLocation.ts';
import { answerAs, type FalseServer, relayTo, startFalseServer } from '../../support/faults/falseServer.ts';
import { MemorySecrets } from '../../support/memorySecrets.ts';
import { memoryVault } from '../../support/testClient.ts';
import { waitFor } from '../../support/waitFor.ts';
import { serverScript } from '../../support/serverScript.ts';

let folder: string;
let secrets: MemorySecrets;
/** Of the sessions that were in force. */
let tokens: string[];
const windows: LocalServer[] = [];
const falseServers: FalseServer[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-door-'));
  secrets = new MemorySecrets();
  tokens = [];
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const window of windows.splice(0)) await window.dispose();
  for (const server of falseServers.splice(0)) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

function openWindow(program = serverScript): LocalServer {
  const window = new LocalServer({
    script: program,
    home: new LocalServerHome(folder, secrets),
    window: { release: '0.2.0', editor: 'Test Editor' },
    log: { info: () => undefined, warn: () => undefined },
    probe: (url, signal) => probeServer(url, { signal }),
    onDidAbandonData: () => undefined,
  });
  windows.push(window);
  return window;
}

/** A client of a window as a connection makes it, with the kept password. */
async function openClient(window: LocalServer): Promise<AnalyticsClient> {
  const location = localLocation(window);
  const { apiBase, prove } = await location.resolve();
  return new AnalyticsClient({
    target: { connectionId: 'local', name: 'Local Server', apiBase, prove },
    vault: memoryVault(),
    credentials: async () => ({ userName: 'admin', password: (await location.password?.()) ?? '', isGuest: false }),
  });
}

async function call(client: AnalyticsClient): Promise<unknown> {
  const reply = await client.call('Contact/GetRolesList', {}, { deadlineMs: 20_000 });
  tokens.push(await client.session.token());
  return reply;
}

async function noteFile(): Promise<string> {
  const name = (await readdir(folder)).find((one) => one.startsWith('server-')) ?? '';
  return path.join(folder, name);
}

async function forgeNote(note: RunningServer): Promise<void> {
  await writeFile(await noteFile(), JSON.stringify(note));
}

async function pretend(...args: Parameters<typeof startFalseServer>): Promise<FalseServer> {
  const server = await startFalseServer(...args);
  falseServers.push(server);
  return server;
}

/** A process of this user that has nothing to do with servers. */
async function startInnocent(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return child.pid ?? 0;
}

async function endServer({ pid }: RunningServer): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await waitFor('the server to end', async () => !isProcessAlive(pid));
}

/** The secrets in all the spellings in which they could have been sent. */
function canaries(): string[] {
  const { password = '', key = '' } = JSON.parse([...secrets.values.values()][0] ?? '{}') as Record<string, string>;
  expect(password).toHaveLength(32);
  return [password, key, ...tokens].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ]);
}

function expectNoSecret(...servers: readonly FalseServer[]): void {
  for (const secret of canaries()) for (const server of servers) expect(server.received()).not.toContain(secret);
}

/** The answer of the server at `url` to a challenge. */
async function proofOf(url: string, nonce: string): Promise<Response> {
  return fetch(`${url}/local-server-proof?nonce=${nonce}`);
}

describe('a program that passes itself off as the local server gets no secret', () => {
  it('at the noted port, with the installation id of the server and the id of a living process', async () => {
    const real = await openWindow().ensureRunning();
    await endServer(real);
    const server = await pretend(answerAs(real.installationId), { port: Number(new URL(real.url).port) });
    await forgeNote({ ...real, pid: await startInnocent() });
    const client = await openClient(openWindow());
    expect(await call(client)).not.toHaveLength(0);
    expect(server.received()).toContain('/local-server-proof');
    expectNoSecret(server);
    await client.close();
  });

  it('by replaying what the server answered once', async () => {
    const real = await openWindow().ensureRunning();
    const old = await (await proofOf(real.url, 'ab'.repeat(32))).text();
    expect(old).toMatch(/^[\da-f]{64}$/);
    await endServer(real);
    const server = await pretend(answerAs(real.installationId, old), { port: Number(new URL(real.url).port) });
    await forgeNote({ ...real, pid: await startInnocent() });
    const client = await openClient(openWindow());
    expect(await call(client)).not.toHaveLength(0);
    expectNoSecret(server);
    await client.close();
  });

  it.for([
    ['another port', {}],
    ['another address with the same port', { host: '127.0.0.2' }],
  ] as const)('by passing everything on to the server, from %s', async ([, place], { skip }) => {
    skip('host' in place && process.platform !== 'linux', 'Only Linux has more than one loopback address.');
    const real = await openWindow().ensureRunning();
    const port = 'host' in place ? { ...place, port: Number(new URL(real.url).port) } : place;
    const server = await pretend(relayTo(real.url), port);
    await forgeNote({ ...real, url: server.url, apiBase: `${server.url}/api` });
    const other = openWindow();
    await expect(openClient(other)).rejects.toThrow(
      `Process ${real.pid} uses the data of the local server but does not prove to be that server`,
    );
    expectNoSecret(server);
    // The one that started it is not concerned.
    const client = await openClient(windows[0] ?? other);
    expect(await call(client)).not.toHaveLength(0);
    await client.close();
  });

  it('with the process of another user', async () => {
    const real = await openWindow().ensureRunning();
    await endServer(real);
    const server = await pretend(answerAs(real.installationId), { port: Number(new URL(real.url).port) });
    const kill = process.kill.bind(process);
    const foreign = await startInnocent();
    await forgeNote({ ...real, pid: foreign });
    vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      if (pid !== foreign) return kill(pid, signal);
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    const window = openWindow();
    expect(await window.peek()).toBeUndefined();
    const client = await openClient(window);
    expect(await call(client)).not.toHaveLength(0);
    // It was not even asked.
    expect(server.received()).toBe('');
    await client.close();
  });

  it('by a forged note, nor is the process ended that it names', async () => {
    const real = await openWindow().ensureRunning();
    const pid = await startInnocent();
    const server = await pretend(answerAs(real.installationId));
    const notes = [
      { ...real, url: server.url, apiBase: `${server.url}/api`, pid },
      { ...real, apiBase: `${server.url}/api` },
      { ...real, pid },
    ];
    for (const note of notes) {
      await forgeNote(note);
      await expect(openClient(openWindow())).rejects.toThrow(`Process ${real.pid} uses the data`);
      await expect(openWindow().stop()).rejects.toThrow(`Process ${real.pid} uses the data`);
      await expect(openWindow().erase()).rejects.toThrow(`Process ${real.pid} uses the data`);
    }
    expectNoSecret(server);
    expect([isProcessAlive(pid), isProcessAlive(real.pid)]).toEqual([true, true]);
  });

  it('at the port of a server that has died since a window found it', async () => {
    const real = await openWindow().ensureRunning();
    const other = openWindow();
    const client = await openClient(other);
    expect(await call(client)).not.toHaveLength(0);
    await endServer(real);
    const server = await pretend(answerAs(real.installationId), { port: Number(new URL(real.url).port) });
    await expect(call(client)).rejects.toMatchObject({
      kind: 'unreachable',
      isUnsent: true,
      message: expect.stringContaining('another process answers at its address') as string,
    });
    expect(server.received()).toContain('/local-server-proof');
    expectNoSecret(server);
    await client.close();
    const next = await openClient(other);
    expect(await call(next)).not.toHaveLength(0);
    await next.close();
  });
});

describe('the proof of the local server', () => {
  it('is an HMAC over challenge, port, process and installation, with a key derived for it alone', async () => {
    const { url, pid, installationId } = await openWindow().ensureRunning();
    const { key = '' } = JSON.parse([...secrets.values.values()][0] ?? '{}') as Record<string, string>;
    const derived = hkdfSync('sha256', Buffer.from(key, 'hex'), '', 'analytics-studio local server proof key 1', 32);
    const nonce = randomBytes(32).toString('hex');
    const facts = ['analytics-studio local server proof 1', nonce, new URL(url).port, pid, installationId];
    const by = (secret: Uint8Array) => createHmac('sha256', secret).update(facts.join('\n')).digest('hex');
    const proof = await (await proofOf(url, nonce)).text();
    expect(proof).toBe(by(Buffer.from(derived)));
    expect(proof).not.toBe(by(Buffer.from(key, 'hex')));
  });

  it.each(['', 'ab', 'AB'.repeat(32), 'zz'.repeat(32), 'ab'.repeat(33), `${'ab'.repeat(32)}%0a`])(
    'is refused for the malformed challenge "%s"',
    async (nonce) => {
      const { url } = await openWindow().ensureRunning();
      expect((await proofOf(url, nonce)).status).toBe(400);
      const posted = await fetch(`${url}/local-server-proof?nonce=${'ab'.repeat(32)}`, { method: 'POST' });
      expect(posted.status).toBe(405);
      // As the guard of hosts and origins has it for everything.
      const foreign = await fetch(`${url}/local-server-proof?nonce=${'ab'.repeat(32)}`, {
        headers: { origin: 'https://attacker.example' },
      });
      expect(foreign.status).toBe(403);
    },
  );

  it('is not there on a server that was given no key', async () => {
    const data = path.join(folder, 'alone');
    const child = spawn(process.execPath, [serverScript, '--data', data, '--password-stdin'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    child.stdin.end('a password of its own\n');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    expect((await proofOf(url, 'ab'.repeat(32))).status).toBe(404);
  });

  it('is missed at a server of an older release, which keeps its data and is left alone', async () => {
    // It holds its data folder and answers as a server does, but knows no challenge.
    const older = path.join(folder, 'older.mjs');
    const program = await readFile(path.join(import.meta.dirname, '../../support/olderServer.mjs'), 'utf8');
    await writeFile(older, program);
    const first = await openWindow(older).ensureRunning();
    for (const use of ['ensureRunning', 'stop', 'erase'] as const) {
      await expect(openWindow()[use]()).rejects.toThrow(
        /^Process \d+ uses the data .* older release\. Close the other VS Code windows or end the process/,
      );
    }
    expect(isProcessAlive(first.pid)).toBe(true);
    // Once its window is closed, the next one goes on with the data.
    await windows[0]?.dispose();
    const client = await openClient(openWindow());
    expect(await call(client)).not.toHaveLength(0);
    await client.close();
  });
});
