import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LocalServer } from '../../../../src/connections/localServer/localServer.ts';
import { LocalServerHome } from '../../../../src/connections/localServer/localServerHome.ts';
import { probeServer } from '../../../../src/client/http/probe.ts';
import { MemorySecrets } from '../../../support/memorySecrets.ts';
import { serverScript } from '../../../support/serverScript.ts';

let folder: string;
let home: LocalServerHome;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-newer-'));
  home = new LocalServerHome(path.join(folder, 'home'), new MemorySecrets());
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function openWindow(editor: string): LocalServer {
  return new LocalServer({
    script: serverScript,
    home,
    log: { info: () => undefined, warn: () => undefined },
    window: { release: '0.2.0', editor },
    probe: (url, signal) => probeServer(url, { signal }),
    onDidAbandonData: () => undefined,
  });
}

it('does not start on data of a later release, and says which window to update', { timeout: 120_000 }, async () => {
  const first = openWindow('First Editor');
  await first.ensureRunning();
  await first.dispose();
  const data = await home.data();
  const state = path.join(data?.dataFolder ?? '', 'state.db');
  const later = new DatabaseSync(state);
  later.exec(`
    INSERT INTO schema_version (room, version) VALUES ('later', 1);
    INSERT INTO migration (release, moment) VALUES ('9.3.0', '2030-01-01T00:00:00.000Z');`);
  later.close();
  const before = await readFile(state);
  const second = openWindow('Second Editor');
  await expect(second.ensureRunning()).rejects.toThrow(
    /^Release 9\.3\.0 of Analytics Studio, last started in First Editor, .* this window runs release 0\.2\.0, which cannot/,
  );
  expect((await readFile(state)).equals(before)).toBe(true);
  await second.dispose();
});
