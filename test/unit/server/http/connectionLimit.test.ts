import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiServer } from '../../../../src/server/http/apiServer.ts';
import { mostOfSource } from '../../../../src/server/http/peers.ts';

/** Both are addresses of this machine on Linux. */
const [one, other] = ['127.0.0.1', '127.0.0.2'];

describe.skipIf(process.platform !== 'linux')('a server that others reach', () => {
  const sockets: Socket[] = [];
  let server: ApiServer;
  let port: number;

  async function start(proxy?: string): Promise<void> {
    server = new ApiServer({
      ...{ port: 0, prefix: '/api', allowedOrigin: { kind: 'none' }, bodyLimit: 1_000 },
      listening: { address: '0.0.0.0', publicUrl: new URL('https://analytics.example'), certificate: undefined, proxy },
      dispatch: () => {
        throw new Error('No call is expected');
      },
      log: () => undefined,
    });
    port = await server.listen();
  }

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.stop();
  });

  async function open(localAddress: string): Promise<Socket> {
    const socket = connect({ host: one, port, localAddress });
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    return socket;
  }

  /** Whether the server answers on a connection, or has closed it. */
  async function isAnswered(socket: Socket): Promise<boolean> {
    const first = Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
    socket.write('GET / HTTP/1.1\r\nHost: analytics.example\r\n\r\n');
    return first;
  }

  it('lets no source take the connections of the others', async () => {
    await start();
    const held = [];
    for (let count = 0; count < mostOfSource; count += 1) held.push(await open(one));
    expect(await isAnswered(held[0]!)).toBe(true);
    expect(await isAnswered(held.at(-1))).toBe(true);
    expect(await isAnswered(await open(one))).toBe(false);
    expect(await isAnswered(await open(other))).toBe(true);
    held.pop()?.destroy();
    await expect.poll(async () => isAnswered(await open(one))).toBe(true);
  });

  it('does not limit the proxy', async () => {
    await start(one);
    for (let count = 0; count < mostOfSource; count += 1) await open(one);
    expect(await isAnswered(await open(one))).toBe(true);
    for (let count = 0; count < mostOfSource; count += 1) await open(other);
    expect(await isAnswered(await open(other))).toBe(false);
  });
});
