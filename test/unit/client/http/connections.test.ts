import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import { figure } from '../../../support/run/figure.ts';
import { unwatched } from '../../../support/testClient.ts';

/* One connection for each request: nothing that arrives on one can be taken for the answer of another. */

const session = {
  token: 't',
  timeoutMs: 1_200_000,
  expiresAt: new Date(Date.now() + 1_200_000).toISOString(),
  account: { userId: '1', loginName: 'ada', fullName: '', isAdmin: true, isGuest: false, productVersion: '' },
};

/** Bytes of a whole reply that says it keeps the connection open, whatever was asked for. */
function reply(body: string): string {
  const head = `content-type: application/json\r\nconnection: keep-alive\r\ncontent-length: ${body.length}`;
  return `HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`;
}

interface Wire {
  /** Every connection that was opened, with how many requests came over it. */
  connections: { socket: Socket; requests: number }[];
  client: AnalyticsClient;
}

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/**
 * A server made of sockets.
 * @param opened what it does with a connection before any request.
 * @param asked what it does with the request of that number.
 */
async function serve(asked: (socket: Socket, count: number) => void, opened?: (socket: Socket) => void): Promise<Wire> {
  const connections: Wire['connections'] = [];
  let count = 0;
  const server: Server = createServer((socket) => {
    const entry = { socket, requests: 0 };
    connections.push(entry);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.toString('latin1').startsWith('POST ')) return;
      entry.requests += 1;
      asked(socket, ++count);
    });
    opened?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new AnalyticsClient({
    target: {
      connectionId: 'c',
      name: 'Test Server',
      apiBase: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    },
    vault: { read: async () => session, write: async () => undefined, withLock: (work) => work() },
    credentials: async () => undefined,
  });
  cleanups.push(async () => {
    await client.close();
    for (const { socket } of connections) socket.destroy();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return { connections, client };
}

const numberOf = async (client: AnalyticsClient) => (await client.call('Contact/GetRolesList', {}))[0]?.RoleId;

describe('connections', () => {
  it('carry one request each, so that a second copy of a reply answers nothing, however late', async () => {
    const answered: Socket[] = [];
    const { connections, client } = await serve((socket, count) => {
      const text = reply(`[{"RoleId":"${count}"}]`);
      // A copy of every reply so far, on its own connection, at the worst moment: while the next request is under way.
      for (const earlier of answered) if (earlier.writable) earlier.write(reply('[{"RoleId":"copy"}]'));
      answered.push(socket);
      socket.write(count % 3 === 0 ? text + reply('[{"RoleId":"copy"}]') : text);
    });
    const reads = 100;
    for (let count = 1; count <= reads; count++) expect(await numberOf(client)).toBe(String(count));
    expect(Math.max(...connections.map(({ requests }) => requests))).toBe(1);
    figure(
      'R2',
      `${reads} reads beside copies of every earlier reply: 0 deceived, 0 connections with a second request`,
    );
  });

  it('are opened ahead for reads, and not for writes', async () => {
    const { connections, client } = await serve((socket, count) => socket.write(reply(`[{"RoleId":"${count}"}]`)));
    await numberOf(client);
    await expect.poll(() => connections.length).toBe(2);
    await numberOf(client);
    await expect.poll(() => connections.length).toBe(3);
    expect(connections.map(({ requests }) => requests)).toEqual([1, 1, 0]);
    await client.call('library/FavReport', { ReportId: '1' }, { guard: unwatched }).catch(() => undefined);
    await expect.poll(() => connections.length).toBe(4);
    expect(connections.map(({ requests }) => requests)).toEqual([1, 1, 0, 1]);
  });

  it('that speak before they are asked are not used', async () => {
    let isFirst = true;
    const { connections, client } = await serve(
      (socket, count) => socket.write(reply(`[{"RoleId":"${count}"}]`)),
      (socket) => {
        if (!isFirst) socket.write('HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n');
        isFirst = false;
      },
    );
    expect(await numberOf(client)).toBe('1');
    await expect.poll(() => connections.length).toBe(2);
    const spare = connections[1]?.socket;
    if (spare && !spare.closed) await once(spare, 'close');
    expect(connections[1]?.requests).toBe(0);
  });

  it('end with the client, those opened ahead too', async () => {
    const { connections, client } = await serve((socket, count) => socket.write(reply(`[{"RoleId":"${count}"}]`)));
    await Promise.all(Array.from({ length: 12 }, () => numberOf(client)));
    await expect.poll(() => connections.filter(({ requests }) => requests === 0).length).toBeGreaterThan(0);
    await client.close();
    await expect.poll(() => connections.filter(({ socket }) => !socket.destroyed).length).toBe(0);
  });
});
