/**
 * Gestures on a server that is a round trip of 0, 100 or 250 ms away, without TLS, with it, and over HTTP/2: calls, how many of them follow one
 * another, and the time against that of the chain that the API needs. The editor is that of `test/support/vscode`.
 */
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { goal } from './server/goals.ts';
import type { FarFigure } from '../support/far/farGestures.ts';

const fakeEditor = pathToFileURL(path.join(import.meta.dirname, '../support/vscode/index.ts')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: fakeEditor, shortCircuit: true } : next(specifier, context),
});
const { FarPerson } = await import('../support/far/farGestures.ts');
const { needed } = await import('../support/far/neededCalls.ts');
const { startFarProxy } = await import('../support/far/farProxy.ts');
const { startLocalServer } = await import('../support/localServer.ts');
const { makeAuthority } = await import('../support/tls.ts');

const authority = await makeAuthority();
const certificate = await authority.make();

interface Measured {
  readonly figures: readonly FarFigure[];
  /** What a session of work after the gestures took. */
  readonly session: { readonly calls: number; readonly opened: number };
  /** Connections that were opened before the first gesture. */
  readonly openedAhead: number;
}

/** How the server is reached. */
const ways = ['HTTP', 'TLS', 'HTTP/2'] as const;

async function measure(roundTripMs: number, way: (typeof ways)[number]): Promise<Measured> {
  const isTls = way !== 'HTTP';
  const server = await startLocalServer(true);
  const options = {
    target: server.apiBase,
    roundTripMs,
    serverMs: 40,
    ...(isTls && { certificate }),
    isHttp2: way === 'HTTP/2',
  };
  const proxy = await startFarProxy(options);
  const somebody = await FarPerson.begin(proxy, server.apiBase, server.adminPassword, isTls ? authority.ca : undefined);
  try {
    await somebody.work();
    const session = await somebody.goOn(5);
    return { figures: somebody.figures, session, openedAhead: somebody.openedAhead };
  } finally {
    await somebody.close();
    await proxy.close();
    await server.stop();
  }
}

// What is loaded on first use is no part of a gesture.
await measure(0, 'HTTP');
for (const way of ways) {
  const { figures: near } = await measure(0, way);
  for (const roundTripMs of [100, 250]) {
    const { figures, session, openedAhead } = await measure(roundTripMs, way);
    const place = `${roundTripMs} ms, ${way}`;
    for (const [index, { gesture, ms, opened }] of figures.entries()) {
      const { calls = 0, ms: nearMs = 0 } = near[index] ?? {};
      // The chain that the API needs, which `farGestures.test` holds; not that of calls which were under way by chance.
      const { chain = 0 } = needed[gesture] ?? {};
      console.log(
        `figure far, ${place}, ${gesture}: ${calls} calls, needed chain ${chain}, ${opened} connections opened, ${Math.round(ms)} ms, ${Math.round(nearMs)} ms at 0`,
      );
      if (ms > 0) goal('ratio', `far, ${place}, ${gesture}`, ms / (chain * roundTripMs + nearMs), 1.15);
    }
    const total = (pick: (figure: FarFigure) => number) => figures.reduce((sum, each) => sum + pick(each), 0);
    const opened = openedAhead + total((each) => each.opened);
    const calls = total((each) => each.calls + each.later);
    console.log(`figure far, ${place}, gestures alone: ${opened} connections for ${calls} calls`);
    const share = (100 * (opened + session.opened)) / (calls + session.calls);
    goal('figure', `far, ${place}, connections per 100 calls`, share, 5);
  }
}
await authority.remove();
process.exit(0);
