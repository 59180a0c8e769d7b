import { afterAll, beforeAll, expect, it } from 'vitest';
import { FarPerson, type FarFigure } from '../../support/far/farGestures.ts';
import { needed } from '../../support/far/neededCalls.ts';
import { startFarProxy, type FarProxy } from '../../support/far/farProxy.ts';
import { figure } from '../../support/run/figure.ts';
import { startLocalServer, type LocalTestServer } from '../../support/localServer.ts';

let server: LocalTestServer;
let proxy: FarProxy;
let somebody: FarPerson;

beforeAll(async () => {
  server = await startLocalServer(true);
  proxy = await startFarProxy({ target: server.apiBase, serverMs: 120 });
  somebody = await FarPerson.begin(proxy, server.apiBase, server.adminPassword);
  await somebody.work();
});

afterAll(async () => {
  await somebody.close();
  await proxy.close();
  await server.stop();
});

it('takes no more calls for a gesture, and none one after the other, than it needs', () => {
  const found = somebody.figures.map(({ gesture, calls, chain }) => [gesture, { calls, chain }] as const);
  for (const { gesture, calls, chain, later, endpoints } of somebody.figures) {
    figure('far', `${gesture}: ${calls} calls, chain ${chain}, ${later} later: ${endpoints.join(' ')}`);
  }
  const total = (pick: (figure: FarFigure) => number) => somebody.figures.reduce((sum, each) => sum + pick(each), 0);
  const all = total(({ calls, later }) => calls + later);
  figure('far', `${total(({ opened }) => opened)} connections opened for ${all} calls`);
  expect(found.map(([gesture]) => gesture)).toEqual(Object.keys(needed));
  const over = found.filter(([gesture, { calls, chain }]) => {
    const limit = needed[gesture];
    return limit === undefined || calls > limit.calls || chain > limit.chain;
  });
  expect(over).toEqual([]);
});
