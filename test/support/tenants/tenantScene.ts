import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '../server.ts';
import { Colleague } from '../workbench/documentScene.ts';
import { addServer } from '../workbench/addServer.ts';
import { returnWorkbench, shareWorkbench } from '../workbench/sharedWorkbench.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { colleagueAt } from './colleagueAt.ts';
import { watchServer, type WatchedServer } from './watchedServer.ts';
import { WorkbenchAdmin } from './workbenchAdmin.ts';

/** A workbench signed in as admin to a server with the sample, whose writes are watched. */
export interface TenantScene {
  workbench: Workbench;
  watched: WatchedServer;
  admin: WorkbenchAdmin;
  /** The sample's other administrator, who is not watched. */
  colleague: Colleague;
  /** For files that are chosen. */
  folder: string;
  stop(): Promise<void>;
}

/** @param isOther whether the server speaks as another release. */
export async function openTenantScene(isOther: boolean): Promise<TenantScene> {
  const folder = await mkdtemp(path.join(tmpdir(), 'analytics-tenant-'));
  const server = await startServer({ allowOrigin: 'none', sample: true });
  const watched = await watchServer(server.apiBase, isOther);
  const workbench = await shareWorkbench({ theme: 'light', size: { width: 1400, height: 1300 } });
  await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await workbench.openContainer('Analytics');
  const { origin, host } = new URL(watched.apiBase);
  await addServer(workbench, { url: origin, password: server.adminPassword });
  await workbench.treeItem('Public').first().waitFor({ timeout: 60_000 });
  const colleagueChanges = colleagueAt(watched.apiBase, server.adminPassword);
  return {
    ...{ workbench, watched, folder },
    colleague: new Colleague(await server.login('sample.admin', server.adminPassword)),
    admin: new WorkbenchAdmin({ workbench, host, folder, colleagueChanges }),
    stop: async () => {
      await returnWorkbench(workbench);
      await watched.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
