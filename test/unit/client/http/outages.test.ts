import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import { figure } from '../../../support/run/figure.ts';

const outages = 100;

/** A server that answers everything alike; each start is another server at the same port. */
async function start(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[{"ID":"1"}]');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
}

it('works at the first call after an outage, whether that was noticed or not', async () => {
  let server = await start(0);
  const { port } = server.address() as AddressInfo;
  const session = {
    token: 't',
    timeoutMs: 1_200_000,
    expiresAt: new Date(Date.now() + 1_200_000).toISOString(),
    account: { userId: '1', loginName: 'ada', fullName: '', isAdmin: true, isGuest: false, productVersion: '' },
  };
  const client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase: `http://127.0.0.1:${port}/api` },
    vault: { read: async () => session, write: async () => undefined, withLock: (work) => work() },
    credentials: async () => undefined,
  });
  let recovered = 0;
  let noticed = 0;
  for (let outage = 0; outage < outages; outage++) {
    expect(await client.call('Contact/GetRolesList', {})).toHaveLength(1);
    await stop(server);
    if (outage % 2 === 0) {
      await expect(client.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'unreachable' });
      noticed += 1;
    }
    server = await start(port);
    expect(await client.call('Contact/GetRolesList', {})).toHaveLength(1);
    recovered += 1;
  }
  await client.close();
  await stop(server);
  expect(recovered).toBe(outages);
  figure('R20', `${outages} outages, ${noticed} of them met by a call: the first call after ${recovered} worked`);
}, 120_000);
