import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { useDocuments } from '../../../support/documents/documentServices.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { TenantAdmin } from '../../../support/tenants/tenantAdmin.ts';
import { tenantSteps } from '../../../support/tenants/tenantSteps.ts';
import { watchServer, type WatchedServer } from '../../../support/tenants/watchedServer.ts';

/*
 * The day of a tenant by commands, documents, pages and drags. Of every write, only what was edited differs from what was
 * read: on the embedded server, and on the same one as another release would be.
 */

describe.each([
  ['the embedded server', false],
  ['a server of another release', true],
])('the day of a tenant on %s', (_, isOther) => {
  let server: LocalTestServer;
  let watched: WatchedServer;
  let scene: CommandScene;
  let service: ReturnType<typeof useDocuments>;
  let admin: TenantAdmin;

  beforeAll(async () => {
    server = await startLocalServer(true);
    watched = await watchServer(server.apiBase, isOther);
    scene = await openCommandScene();
    service = useDocuments(scene);
    admin = new TenantAdmin(scene, await scene.addServer('Shop', watched.apiBase, server.adminPassword));
  });

  afterAll(async () => {
    service.close();
    await scene.close();
    await watched.close();
    await server.stop();
  });

  it.each(tenantSteps.map((step, index) => [index + 1, step.title, step] as const))(
    '%i: %s',
    async (_at, _title, step) => {
      watched.writes.length = 0;
      const shown = await admin.does(() => step.run(admin), step);
      expect([...new Set(watched.writes)].sort(), shown).toEqual([...step.writes].sort());
      if (step.says) expect(shown).toMatch(step.says);
    },
  );
});
