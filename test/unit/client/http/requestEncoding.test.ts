import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import { memoryVault } from '../../../support/testClient.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A server that says what it takes, and what arrived there: the encoding and the text of each request. */
async function serve(first: string | undefined, statusOf: (encoding: string) => number = () => 200) {
  let accepted = first;
  const arrived: { encoding: string; text: string }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const encoding = request.headers['content-encoding'] ?? '';
      const bytes = Buffer.concat(parts);
      arrived.push({ encoding, text: (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString() });
      const headers = {
        'content-type': 'application/json',
        ...(accepted !== undefined && { 'accept-encoding': accepted }),
      };
      response.writeHead(statusOf(encoding), headers).end(`{"ErrorCode":0,"ID":"${idOf(arrived.at(-1)?.text)}"}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const account = { userId: '1', loginName: 'ada', fullName: '', isAdmin: true, isGuest: false, productVersion: '' };
  const expiresAt = new Date(Date.now() + 1_200_000).toISOString();
  const client = new AnalyticsClient({
    target: {
      connectionId: 'c',
      name: 'Shop',
      apiBase: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    },
    vault: memoryVault({ token: 't', timeoutMs: 1_200_000, expiresAt, account }),
    credentials: async () => undefined,
  });
  cleanups.push(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const says = (next: string | undefined) => void (accepted = next);
  return { arrived, says, read: (id: string) => client.call('Contact/GetContactById', { ContactId: id }) };
}

function idOf(text = '{}'): string {
  return (JSON.parse(text) as { ContactId?: string }).ContactId ?? '';
}

const long = 'a'.repeat(4_000);

it.each([
  ['gzip', ['', 'gzip', '']],
  ['br, x-gzip;q=0.5', ['', 'gzip', '']],
  ['gzip;q=0, br', ['', '', '']],
  ['identity', ['', '', '']],
  [undefined, ['', '', '']],
])('compresses a long request for a server that answered with Accept-Encoding: %s', async (accepted, encodings) => {
  const { arrived, read } = await serve(accepted);
  for (const id of ['1', long, '2']) await read(id);
  expect(arrived.map(({ encoding }) => encoding)).toEqual(encodings);
  expect(arrived.map(({ text }) => idOf(text))).toEqual(['1', long, '2']);
});

it('sends no more compressed requests to a server that refuses one', async () => {
  const { arrived, read, says } = await serve('gzip', (encoding) => (encoding === '' ? 200 : 415));
  await read('1');
  says(undefined);
  await expect(read(long)).rejects.toThrow();
  await read(`${long}b`);
  expect(arrived.map(({ encoding }) => encoding)).toEqual(['', 'gzip', '']);
});
