import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { figure } from '../../support/run/figure.ts';
import { filesBelow } from '../../support/filesBelow.ts';
import { serverScript } from '../../support/serverScript.ts';

const projectRoot = path.resolve(import.meta.dirname, '..', '..', '..');
/** None of these may be found anywhere, in no spelling. The key is what encrypts the others. */
const secrets = {
  key: '5ca1ab1e'.repeat(8),
  firstPassword: 'canary-first-password-7Q',
  userPassword: 'canary-user-password-8R',
  databasePassword: 'canary-database-password-9S',
  mailPassword: 'canary-mail-password-1T',
  secondFactor: 'canary-second-factor-2U',
};
const record = z.record(z.string(), z.unknown());

/** The ways in which a secret may be written: as text, UTF-16, hexadecimal, and base64 at every offset. */
function spellings(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // What depends on the bytes beside it is left out.
    return Buffer.from(shifted.slice(offset === 0 ? 0 : offset + 1, -1));
  });
  return [bytes, Buffer.from(secret, 'utf16le'), Buffer.from(bytes.toString('hex')), ...base64];
}

const wanted = [
  ...Object.entries(secrets).map(([name, secret]) => ({ name, texts: spellings(secret) })),
  {
    name: 'key, as bytes',
    texts: [Buffer.from(secrets.key, 'hex'), Buffer.from(Buffer.from(secrets.key, 'hex').toString('base64'))],
  },
];

function found(where: string, content: Buffer): string[] {
  return wanted
    .filter(({ texts }) => texts.some((text) => content.includes(text)))
    .map(({ name }) => `${name} in ${where}`);
}

describe('secrets', () => {
  let dataFolder: string;
  beforeEach(async () => {
    dataFolder = await mkdtemp(path.join(tmpdir(), 'analytics-secrets-'));
  });
  afterEach(() => rm(dataFolder, { recursive: true, force: true }));

  it('would be found in every spelling', () => {
    const { mailPassword: secret, key } = secrets;
    const texts = [`x${secret}y`, Buffer.from(`xy${secret}z`).toString('base64'), Buffer.from(secret).toString('hex')];
    for (const text of [...texts, Buffer.from(`x${secret}`, 'utf16le').toString('latin1')]) {
      expect(found('here', Buffer.from(text, 'latin1')), text).toEqual(['mailPassword in here']);
    }
    expect(found('here', Buffer.from(key, 'hex'))).toEqual(['key, as bytes in here']);
  });

  it('are found in no file, argument, environment, log or reply', async () => {
    const args = [serverScript, '--data', dataFolder];
    const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += String(text)));
    child.send({ password: secrets.firstPassword, key: secrets.key });
    const [ready] = (await once(child, 'message')) as [{ url: string }];
    const replies: string[] = [];
    const call = async (endpoint: EndpointPath, body: object) => {
      const reply = await fetch(`${ready.url}/api/${endpoint}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await reply.text();
      expect(reply.status, `${endpoint}: ${text}`).toBe(200);
      // The one secret that administrators may read back, so that they can send the settings whole.
      if (!endpoint.startsWith('AppSettings/')) replies.push(text);
      return record.or(z.array(z.unknown())).parse(JSON.parse(text));
    };
    const signIn = async (UserId: string, UserPassword: string) => {
      const reply = record.parse(
        await call('login/DoLogin', { UserId, UserPassword, isGuest: false, bolForceLogin: true }),
      );
      return String(record.parse(reply.LoginSession).SessionToken);
    };
    const sessionToken = await signIn('admin', secrets.firstPassword);
    await useSecrets(call, sessionToken);
    await signIn('ann', secrets.userPassword);
    await call('Contact/GetContactList', { sessionToken });
    await call('RegServers/GetAdminRegisteredServers', { sessionToken });
    await call('SMTP/GetSMTP', { sessionToken });

    const hits = [...found('a reply', Buffer.from(replies.join('\n'))), ...found('the log', Buffer.from(output))];
    const searched = [`${replies.length} replies`, 'the log'];
    const places = ['cmdline', 'environ']
      .map((name) => `/proc/${child.pid}/${name}`)
      .filter((place) => existsSync(place));
    for (const place of places) hits.push(...found(place, await readFile(place)));
    if (places.length > 0) searched.push('arguments', 'environment');
    // While it runs, the journal is there beside the database; afterwards all is in the database.
    const files = await filesBelow(dataFolder);
    for (const name of files) hits.push(...found(name, await readFile(path.join(dataFolder, name))));
    const modes = await Promise.all(files.map(async (name) => (await stat(path.join(dataFolder, name))).mode & 0o077));
    child.disconnect();
    await once(child, 'exit');
    for (const name of await filesBelow(dataFolder))
      hits.push(...found(name, await readFile(path.join(dataFolder, name))));
    expect(hits).toEqual([]);
    expect(new Set(modes)).toEqual(new Set([0]));
    expect(files).toContain('state.db-wal');
    figure('E7', `${wanted.length} secrets, ${files.length} files, ${searched.join(', ')}: 0 hits; files 0600`);
  });
});

/** Has the server store every secret. */
async function useSecrets(
  call: (endpoint: EndpointPath, body: object) => Promise<unknown>,
  sessionToken: string,
): Promise<void> {
  const template = record.parse(await call('Contact/NewContact', { sessionToken }));
  const user = { ...template, LoginName: 'ann', Pin: secrets.userPassword };
  await call('Contact/SaveContact', { sessionToken, withpin: true, user });
  const added = record.parse(
    await call('RegServers/InsertAnyDbModule', { sessionToken, appname: 'Sales', description: '' }),
  );
  const regserver = {
    ModuleType: 'AnyDB',
    DisplayName: 'Sales',
    DatabasePlatform: 'postgresql',
    DatabaseServer: '127.0.0.1:1',
    DatabaseName: 'sales',
    DatabaseLogin: 'reader',
    DatabasePassword: secrets.databasePassword,
    CommandTimeout: 5,
    ConnectionTimeout: 2,
    Permissions: [],
    datasources: [],
    izApp: { ID: String(added.ID), Name: 'Sales', ModuleType: 'AnyDB', ProductCode: '', isAnyDbApp: true },
  };
  const saved = record.parse(await call('RegServers/SaveRegSrv', { sessionToken, regserver, bsaveasanydb: true }));
  expect(saved.ErrorCode).toBe(0);
  const mail = record.parse(await call('SMTP/GetSMTP', { sessionToken }));
  const smtp = {
    ...mail,
    SMTPHost: 'mail.example.com',
    SMTPPort: '587',
    SMTPRequiredSecurity: 'True',
    SMTPEnableSSL: 'True',
    SMTPUserName: 'sender',
    SMTPPassword: secrets.mailPassword,
  };
  expect(await call('SMTP/SaveSMTP', { sessionToken, smtp })).toMatchObject({ ErrorCode: 0 });
  const settings = record.parse(await call('AppSettings/GetAppSettings', { sessionToken }));
  const appsettings = { ...settings, mfa_clientsecret: secrets.secondFactor };
  expect(await call('AppSettings/SaveAppSettings', { sessionToken, appsettings })).toMatchObject({
    mfa_clientsecret: secrets.secondFactor,
  });
}
