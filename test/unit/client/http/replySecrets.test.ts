import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { shownMessage } from '../../../../src/client/clientError.ts';
import { EndpointCaller } from '../../../../src/client/http/endpointCall.ts';
import { Transport } from '../../../../src/client/http/transport.ts';
import type { EndpointPath } from '../../../../src/contract/endpoints.ts';
import { handled, startScriptedServer } from '../../../support/scriptedServer.ts';

const token = '0123456789abcdefABCDEF0123456789abcdefABCDEF0123456789abcdefABCDEF01';
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** What a call fails with when the server answers `bytes`. */
async function failureOf(path: EndpointPath, body: object, bytes: string | Buffer, contentType = 'text/plain') {
  const caller = await answering(bytes, contentType);
  try {
    await caller.call(path, body, token);
  } catch (error) {
    return { shown: shownMessage(error), all: inspect(error, { depth: 9 }), error };
  }
  throw new Error('It did not fail.');
}

async function answering(bytes: string | Buffer, contentType: string): Promise<EndpointCaller> {
  const server = await startScriptedServer((_request, response) => {
    response.writeHead(200, { 'content-type': contentType }).end(bytes);
    return handled;
  });
  const target = { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` };
  const transport = new Transport(target);
  cleanups.push(() => server.close());
  cleanups.push(() => transport.close());
  return new EndpointCaller(target, transport, { request: () => undefined });
}

describe('a server that quotes what it was sent', () => {
  const membership = { GroupId: '12', ContactId: '34', RoleId: '2' };

  it.each([40, 60, 80, 100, 110, 118])(
    'shows no part of the token where the excerpt ends, %s characters in',
    async (at) => {
      const text = `Bad request: ${'x'.repeat(at - 13)}${token}`;
      const { all } = await failureOf('Group/AddUser', membership, text);
      expect(all).toContain('Bad request');
      expect(all).not.toContain(token.slice(0, 4));
      const broken = await failureOf(
        'Contact/GetRolesList',
        {},
        `[{"x":"${'x'.repeat(at)}${token}`,
        'application/json',
      );
      expect(broken.all).not.toContain(token.slice(0, 4));
    },
  );

  const spellings: [string, string, string][] = [
    ['as it is', 'S3cr"et/ ü+Db!', 'S3cr"et/ ü+Db!'],
    ['as JSON', 'S3cr"et/ ü+Db!', 'S3cr\\"et/ ü+Db!'],
    ['as JSON with escapes', 'S3cr"et/ ü+Db!', 'S3cr\\u0022et\\/ \\u00FC\\u002bDb!'],
    ['as JSON in JSON', 'S3cr"et/ ü+Db!', 'S3cr\\\\\\"et/ ü+Db!'],
    ['in a URL', 'S3cr"et/ ü+Db!', 'S3cr%22et%2F+%c3%BC%2BDb!'],
    ['on a page', 'S3cr"et/ ü+Db!', 'S3cr&quot;et&#x2F; &#252;&#43;Db!'],
    ['over two lines', 'two words and more', 'two\n   words and\tmore'],
    ['short, alone', 'pin4', '"pin4"'],
  ];
  const bodies: [EndpointPath, (secret: string) => object, (text: string) => string][] = [
    [
      'Contact/SaveContact',
      (Pin) => ({ withpin: true, user: { ID: '1', Pin } }),
      (text) => JSON.stringify({ ErrorCode: 9000, ErrorMessage: `the password ${text} is too weak` }),
    ],
    [
      'RegServers/TestConnection',
      (DatabasePassword) => ({ regserver: { ID: '1', DatabasePassword } }),
      (text) => `cannot connect: postgres://sa:${text}@h/db`,
    ],
    ['SMTP/SaveSMTP', (SMTPPassword) => ({ smtp: { SMTPPassword } }), (text) => `{"ErrorMessage":"${text}`],
    [
      'AppSettings/SaveAppSettings',
      (secret) => ({ appsettings: { mfa_clientsecret: secret, enforcestrongpassword: 'True' } }),
      (text) => JSON.stringify({ ErrorCode: 9000, ErrorMessage: `True: ${text}` }),
    ],
    [
      'Report/SaveReport',
      (DbPass) => ({ report: { ReportID: '1', DbPass, FieldList: [] } }),
      (text) => `[{"DbPass":"${text}"`,
    ],
  ];

  it.each(bodies)('%s shows no password in any spelling', async (path, body, reply) => {
    for (const [how, secret, written] of spellings) {
      const { shown, all } = await failureOf(path, body(secret), reply(written), 'application/json');
      expect(shown, how).not.toContain(written);
      expect(all, how).not.toContain(written);
      expect(all, how).not.toContain('Db!');
      expect(all, how).not.toContain('pin4');
    }
  });
});

describe('what came instead of a reply', () => {
  const cut = '[{"ID":"1","LoginName":"ada","Description":"salary 4711"';

  it('is shown to the user, and in no message that goes to a log', async () => {
    const { shown, error } = await failureOf('Contact/GetContactList', {}, cut, 'application/json');
    expect(shown).toContain('salary 4711');
    expect(error).toMatchObject({ kind: 'malformed', excerpt: cut });
    expect(String(error)).not.toContain('salary');
    expect((error as Error).cause).toBeUndefined();
  });

  it.each<[EndpointPath]>([['AppSettings/GetAppSettings'], ['SMTP/GetSMTP'], ['RegServers/GetAdminRegisteredServers']])(
    'of %s is not shown: it holds passwords',
    async (path) => {
      const { shown, all } = await failureOf(path, {}, '{"SMTPPassword":"s3cret",', 'application/json');
      expect(shown).toContain('25 characters');
      expect(all).not.toContain('s3cret');
    },
  );
});

describe('the charset of a reply', () => {
  const user = '{"ErrorCode":0,"ID":"1","LoginName":"J\u00fcrgen"}';

  it.each([
    ['application/json; charset=iso-8859-1', Buffer.from(user, 'latin1')],
    ['application/json; charset="UTF-16LE"', Buffer.from(user, 'utf16le')],
    ['application/json', Buffer.from(`\ufeff${user}`)],
  ])('%s is read as it says', async (contentType, bytes) => {
    const caller = await answering(bytes, contentType);
    const { value } = await caller.call('Contact/GetContactById', { ContactId: '1' }, token);
    expect(value).toMatchObject({ LoginName: 'J\u00fcrgen' });
  });

  it('is no text when its bytes are none, and nothing replaces them', async () => {
    const broken = await failureOf(
      'Contact/GetContactById',
      { ContactId: '1' },
      Buffer.from(user, 'latin1'),
      'application/json',
    );
    expect(broken.error).toMatchObject({
      kind: 'malformed',
      message: 'The reply of Test Server is not valid utf-8 text.',
    });
    const unknown = await failureOf(
      'Contact/GetContactById',
      { ContactId: '1' },
      user,
      'application/json; charset=klingon',
    );
    expect(unknown.error).toMatchObject({ kind: 'malformed' });
  });
});
