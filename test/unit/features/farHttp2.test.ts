import { expect, it } from 'vitest';
import { FarPerson } from '../../support/far/farGestures.ts';
import { needed, overIn } from '../../support/far/neededCalls.ts';
import { startFarProxy } from '../../support/far/farProxy.ts';
import { startLocalServer } from '../../support/localServer.ts';
import { canMakeCertificates, makeAuthority } from '../../support/tls.ts';

it.skipIf(!canMakeCertificates)('takes no more calls over HTTP/2, and one connection', async () => {
  const authority = await makeAuthority();
  const certificate = await authority.make();
  const server = await startLocalServer(true);
  const far = await startFarProxy({ target: server.apiBase, serverMs: 120, certificate, isHttp2: true });
  const person = await FarPerson.begin(far, server.apiBase, server.adminPassword, authority.ca);
  try {
    await person.work();
    expect(overIn(person.figures)).toEqual([]);
    expect(person.figures.map(({ gesture }) => gesture)).toEqual(Object.keys(needed));
    expect(person.figures.reduce((sum, { opened }) => sum + opened, 0)).toBe(0);
    // Several may be opened before the server has chosen.
    expect(person.openedAhead).toBeLessThanOrEqual(3);
  } finally {
    await person.close();
    await far.close();
    await server.stop();
    await authority.remove();
  }
});
