import { afterAll, beforeAll, expect, it } from 'vitest';
import { FarPerson, type FarFigure } from '../../support/far/farGestures.ts';
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

/** Of each gesture, the calls until its result is shown, and how many of these may follow one another. */
const most: Readonly<Record<string, { calls: number; chain: number }>> = {
  // The installation is asked for beside the sign-in; nearby, it may answer before the sign-in is sent.
  'password entered → library rows': { calls: 6, chain: 5 },
  'unfold a known server': { calls: 4, chain: 3 },
  'open a user': { calls: 2, chain: 1 },
  'open a policy': { calls: 2, chain: 1 },
  'open a group': { calls: 2, chain: 1 },
  'save a group': { calls: 4, chain: 3 },
  // One may be repeated: a reply equal to an earlier one of its connection is not accepted.
  'add a member: role → row': { calls: 13, chain: 5 },
  'assign a policy → row': { calls: 3, chain: 3 },
  'delete a user: dialog': { calls: 6, chain: 2 },
  'delete a user: gone': { calls: 7, chain: 3 },
  'refresh all': { calls: 7, chain: 3 },
};

it('takes no more calls for a gesture, and none one after the other, than it needs', () => {
  const found = somebody.figures.map(({ gesture, calls, chain }) => [gesture, { calls, chain }] as const);
  for (const { gesture, calls, chain, later, endpoints } of somebody.figures) {
    figure('far', `${gesture}: ${calls} calls, chain ${chain}, ${later} later: ${endpoints.join(' ')}`);
  }
  const total = (pick: (figure: FarFigure) => number) => somebody.figures.reduce((sum, each) => sum + pick(each), 0);
  const all = total(({ calls, later }) => calls + later);
  figure('far', `${total(({ opened }) => opened)} connections opened for ${all} calls`);
  expect(found.map(([gesture]) => gesture)).toEqual(Object.keys(most));
  const over = found.filter(([gesture, { calls, chain }]) => {
    const limit = most[gesture];
    return limit === undefined || calls > limit.calls || chain > limit.chain;
  });
  expect(over).toEqual([]);
});
