/**
 * Gestures on a server that is a round trip of 0, 100 or 250 ms away, with and without TLS: calls, how many of them follow one
 * another, and the time against that of the chain alone. The editor is that of `test/support/vscode`.
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
const { startFarProxy } = await import('../support/far/farProxy.ts');
const { startLocalServer } = await import('../support/localServer.ts');
const { makeAuthority } = await import('../support/tls.ts');

const authority = await makeAuthority();
const certificate = await authority.make();

interface Measured {
  readonly figures: readonly FarFigure[];
  /** What a session of work after the gestures took. */
  readonly session: { readonly calls: number; readonly opened: number };
}

async function measure(roundTripMs: number, isTls: boolean): Promise<Measured> {
  const server = await startLocalServer(true);
  const options = { target: server.apiBase, roundTripMs, serverMs: 40, ...(isTls && { certificate }) };
  const proxy = await startFarProxy(options);
  const somebody = await FarPerson.begin(proxy, server.apiBase, server.adminPassword, isTls ? authority.ca : undefined);
  try {
    await somebody.work();
    return { figures: somebody.figures, session: await somebody.goOn(5) };
  } finally {
    await somebody.close();
    await proxy.close();
    await server.stop();
  }
}

// What is loaded on first use is no part of a gesture.
await measure(0, false);
for (const isTls of [false, true]) {
  const { figures: near } = await measure(0, isTls);
  for (const roundTripMs of [100, 250]) {
    const { figures, session } = await measure(roundTripMs, isTls);
    const place = `${roundTripMs} ms${isTls ? ', TLS' : ''}`;
    for (const [index, { gesture, ms, opened }] of figures.entries()) {
      // Calls that are sent side by side look like a chain if one of them has to connect first.
      const { calls = 0, chain = 0, ms: nearMs = 0 } = near[index] ?? {};
      console.log(
        `figure far, ${place}, ${gesture}: ${calls} calls, chain ${chain}, ${opened} connections opened, ${Math.round(ms)} ms`,
      );
      if (ms > 0) goal('ratio', `far, ${place}, ${gesture}`, ms / (chain * roundTripMs + nearMs), 1.15);
    }
    const total = (pick: (figure: FarFigure) => number) => figures.reduce((sum, each) => sum + pick(each), 0);
    const [opened, calls] = [total((each) => each.opened), total((each) => each.calls + each.later)];
    console.log(`figure far, ${place}, gestures alone: ${opened} connections for ${calls} calls`);
    const share = (100 * (opened + session.opened)) / (calls + session.calls);
    goal('figure', `far, ${place}, connections per 100 calls`, share, 5);
  }
}
await authority.remove();
process.exit(0);
