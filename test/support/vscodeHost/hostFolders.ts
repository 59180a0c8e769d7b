import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { runToEnd } from '../processes/processes.ts';
import { hostEnvironment } from './hostEnvironment.ts';
import { ensureHost } from './installHost.ts';
import { serverEntry } from './paths.ts';

/** An extension to run: a built folder, used in place, or a packed VSIX. Absolute paths. */
export type ExtensionSource = { folder: string } | { vsix: string };

/** Where one VS Code keeps its state; everything of it lies below one folder. */
export interface HostFolders {
  /** User data: settings, state, logs. */
  readonly data: string;
  /** Data of the server side. */
  readonly server: string;
  /** Installed extensions. */
  readonly extensions: string;
}

/** The folders of a VS Code whose state lies below this one. */
export const hostFolders = (root: string): HostFolders => ({
  data: path.join(root, 'data'),
  server: path.join(root, 'server'),
  extensions: path.join(root, 'extensions'),
});

const manifestSchema = z.object({ publisher: z.string(), name: z.string(), version: z.string(), main: z.string() });

/**
 * Puts an extension into a VS Code that is not running.
 * A folder is linked, not copied: what is built there is what runs, after a reload of the window too.
 * @throws Error when the folder is not built or the VSIX is refused.
 */
export async function addExtension(source: ExtensionSource, folders: HostFolders): Promise<void> {
  await mkdir(folders.extensions, { recursive: true });
  if ('vsix' in source) await installVsix(source.vsix, folders);
  else await linkFolder(source.folder, folders.extensions);
}

/** The file of the user settings. */
export const settingsFile = (folders: HostFolders): string => path.join(folders.data, 'User', 'settings.json');

/** Writes the user settings that a VS Code starts with. */
export async function writeSettings(folders: HostFolders, settings: Record<string, unknown>): Promise<void> {
  const file = settingsFile(folders);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ ...quietSettings, ...settings }, null, 2));
}

/** No greeting, no tips, no updates and no questions: pages look the same on every run. */
const quietSettings = {
  // The editor in a browser saves by itself unless told otherwise; on a desktop it does not.
  'files.autoSave': 'off',
  // A page that takes the focus when it has loaded, as nobody's hand does, would close the list that a test looks at.
  'workbench.quickOpen.closeOnFocusLost': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'typescript.disableAutomaticTypeAcquisition': true,
};

/** Reads the manifest of an extension's folder. @throws Error when its main file is not built. */
export async function requireBuilt(folder: string): Promise<z.infer<typeof manifestSchema>> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')));
  if (existsSync(path.join(folder, manifest.main))) return manifest;
  throw new Error(`${manifest.name} is not built: ${manifest.main} is missing. Run \`npm run build\` first.`);
}

async function linkFolder(folder: string, extensionsFolder: string): Promise<void> {
  const { publisher, name, version } = await requireBuilt(folder);
  await symlink(folder, path.join(extensionsFolder, `${publisher}.${name}-${version}`), 'dir');
}

async function installVsix(vsix: string, folders: HostFolders): Promise<void> {
  await ensureHost();
  const where = ['--user-data-dir', folders.data, '--server-data-dir', folders.server];
  const what = ['--extensions-dir', folders.extensions, '--install-extension', vsix];
  await runToEnd(process.execPath, [serverEntry, ...where, ...what, '--accept-server-license-terms'], {
    env: hostEnvironment(),
    onLine: () => undefined,
  });
}
