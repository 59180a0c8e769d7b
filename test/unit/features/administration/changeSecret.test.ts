import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { changeSecret } from '../../../../src/features/administration/commands.ts';
import { openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { post } from '../../../support/faults/faultProxy.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

const secret = 'kept on the server 7';
let server: LocalTestServer;
let relay: Server;
let scene: CommandScene;
let connection: Connection;
/** What was sent to the server, as it never shows a secret that it keeps. */
const sent: { path: string; body: string }[] = [];

beforeAll(async () => {
  server = await startLocalServer();
  // A password is of no use without a server of mail.
  const smtp = (await server.call('SMTP/GetSMTP')) as object;
  await server.call('SMTP/SaveSMTP', { smtp: { ...smtp, SMTPHost: 'mail.example.com', SMTPUserName: 'post' } });
  relay = createServer((request, response) => {
    const answer = async () => {
      const [path, body] = [(request.url ?? '').replace('/api/', ''), await text(request)];
      sent.push({ path, body });
      const reply = await post(`${server.apiBase}/${path}`, body);
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text);
    };
    answer().catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const { port } = relay.address() as AddressInfo;
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', `http://127.0.0.1:${port}/api`, server.adminPassword);
});

afterEach(() => {
  sent.length = 0;
  person.leave();
});

afterAll(async () => {
  await scene.close();
  relay.closeAllConnections();
  relay.close();
  await server.stop();
});

const mail = () => ({ connectionId: connection.id, kind: 'smtp', id: 'smtp', name: 'Outgoing Mail (SMTP)' });
const withSecret = () => sent.filter(({ body }) => body.includes(secret)).map(({ path }) => path);

it('sends the mail password that was typed twice, once, and shows it nowhere', async () => {
  person.answers('New: Mail password', secret).answers('Repeat the new value', secret);
  await changeSecret(scene.services, mail());
  expect(withSecret()).toHaveLength(1);
  expect(person.texts('status')).toEqual(['Mail password of Outgoing Mail (SMTP) changed on Shop']);
  expect([...person.texts(), ...scene.errors].join()).not.toContain(secret);
});

it('sends nothing when the first box is left', async () => {
  person.answers('New: Mail password', dismiss);
  await changeSecret(scene.services, mail());
  expect(withSecret()).toEqual([]);
  expect(person.texts('status')).toEqual([]);
});

it('sends nothing when the second box is left, or differs', async () => {
  person
    .answers('New: Mail password', secret)
    .answers('Repeat the new value', 'other')
    .answers('The entries do not match.', dismiss);
  await changeSecret(scene.services, mail());
  expect(withSecret()).toEqual([]);
  expect(person.texts('status')).toEqual([]);
});

it('asks whose secret is meant, and sends nothing when that list is left', async () => {
  person.answers('Select the object whose password or secret to change', dismiss);
  await changeSecret(scene.services);
  person
    .answers('Select the object whose password or secret to change', 'Mail password')
    .answers('New: Mail password', dismiss);
  await changeSecret(scene.services);
  expect(withSecret()).toEqual([]);
});
