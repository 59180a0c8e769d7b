import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { FarPerson, type FarFigure } from '../../support/far/farGestures.ts';
import { needed, overIn } from '../../support/far/neededCalls.ts';
import { startFarProxy, type FarProxy } from '../../support/far/farProxy.ts';
import { figure } from '../../support/run/figure.ts';
import { startLocalServer, type LocalTestServer } from '../../support/localServer.ts';
import { focusWindow } from '../../support/vscode/window.ts';

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
  for (const { gesture, calls, chain, later, endpoints } of somebody.figures) {
    figure('far', `${gesture}: ${calls} calls, chain ${chain}, ${later} later: ${endpoints.join(' ')}`);
  }
  const total = (pick: (figure: FarFigure) => number) => somebody.figures.reduce((sum, each) => sum + pick(each), 0);
  const all = total(({ calls, later }) => calls + later);
  figure('far', `${total(({ opened }) => opened)} connections opened for ${all} calls`);
  expect(somebody.figures.map(({ gesture }) => gesture)).toEqual(Object.keys(needed));
  expect(overIn(somebody.figures)).toEqual([]);
});

it('calls no server for 17 hovers, 3 changes of focus and 3 idle minutes', async () => {
  await somebody.open('policy', 'Far Policy');
  const calls = await somebody.callsOf(async () => {
    const hints = await somebody.hover(17);
    expect(hints).toHaveLength(17);
    for (const isHere of [false, true, false]) focusWindow(isHere);
  });
  expect(calls).toEqual([]);
  expect(await somebody.callsOf(() => idle(180_000))).toEqual([]);
  // Coming back is a change of focus, too.
  expect(await somebody.callsOf(async () => focusWindow(true))).toEqual([]);
});

/** Lets time pass in a window in which nothing is done. */
async function idle(ms: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] });
  const timers = somebody.startTimers();
  try {
    await vi.advanceTimersByTimeAsync(ms);
  } finally {
    timers.dispose();
    vi.useRealTimers();
  }
}
