import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colleagueAt } from '../../support/tenants/colleagueAt.ts';
import { tenantSteps } from '../../support/tenants/tenantSteps.ts';
import { watchServer, type WatchedServer } from '../../support/tenants/watchedServer.ts';
import { WorkbenchAdmin } from '../../support/tenants/workbenchAdmin.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { addServer } from '../../support/workbench/addServer.ts';
import { returnWorkbench, shareWorkbench } from '../../support/workbench/sharedWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

/*
 * The same day as in test/unit/features/security/tenantDay.test.ts, by menus, lists, dialogs, documents and pages of the
 * workbench.
 */

describe.each([
  ['the embedded server', false],
  ['a server of another release', true],
])('the day of a tenant in the workbench on %s', { timeout: 120_000 }, (_, isOther) => {
  let server: TestServer;
  let watched: WatchedServer;
  let workbench: Workbench;
  let admin: WorkbenchAdmin;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-tenant-'));
    server = await startServer({ allowOrigin: 'none', sample: true });
    watched = await watchServer(server.apiBase, isOther);
    workbench = await shareWorkbench({ theme: 'light', size: { width: 1400, height: 1300 } });
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.openContainer('Analytics');
    const url = new URL(watched.apiBase);
    await addServer(workbench, { url: url.origin, password: server.adminPassword });
    await workbench.treeItem('Public').first().waitFor();
    const colleagueChanges = colleagueAt(watched.apiBase, server.adminPassword);
    admin = new WorkbenchAdmin({ workbench, host: url.host, folder, colleagueChanges });
  });

  afterAll(async () => {
    await returnWorkbench(workbench);
    await watched.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(tenantSteps.map((step, index) => [index + 1, step.title, step] as const))(
    '%i: %s',
    async (at, _title, step) => {
      watched.writes.length = 0;
      const wanted = [...step.writes].sort();
      const written = () => [...new Set(watched.writes)].sort();
      const isDone = (shown: string) =>
        JSON.stringify(written()) === JSON.stringify(wanted) && (step.says?.test(shown) ?? true);
      const picture = `tenant-${isOther ? 'other' : 'own'}-${at}`;
      const shown = await admin.does(picture, () => step.run(admin), step, isDone);
      expect(written(), shown).toEqual(wanted);
      if (step.says) expect(shown).toMatch(step.says);
    },
  );
});
