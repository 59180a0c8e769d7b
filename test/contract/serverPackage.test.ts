import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packServer, tarServer } from '../../.ci/package/serverArchive.ts';
import { npmEngine } from '../support/databases/npmEngine.ts';
import { freePort } from '../support/databases/serverProcess.ts';
import { testClient } from '../support/testClient.ts';
import { type Authority, canMakeCertificates, makeAuthority } from '../support/tls.ts';

/* The archive of a server, of the project as it is built now: unpacked, and started as its README says. */

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
let folder: string;
let archive: string;
let unpacked: string;
let readme: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'server-package-'));
  const cache = path.join(folder, 'cache');
  archive = (await packServer({ root, cache, time: '946684800', target: folder, level: 1 })).file;
  await run('tar', ['-xzf', archive, '-C', folder]);
  unpacked = path.join(folder, 'analytics-server');
  readme = await readFile(path.join(unpacked, 'README.md'), 'utf8');
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = (name: string) => readFile(path.join(unpacked, name), 'utf8');

describe('the archive of a server', { timeout: 120_000 }, () => {
  it('holds what a server needs and nothing of the extension', async () => {
    const { stdout } = await run('tar', ['-tzf', archive]);
    const files = stdout
      .trim()
      .split('\n')
      .filter((name) => !name.endsWith('/'));
    const allowed =
      /^analytics-server\/(?:(?:server|sqliteReader)\.js|server\/[\w-]+\.js|sample\/[\w.-]+|duckdb\/[\w.]+|package\.json|server\.conf|analytics-server\.service|Containerfile|README\.md|LICENSE|THIRD-PARTY-NOTICES\.txt)$/;
    expect(files.filter((name) => !allowed.test(name))).toEqual([]);
    for (const name of ['server.js', 'LICENSE', 'sample/recipe', 'server/undici.js']) {
      expect(files).toContain(`analytics-server/${name}`);
    }
    expect(existsSync(path.join(root, 'dist', 'duckdb'))).toBe(files.includes('analytics-server/duckdb/duckdb.node'));
  });

  it('has the same bytes each time', async () => {
    const cache = path.join(folder, 'again');
    const { tar } = await tarServer({ root, cache, time: '946684800' });
    expect((await readFile(tar)).equals(gunzipSync(await readFile(archive)))).toBe(true);
  });

  it('comes with a README of one screen that names what there is', async () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(40);
    for (const name of ['Containerfile', 'server.conf', 'analytics-server.service']) {
      expect(readme).toContain(name);
      expect(existsSync(path.join(unpacked, name))).toBe(true);
    }
    const help = execFileSync(process.execPath, [path.join(unpacked, 'server.js'), '--help'], { encoding: 'utf8' });
    const used = [
      readme,
      await file('server.conf'),
      await file('analytics-server.service'),
      await file('Containerfile'),
    ];
    // Those of podman, sudo and the container's own health check are not the server's.
    const others = ['--now', '--interval', '--timeout', '--start-period', '--help'];
    const options = new Set(used.join('\n').match(/(?<=[\s"`])--[a-z][a-z-]+/g));
    for (const option of options) if (!others.includes(option)) expect(help, option).toContain(option);
  });
});

describe('its service', () => {
  it.skipIf(!has('systemd-analyze'))('is valid and hardened', async () => {
    const unit = path.join(unpacked, 'analytics-server.service');
    const { stdout, stderr } = await run('systemd-analyze', ['verify', unit]);
    expect(stdout + stderr).not.toMatch(/analytics-server\.service:\d+/);
    const security = await run('systemd-analyze', ['security', '--offline=true', unit]);
    const exposure = Number(/Overall exposure level.*?: ([\d.]+)/.exec(security.stdout)?.[1]);
    expect(exposure).toBeLessThan(2);
  });

  it('stops later than the server', async () => {
    const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(await file('analytics-server.service'))?.[1]);
    expect(stop).toBeGreaterThan(30);
  });
});

describe('its Containerfile', () => {
  /** The forms of the instructions that it may have, from the reference of the format. */
  const forms: Record<string, RegExp> = {
    FROM: /^[\w./-]+:[\w.-]+$/,
    COPY: /^\S+ \/\S*$/,
    RUN: /^\S.*$/,
    USER: /^[\w-]+$/,
    VOLUME: /^\/\S+$/,
    EXPOSE: /^\d+$/,
    STOPSIGNAL: /^SIG[A-Z]+$/,
    HEALTHCHECK: /^(?:--[a-z-]+=\d+s )*CMD \[.+\]$/,
    ENTRYPOINT: /^\[.+\]$/,
    CMD: /^\[.+\]$/,
  };

  it('is valid, runs as an ordinary user and starts what the archive holds', async () => {
    const lines = (await file('Containerfile')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const instructions = lines.map((line) => /^([A-Z]+) (.*)$/.exec(line) ?? expect.fail(line));
    expect(instructions[0]?.[1]).toBe('FROM');
    for (const [line, name = '', text = ''] of instructions) {
      expect(text, line).toMatch(forms[name] ?? expect.fail(`${name} is no instruction`));
      const list = /\[.+\]$/.exec(text)?.[0];
      if (list !== undefined) expect(JSON.parse(list)).toEqual(expect.arrayContaining([expect.any(String)]));
    }
    const names = instructions.map(([, name]) => name);
    expect(names.indexOf('USER')).toBeLessThan(names.indexOf('ENTRYPOINT'));
    expect(names.indexOf('USER')).toBeGreaterThan(names.indexOf('RUN'));
  });
});

describe.skipIf(!canMakeCertificates || process.platform === 'win32')('its first start', { timeout: 120_000 }, () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await makeAuthority();
    const { certificate, key } = await authority.make({ names: 'DNS:localhost,IP:127.0.0.1' });
    await writeFile(path.join(folder, 'CERT.pem'), certificate);
    await writeFile(path.join(folder, 'KEY.pem'), key);
  });
  afterAll(() => authority.remove());

  it('signs an administrator in from the editor after two commands', () => signIn(process.execPath));

  /** Starts the archive as its README says, by this Node.js and nothing else of this machine, and signs in from the editor. */
  async function signIn(node: string): Promise<string> {
    const [unpack = '', start = ''] = readme.split('\n').flatMap((line) => /^ {4}(.+)$/.exec(line)?.[1] ?? []);
    const place = await mkdtemp(path.join(folder, 'bare-'));
    const filled = (line: string) =>
      line
        .replace('ARCHIVE', archive)
        .replaceAll(/\b(CERT|KEY)\.pem/g, path.join(folder, '$1.pem'))
        .replace('HOST', 'localhost');
    const env = { PATH: `${path.dirname(node)}:/usr/bin:/bin`, HOME: place };
    await run('sh', ['-c', filled(unpack)], { cwd: place, env });
    const port = await freePort();
    const command = filled(start).replace('0.0.0.0', '127.0.0.1').replaceAll('8443', String(port));
    const server = spawn('sh', ['-c', `exec ${command}`], { cwd: place, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    try {
      const ready = once(createInterface(server.stdout), 'line');
      const [line] = (await Promise.race([ready, once(server, 'exit').then(() => expect.fail(log))])) as [string];
      expect(JSON.parse(line)).toMatchObject({ url: `https://localhost:${port}`, port });
      await expect.poll(() => log).toMatch(/shown only now: \S+\n/);
      const password = /shown only now: (\S+)/.exec(log)?.[1] ?? '';
      const apiBase = `https://localhost:${port}/api`;
      const tls = { extraCa: authority.ca };
      const target = { connectionId: 'c', name: 'Host', apiBase, tls };
      const client = testClient(apiBase, { userName: 'admin', password }, { target });
      try {
        const tags = await client.call('DataTag/GetAllDataTags', {});
        expect(tags).toEqual([]);
      } finally {
        await client.close();
      }
    } finally {
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      expect((await exited)[0]).toBe(0);
    }
    return place;
  }

  it('needs no later Node.js than it says, nor do its commands', { timeout: 600_000 }, async ({ skip }) => {
    const engine = await npmEngine('node');
    if (engine === undefined) return skip('npm cannot bring Node.js 22.15');
    const node = path.join(engine, 'bin', 'node');
    const place = await signIn(node);
    const command = (...args: string[]) =>
      run(node, ['analytics-server/server.js', ...args, '--data', 'data'], { cwd: place });
    expect((await command('check')).stdout).toContain('Nothing is wrong');
    const { stdout } = await command('backup');
    const [backup = ''] = /^\S+\.db(?=:)/.exec(stdout) ?? [];
    expect((await command('restore', '--from', backup, '--yes')).stdout).toContain('The backup is restored');
  });
});

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    // The test that needs it is shown as skipped.
    return false;
  }
}
