import { X509Certificate } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { forgetCertificate, trustCertificate } from '../../../../src/features/servers/trustCertificate.ts';
import { openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';
import {
  canMakeCertificates,
  makeAuthority,
  startTlsServer,
  type Authority,
  type MadeCertificate,
  type TlsServer,
} from '../../../support/tls.ts';

describe.skipIf(!canMakeCertificates)('the certificate of a server', () => {
  let authority: Authority;
  let first: MadeCertificate;
  let second: MadeCertificate;
  let server: TlsServer;
  let scene: CommandScene;
  let shop: Connection;
  const host = () => new URL(server.url).host;
  const fingerprintOf = ({ certificate }: MadeCertificate) => new X509Certificate(certificate).fingerprint256;
  const pinned = () => scene.network.pins.get(server.url)?.fingerprint;
  const trust = (of = shop) => trustCertificate(scene.services, { connectionId: of.id });

  beforeAll(async () => {
    authority = await makeAuthority();
    first = await authority.make({ subject: 'First' });
    second = await authority.make({ subject: 'Second' });
  });

  beforeEach(async () => {
    server = await startTlsServer(first, {});
    scene = await openCommandScene();
    shop = await add('Shop', `${server.url}/api`);
  });

  afterEach(async () => {
    await scene.close();
    await server.close();
    person.leave();
  });

  afterAll(() => authority.remove());

  async function add(name: string, apiBase: string): Promise<Connection> {
    const account = { userName: 'admin', isGuest: false, installationId: '' };
    const connection = scene.connections.draft({ name, kind: 'remote', apiBase, ...account });
    await scene.connections.save(connection);
    return connection;
  }

  it('is trusted once the user says so, who sees its fingerprint; nothing was sent before', async () => {
    person.answers(`Trust the certificate of ${host()}?`, 'Trust This Certificate');
    await trust();
    expect(person.texts('message')[0]).toContain(`SHA-256: ${fingerprintOf(first)}`);
    expect(person.texts('message')[0]).toContain('Issued to: CN=First');
    expect(person.texts('message')[0]).toContain('Not trusted by this computer');
    expect(pinned()).toBe(fingerprintOf(first));
    expect(server.receivedBytes()).toBe(0);
  });

  it('is not trusted when the question is declined', async () => {
    person.answers('Trust the certificate', dismiss);
    await trust();
    expect(pinned()).toBeUndefined();
  });

  it('that has changed is told from a new one, and replaces the old one only when confirmed', async () => {
    await scene.network.pin(server.url, fingerprintOf(first));
    server.swap(second);
    const question = `The certificate of ${host()} has changed. Trust the new one?`;
    person.answers(question, dismiss);
    await trust();
    expect(pinned()).toBe(fingerprintOf(first));
    expect(person.texts('message')[0]).toContain(`Trusted so far: ${fingerprintOf(first)}`);
    expect(person.texts('message')[0]).toContain(`SHA-256: ${fingerprintOf(second)}`);
    person.answers(question, 'Trust This Certificate');
    await trust();
    expect(pinned()).toBe(fingerprintOf(second));
  });

  it('is not asked about again', async () => {
    await scene.network.pin(server.url, fingerprintOf(first));
    await trust();
    expect(person.texts('message')).toEqual([`The certificate of ${host()} is already trusted.`]);
  });

  it('is forgotten for this server only', async () => {
    await scene.network.pin(server.url, fingerprintOf(first));
    await scene.network.pin('https://other.example', fingerprintOf(second));
    await forgetCertificate(scene.services, { connectionId: shop.id });
    expect(pinned()).toBeUndefined();
    expect(scene.network.pins.get('https://other.example')?.fingerprint).toBe(fingerprintOf(second));
  });

  it('does not exist for a server that is reached without encryption', async () => {
    await trust(await add('Plain', 'http://127.0.0.1:9/api'));
    expect(person.texts('message')).toEqual(['Plain uses plain HTTP and has no certificate.']);
  });
});
