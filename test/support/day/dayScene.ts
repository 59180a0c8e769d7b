import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCutProxy, type CutProxy } from '../faults/cutProxy.ts';
import { DocumentEditor } from '../workbench/documentEditor.ts';
import { Colleague } from '../workbench/documentScene.ts';
import { runToEnd } from '../processes/processes.ts';
import { startServer, type TestServer } from '../server.ts';
import { projectRoot } from '../vscodeHost/paths.ts';
import { openWorkbench, type Workbench } from '../workbench/workbench.ts';
import { startShop, type Shop } from './shop.ts';

/** Everything that a day's work needs: the packed extension in an editor of its own, and a server elsewhere. */
export interface DayScene {
  workbench: Workbench;
  editor: DocumentEditor;
  /** The server elsewhere, with the sample and the application Shop. */
  server: TestServer;
  proxy: CutProxy;
  /** Name of that server in the sidebar. */
  host: string;
  /** Its other administrator. */
  colleague: Colleague;
  shop: Shop;
  /** Id of the application Shop. */
  shopId: string;
  /** For files that the day brings forth. */
  folder: string;
  /** Starts the server elsewhere again after its end, on the data that it left. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Packs the extension as it is built, for every platform. @returns the VSIX. */
export async function packExtension(): Promise<string> {
  const script = path.join(projectRoot, '.ci', 'package', 'main.ts');
  await runToEnd(process.execPath, [script, 'universal'], { cwd: projectRoot, onLine: () => undefined });
  return path.join(projectRoot, 'dist', 'analytics-studio-universal.vsix');
}

/** Installs the packed extension into an empty editor, and starts what is to be there besides. */
export async function openDay(): Promise<DayScene> {
  const folder = await mkdtemp(path.join(tmpdir(), 'analytics-day-'));
  const data = { allowOrigin: 'none', sample: true, dataFolder: path.join(folder, 'elsewhere') };
  const [vsix, shop, server] = await Promise.all([packExtension(), startShop(), startServer(data)]);
  const proxy = await startCutProxy(server.url);
  const shopId = await shop.register(await server.login('admin', server.adminPassword));
  const workbench = await openWorkbench({
    extension: { vsix },
    theme: 'light',
    settings: { 'files.simpleDialog.enable': true },
    size: { width: 1500, height: 1050 },
  });
  const scene: DayScene = {
    ...{ workbench, server, proxy, shop, shopId, folder },
    editor: new DocumentEditor(workbench),
    host: new URL(proxy.url).host,
    colleague: new Colleague(await server.login('sample.admin', server.adminPassword)),
    restart: async () => {
      scene.server = await startServer(data);
      proxy.target = scene.server.url;
      scene.colleague = new Colleague(await scene.server.login('sample.admin', scene.server.adminPassword));
    },
    stop: async () => {
      await workbench.stop();
      await proxy.close();
      await scene.server.stop();
      await shop.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return scene;
}
