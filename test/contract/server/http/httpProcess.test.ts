import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../../../support/server.ts';
import { filesBelow } from '../../../support/filesBelow.ts';
import { serverScript } from '../../../support/serverScript.ts';

const projectRoot = path.resolve(import.meta.dirname, '..', '..', '..', '..');

describe('the server as a process', () => {
  let dataFolder: string;
  beforeEach(async () => {
    dataFolder = await mkdtemp(path.join(tmpdir(), 'analytics-process-'));
  });
  afterEach(() => rm(dataFolder, { recursive: true, force: true }));

  /** Runs the command line to its end. */
  async function run(args: readonly string[], input?: string) {
    const child = spawn(process.execPath, [serverScript, ...args], { cwd: projectRoot });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number];
    return { code, output, errors };
  }

  it('stops cleanly and keeps users, sessions and its identity over a restart', async () => {
    const first = await startServer({ dataFolder });
    const admin = await first.login('admin', first.adminPassword);
    const installation = await first.call('LicenseManager/GetInstallationID', {});
    expect(await first.stop()).toBe(0);

    const second = await startServer({ dataFolder, password: 'another password is not taken' });
    try {
      const session = await second.call('Session/CheckSession', { sessionToken: admin.token });
      expect(session.json).toMatchObject({ ErrorCode: 0, SessionToken: admin.token });
      expect((await second.call('LicenseManager/GetInstallationID', {})).text).toBe(installation.text);
      await expect(second.login('admin', 'another password is not taken')).rejects.toThrow('Sign-in failed');
      await second.login('admin', first.adminPassword);
    } finally {
      await second.stop();
    }
  });

  it('keeps what it acknowledged when it is killed, and frees its folder', async () => {
    const first = await startServer({ dataFolder });
    const admin = await first.login('admin', first.adminPassword);
    const template = await admin.call('Group/NewSecurityGroup');
    await admin.call('Group/SaveSecurityGroup', { group: { ...(template.json as object), GroupName: 'Durable' } });
    await first.kill();

    const second = await startServer({ dataFolder });
    try {
      const groups = await second.call('Group/GetAllSecurityGroups', { sessionToken: admin.token });
      expect(groups.json).toContainEqual(expect.objectContaining({ GroupName: 'Durable' }));
    } finally {
      await second.stop();
    }
  });

  it('ends when whoever started it is gone before it serves, and its folder can be used', async () => {
    for (const waitsMs of [0, 100, 300]) {
      const args = [serverScript, '--data', dataFolder, '--sample'];
      const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      await once(child, 'spawn');
      await delay(waitsMs);
      const began = performance.now();
      child.disconnect();
      // Its first message never came: without looking at the channel it would wait ten seconds for that.
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(performance.now() - began).toBeLessThan(5_000);
    }
    await (await startServer({ dataFolder })).stop();
  });

  it('refuses a data folder that another server uses, naming that process', async () => {
    const server = await startServer({ dataFolder });
    try {
      const { code, errors } = await run(['--data', dataFolder]);
      expect(code).toBe(4);
      expect(errors).toContain(`is in use by another server (process ${server.process.pid}).`);
    } finally {
      await server.stop();
    }
  });

  it('names the address and the options when another program listens there', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      for (const args of [
        ['--port', String(port)],
        ['--monitor', `127.0.0.1:${port}`],
      ]) {
        const { code, errors } = await run(['--data', dataFolder, ...args]);
        expect(code).toBe(1);
        expect(errors).toContain(
          `The server cannot listen on 127.0.0.1, port ${port}: another program uses it. ` +
            'Specify another with --port, --listen or --monitor.',
        );
      }
    } finally {
      other.close();
    }
  });

  it('keeps its files to their owner and the password out of them', async () => {
    const server = await startServer({ dataFolder, password: 'canary-first-password' });
    await server.login('admin', 'canary-first-password');
    await server.stop();
    for (const name of await filesBelow(dataFolder)) {
      const file = path.join(dataFolder, name);
      expect((await stat(file)).mode & 0o077, name).toBe(0);
      expect((await readFile(file)).includes('canary-first-password'), name).toBe(false);
    }
  });

  it('opens a locked admin account to whoever starts the server with its password', async () => {
    const first = await startServer({ dataFolder });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(first.login('admin', 'guess')).rejects.toThrow('Sign-in failed');
    }
    await expect(first.login('admin', first.adminPassword)).rejects.toThrow('Sign-in failed');
    await first.stop();

    const second = await startServer({ dataFolder });
    try {
      await second.login('admin', first.adminPassword);
    } finally {
      await second.stop();
    }
  });

  it('shows a random password once when it is given none', async () => {
    const child = spawn(process.execPath, [serverScript, '--data', dataFolder], { cwd: projectRoot });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url, port, pid } = JSON.parse(line.toString()) as { url: string; port: number; pid: number };
    expect([url, pid]).toEqual([`http://127.0.0.1:${port}`, child.pid]);
    const password = /shown only now: (\S{20})\n/.exec(errors)?.[1];
    const reply = await fetch(`${url}/api/login/DoLogin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ UserId: 'admin', UserPassword: password, isGuest: false, bolForceLogin: true }),
    });
    expect(await reply.json()).toMatchObject({ ErrorCode: 0 });
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
  });

  it('takes password and key over IPC, answers there, and ends with its parent', async () => {
    const args = [serverScript, '--data', dataFolder];
    const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    child.send({ password: 'from the parent', key: 'ab'.repeat(32) });
    const [ready] = (await once(child, 'message')) as [{ url: string; pid: number }];
    expect(ready.pid).toBe(child.pid);
    const reply = await fetch(`${ready.url}/api/login/DoLogin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ UserId: 'admin', UserPassword: 'from the parent', isGuest: false, bolForceLogin: true }),
    });
    expect(await reply.json()).toMatchObject({ ErrorCode: 0 });
    expect(await readdir(dataFolder)).not.toContain('secret.key');
    child.disconnect();
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });

  it.each([
    [[], '', '--data is missing'],
    [['--data', 'DIR', '--port', '99999'], '', '--port must be'],
    [['--data', 'DIR', '--port', 'x'], '', '--port must be'],
    [['--data', 'DIR', '--prefix', 'api'], '', '--prefix must be'],
    [['--data', 'DIR', '--allow-origin', 'example.org'], '', '--allow-origin must be'],
    [['--data', 'DIR', '--password-stdin'], '', 'Standard input contained no password'],
    [['--data', 'DIR', '--backup-folder', serverScript], '', '--backup-folder must be a folder'],
    [['--data', 'DIR', '--unknown'], '', 'unknown'],
  ])('refuses the command line %j', async (args, input, message) => {
    const result = await run(
      args.map((arg) => (arg === 'DIR' ? dataFolder : arg)),
      input,
    );
    expect(result.code).toBe(1);
    expect(result.errors).toContain(message);
    expect(result.output).toBe('');
  });
});
