import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runToEnd, startProcess } from '../processes/processes.ts';
import { runMain } from './runMain.ts';
import { openBrowser } from '../vscodeHost/browser.ts';
import { addExtension, hostFolders, settingsFile, writeSettings, type HostFolders } from '../vscodeHost/hostFolders.ts';
import { startFront, type HostServer } from '../vscodeHost/hostServer.ts';
import { cacheFolder, projectRoot } from '../vscodeHost/paths.ts';
import { findProgram } from '../vscodeHost/systemTools.ts';
import { Workbench } from '../workbench/workbench.ts';

/*
 * `npm start [-- --port N] [-- --check]`: builds the extension and opens VS Code with it, the local server running and
 * signed in. Desktop VS Code where `code` is on the PATH, else the browser host on an address that it prints.
 * ANALYTICS_STUDIO_VSCODE=browser or =PATH chooses. --check opens the page itself in
 * two browsers, waits for the library in each and ends.
 */

/** Tells the extension to start the local server, sign in to it and unfold its library. */
const welcome = { ANALYTICS_STUDIO_WELCOME: 'local' };

/** A stable address keeps what the browser remembers: saved servers and their secrets. */
const usualPort = 8123;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { port: { type: 'string' }, check: { type: 'boolean', default: false } } });
  await runToEnd(process.execPath, ['esbuild.js'], { cwd: projectRoot });
  const code = desktopCode();
  if (code && !values.check) return openDesktop(code);
  return openBrowserHost(await choosePort(values.port), values.check);
}

/** The program that opens desktop VS Code; undefined when the browser host is to be used. */
function desktopCode(): string | undefined {
  const choice = process.env.ANALYTICS_STUDIO_VSCODE;
  if (choice === 'browser') return undefined;
  const program = choice && choice !== 'desktop' ? choice : 'code';
  const found = findProgram([program]);
  if (choice && !found) throw new Error(`ANALYTICS_STUDIO_VSCODE asks for ${program}, which is not on the PATH.`);
  return found;
}

async function openDesktop(code: string): Promise<number> {
  const root = path.join(cacheFolder, 'desktop');
  const folders = hostFolders(root);
  await writeFirstSettings(folders);
  console.log('VS Code opens. Close its window to end.');
  const args = ['--wait', '--new-window', '--disable-workspace-trust', `--extensionDevelopmentPath=${projectRoot}`];
  const own = ['--user-data-dir', folders.data, '--extensions-dir', folders.extensions];
  const env = { ...process.env, ...welcome };
  const window = await startProcess(code, [...args, ...own, await makeWorkspace(root)], { env });
  return window.exited;
}

async function openBrowserHost(port: number, isCheck: boolean): Promise<number> {
  const root = isCheck
    ? await mkdtemp(path.join(tmpdir(), 'analytics-studio-start-'))
    : path.join(cacheFolder, 'start');
  const folders = hostFolders(root);
  await writeFirstSettings(folders);
  await rm(folders.extensions, { recursive: true, force: true });
  await addExtension({ folder: projectRoot }, folders);
  const server = await startFront(folders, port, welcome, await makeWorkspace(root));
  const address = `http://${server.authority}/`;
  console.log(`Analytics Studio is open at\n\n${address}\n\nCtrl+C ends it.`);
  if (!isCheck) return server.exited;
  try {
    // The second visit is another browser's, which has none of the first one's secrets.
    for (let visit = 0; visit < 2; visit += 1) await checkPage(server, address);
    console.log('The page answers, the extension is active and the library is unfolded, in a second browser too.');
    return 0;
  } finally {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  }
}

/** Quiet settings to begin with; afterwards they are the person's own. */
async function writeFirstSettings(folders: HostFolders): Promise<void> {
  if (!existsSync(settingsFile(folders))) await writeSettings(folders, {});
}

/** Opens the page as a person does and waits until the library of the local server is there. */
async function checkPage(server: HostServer, address: string): Promise<void> {
  const browser = await openBrowser();
  try {
    const workbench = new Workbench(await browser.newPage(), address, () => browser.close());
    await workbench.load();
    const unfolded = workbench.page.locator('[aria-expanded="true"]');
    await workbench.treeItem('Library').and(unfolded).waitFor({ timeout: 120_000 });
    await workbench.treeItem('Public').and(unfolded).waitFor();
  } catch (cause) {
    throw new Error(['The library did not appear.', ...server.lastLines].join('\n'), { cause });
  } finally {
    await browser.close();
  }
}

/** A folder for what a person saves and exports. */
async function makeWorkspace(root: string): Promise<string> {
  const folder = path.join(root, 'workspace');
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'README.md'),
    '# Your files\n\nOpen the Analytics view in the activity bar: the local server is running, its reports are in the library.\n' +
      'What you export or save as a file lands in this folder.\n',
  );
  return folder;
}

/** The wanted port, else the usual one, else any when that is taken. */
async function choosePort(wanted: string | undefined): Promise<number> {
  if (wanted !== undefined) return Number(wanted);
  const probe = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(usualPort, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return 0;
  probe.close();
  await once(probe, 'close');
  return usualPort;
}

await runMain(main);
