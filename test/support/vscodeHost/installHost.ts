import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runToEnd } from '../processes/processes.ts';
import { hostFolder, hostPackage, vscodeFolder } from './paths.ts';
import { ensureCompilers } from './systemTools.ts';

/** Native modules without which VS Code starts no extension; npm brings their sources only. */
const nativeModules = ['@vscode/spdlog', '@vscode/native-watchdog'];

/** What an installation was made for. Native modules fit one Node and one kind of machine. */
const stamp = JSON.stringify({
  host: `${hostPackage.name}@${hostPackage.version}`,
  node: process.versions.modules,
  machine: `${process.platform}-${process.arch}`,
});

/**
 * Installs the browser host once, from npm, into a folder that git ignores: about 600 MB and half a minute.
 * @throws Error that names the missing tool or the step that failed.
 */
export async function ensureHost(): Promise<void> {
  if (await isInstalled(hostFolder)) return;
  if (process.platform === 'win32')
    throw new Error(
      'The browser host needs Linux or macOS. Set ANALYTICS_STUDIO_VSCODE=desktop to use desktop VS Code.',
    );
  if (Number(process.versions.node.split('.')[0]) < 24)
    throw new Error(
      `The browser host needs Node 24, this is ${process.version}. Start through npm, which brings Node 24.`,
    );
  await ensureCompilers();
  // Installed aside and then moved, so that a half-finished or a simultaneous installation does no harm.
  const staging = `${hostFolder}-${process.pid}`;
  try {
    await installInto(staging);
    if (await isInstalled(hostFolder)) return;
    await rm(hostFolder, { recursive: true, force: true });
    await rename(staging, hostFolder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  console.log('VS Code is installed.');
}

async function installInto(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const vscode = vscodeFolder(folder);
  console.log(`Installing VS Code (${hostPackage.name} ${hostPackage.version}) from npm…`);
  await npm(folder, ['install', `${hostPackage.name}@${hostPackage.version}`, '--save-exact', '--ignore-scripts']);
  console.log('Installing the modules of VS Code…');
  await npm(vscode, ['install', '--omit=dev', '--ignore-scripts']);
  console.log(`Building ${nativeModules.join(' and ')}…`);
  await npm(vscode, ['rebuild', ...nativeModules], await nodeHeaders());
  for (const name of nativeModules) {
    const built = path.join(vscode, 'node_modules', name, 'build', 'Release');
    if (!existsSync(built)) throw new Error(`npm rebuild left no ${name}: ${built} does not exist.`);
  }
  await writeFile(markerOf(folder), stamp);
}

/** Runs npm with our own Node, so that whatever it starts uses that Node too. */
async function npm(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const script = process.env.npm_execpath;
  const [command, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  await runToEnd(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      ...env,
    },
    onLine: () => undefined,
  });
}

/** Points node-gyp at the headers that our Node ships with, where it has them: then it downloads none. */
async function nodeHeaders(): Promise<NodeJS.ProcessEnv> {
  const home = path.dirname(path.dirname(await realpath(process.execPath)));
  return existsSync(path.join(home, 'include', 'node', 'node_api.h')) ? { npm_config_nodedir: home } : {};
}

async function isInstalled(folder: string): Promise<boolean> {
  try {
    return (await readFile(markerOf(folder), 'utf8')) === stamp;
  } catch {
    return false;
  }
}

const markerOf = (folder: string): string => path.join(folder, 'installed.json');
