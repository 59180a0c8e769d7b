import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import type { ClientError } from '../../../../src/client/clientError.ts';
import type { CellValue } from '../../../../src/client/results/resultCell.ts';
import { runReport } from '../../../../src/client/runReport.ts';
import { figure } from '../../../support/run/figure.ts';
import { unwatched } from '../../../support/testClient.ts';

/* Connections carry several requests, and yet nothing that arrives on one is taken for the answer of another. */

const session = {
  token: 't',
  timeoutMs: 1_200_000,
  expiresAt: new Date(Date.now() + 1_200_000).toISOString(),
  account: { userId: '1', loginName: 'ada', fullName: '', isAdmin: true, isGuest: false, productVersion: '' },
};

/** Bytes of a whole reply that says it keeps the connection open, whatever was asked for. */
function reply(body: string, date?: string): string {
  const dated = date === undefined ? '' : `date: ${date}\r\n`;
  const head = `${dated}content-type: application/json\r\nconnection: keep-alive\r\ncontent-length: ${body.length}`;
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
async function serve(
  asked: (socket: Socket, count: number, id: string) => void,
  opened?: (socket: Socket) => void,
): Promise<Wire> {
  const connections: Wire['connections'] = [];
  let count = 0;
  const server: Server = createServer((socket) => {
    const entry = { socket, requests: 0 };
    connections.push(entry);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (!text.startsWith('POST ')) return;
      entry.requests += 1;
      asked(socket, ++count, /x-request-id: (\S+)/i.exec(text)?.[1] ?? '');
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

const rolesOf = async (client: AnalyticsClient) => (await client.call('Contact/GetRolesList', {}))[0]?.RoleId;
const tagsOf = async (client: AnalyticsClient) => (await client.call('DataTag/GetAllDataTags', {}))[0]?.Label;
const favourite = (client: AnalyticsClient, ReportId: string) =>
  client.call('library/FavReport', { ReportId }, { guard: unwatched });

const result = (number: number) =>
  `{"ErrorCode":0,"HasError":false,"ReportID":"1","Columns":[],"Data":[{"n":"${number}"}]}`;

async function resultOf(client: AnalyticsClient): Promise<CellValue> {
  const { store, done } = await runReport(client, { Reportobj: { Report: { ReportID: '1' }, Prompts: null } });
  expect(await done).toEqual({ kind: 'complete' });
  return store.cell(0, 0);
}

/** A list that passes for roles and for data tags. */
const list = (number: number, date?: string) => reply(`[{"RoleId":"${number}","Label":"${number}"}]`, date);
/** The server's time in a reply, `seconds` after an arbitrary one. */
const second = (seconds: number) => new Date(1_800_000_000_000 + 1_000 * seconds).toUTCString();

describe('connections', () => {
  it('carry different reads, one after the other', async () => {
    const { connections, client } = await serve((socket, count) => socket.write(list(count)));
    expect(await rolesOf(client)).toBe('1');
    expect(await tagsOf(client)).toBe('2');
    expect(connections.map(({ requests }) => requests)).toEqual([2]);
  });

  it('carry the same read once, so that a second copy of its reply answers nothing, however late', async () => {
    const answered: Socket[] = [];
    const { connections, client } = await serve((socket, count) => {
      // A copy of every reply so far, on its own connection, at the worst moment: while the next request is under way.
      for (const earlier of answered) if (earlier.writable) earlier.write(list(0));
      answered.push(socket);
      socket.write(count % 3 === 0 ? list(count) + list(0) : list(count));
    });
    const reads = 100;
    for (let count = 1; count <= reads; count++) expect(await rolesOf(client)).toBe(String(count));
    expect(Math.max(...connections.map(({ requests }) => requests))).toBe(1);
    figure('R2', `${reads} reads beside copies of every earlier reply: 0 deceived`);
  });

  it('carry one write at most, and not when they have been idle', async () => {
    const { connections, client } = await serve((socket, count) =>
      socket.write(count === 1 ? list(count) : reply(String(count))),
    );
    await rolesOf(client);
    await favourite(client, '1');
    await favourite(client, '2');
    expect(connections.map(({ requests }) => requests)).toEqual([2, 1]);
    const later = performance.now() + 5_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    await favourite(client, '3');
    clock.mockRestore();
    expect(connections.map(({ requests }) => requests)).toEqual([2, 1, 1]);
  });

  it('carry an equal read and a second write when the time of the server tells the replies apart', async () => {
    let ahead = 0;
    const real = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
    cleanups.push(async () => clock.mockRestore());
    const { connections, client } = await serve((socket, count) => socket.write(list(7, second(count))));
    expect(await rolesOf(client)).toBe('7');
    expect(await rolesOf(client)).toBe('7');
    expect(connections.map(({ requests }) => requests)).toEqual([1, 1]);
    ahead = 1_200;
    expect(await rolesOf(client)).toBe('7');
    await favourite(client, '1').catch(() => undefined);
    await favourite(client, '2').catch(() => undefined);
    expect(connections.map(({ requests }) => requests)).toEqual([2, 3]);
    ahead = 2_400;
    await favourite(client, '3').catch(() => undefined);
    expect(connections).toHaveLength(2);
  });

  it('whose reply to an equal read has the time of an earlier reply are not believed', async () => {
    let ahead = 0;
    const real = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
    cleanups.push(async () => clock.mockRestore());
    const { connections, client } = await serve((socket, count) =>
      socket.write(count === 2 ? list(1, second(1)) : list(count, second(count))),
    );
    expect(await rolesOf(client)).toBe('1');
    ahead = 1_200;
    expect(await rolesOf(client)).toBe('3');
    expect(connections.map(({ requests }) => requests)).toEqual([2, 1]);
  });

  it('whose reply equals an earlier one do not answer with it: a read is repeated over a new one', async () => {
    const { connections, client } = await serve((socket, count) => socket.write(list(count < 3 ? 1 : count)));
    expect(await rolesOf(client)).toBe('1');
    expect(await tagsOf(client)).toBe('3');
    expect(connections.map(({ requests }) => requests)).toEqual([2, 1]);
  });

  it('whose long reply equals an earlier one do not answer with it, however it arrives', async () => {
    const long = (number: number) => reply(`[${' '.repeat(3_000_000)}{"RoleId":"${number}","Label":"${number}"}]`);
    const { connections, client } = await serve((socket, count) => {
      const text = long(count < 3 ? 1 : count);
      const middle = count === 1 ? 1_000_000 : 1_200_000;
      socket.write(text.slice(0, middle), () => socket.write(text.slice(middle)));
    });
    expect(await rolesOf(client)).toBe('1');
    expect(await tagsOf(client)).toBe('3');
    expect(connections.map(({ requests }) => requests)).toEqual([2, 1]);
  });

  it('whose reply equals an earlier one do not say that a write is done', async () => {
    const { client } = await serve((socket) => socket.write(reply('1')));
    await client.call('LicenseManager/GetInstallationID', {}).catch(() => undefined);
    await expect(favourite(client, '1')).rejects.toMatchObject({ kind: 'unreachable', isUnsent: false });
  });

  it('carry a result only if the server names the request in each reply, and not that of another', async () => {
    const named = (body: string, id: string) => reply(body).replace('\r\n', `\r\nx-request-id: ${id}\r\n`);
    const plain = await serve((socket, count) => socket.write(count === 1 ? list(1) : reply(result(count))));
    await rolesOf(plain.client);
    expect(await resultOf(plain.client)).toBe('2');
    expect(plain.connections.map(({ requests }) => requests)).toEqual([1, 1]);
    const { connections, client } = await serve((socket, count, id) => {
      // The fourth request is answered by a result that was asked for earlier.
      const answered = count === 4 ? 'earlier' : id;
      socket.write(named(count === 1 ? '[{"RoleId":"1"}]' : result(count), answered));
    });
    await rolesOf(client);
    expect([await resultOf(client), await resultOf(client)]).toEqual(['2', '3']);
    expect(connections.map(({ requests }) => requests)).toEqual([3]);
    expect(await resultOf(client)).toBe('5');
    expect(connections.map(({ requests }) => requests)).toEqual([4, 1]);
  });

  it('close at once when a result that they carry after another request is cancelled', async () => {
    const { connections, client } = await serve((socket, count, id) => {
      const whole = (count === 2 ? reply(result(count)) : list(count)).replace('\r\n', `\r\nx-request-id: ${id}\r\n`);
      socket.write(count === 2 ? whole.slice(0, -4) : whole);
    });
    await rolesOf(client);
    const stop = new AbortController();
    const request = { Reportobj: { Report: { ReportID: '1' }, Prompts: null } };
    const outcome = runReport(client, request, { signal: stop.signal }).then(
      ({ done }) => done,
      (error: ClientError) => error,
    );
    await expect.poll(() => connections[0]?.requests).toBe(2);
    const [socket] = connections.map((each) => each.socket);
    stop.abort();
    if (socket && !socket.closed) await once(socket, 'close');
    expect((await outcome).kind).toBe('cancelled');
    expect(await tagsOf(client)).toBe('3');
    expect(connections.map(({ requests }) => requests)).toEqual([2, 1]);
  });

  it('that speak without being asked are closed', async () => {
    const { connections, client } = await serve((socket, count) => {
      socket.write(list(count));
      if (count === 1) setImmediate(() => socket.write(list(0)));
    });
    expect(await rolesOf(client)).toBe('1');
    const first = connections[0]?.socket;
    if (first && !first.closed) await once(first, 'close');
    expect(await tagsOf(client)).toBe('2');
    expect(connections.map(({ requests }) => requests)).toEqual([1, 1]);
  });

  it('end with a request that is cancelled', async () => {
    const { connections, client } = await serve((socket, count) => count > 1 && socket.write(list(count)));
    const stop = new AbortController();
    const cancelled = client.call('Contact/GetRolesList', {}, { signal: stop.signal });
    await expect.poll(() => connections[0]?.requests).toBe(1);
    stop.abort();
    await expect(cancelled).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await tagsOf(client)).toBe('2');
    expect(connections.map(({ requests }) => requests)).toEqual([1, 1]);
  });

  it('end with the client', async () => {
    const { connections, client } = await serve((socket, count) => socket.write(list(count)));
    await Promise.all(Array.from({ length: 12 }, () => rolesOf(client)));
    await client.close();
    await expect.poll(() => connections.filter(({ socket }) => !socket.destroyed).length).toBe(0);
  });
});
