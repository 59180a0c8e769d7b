import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { runToEnd } from '../processes/processes.ts';

/** A program that the browser host needs, the names it goes by and the Debian packages that bring it. */
interface SystemTool {
  label: string;
  programs: readonly string[];
  debianPackages: readonly string[];
}

const compilers: readonly SystemTool[] = [
  { label: 'Python 3', programs: ['python3'], debianPackages: ['python3'] },
  { label: 'make', programs: ['make'], debianPackages: ['make'] },
  { label: 'a C++ compiler', programs: ['g++', 'c++', 'clang++'], debianPackages: ['g++'] },
];

const chromium: SystemTool = {
  label: 'Chromium or Chrome',
  programs: [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chrome',
    'microsoft-edge',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  debianPackages: ['chromium', 'fonts-liberation'],
};
/** Debian's Chromium without windows, which needs a sixth less of the processors. */
const headlessShell = 'chromium-headless-shell';

/** Makes sure that native modules can be built. @throws Error that names what is missing and how to install it. */
export async function ensureCompilers(): Promise<void> {
  await ensureTools(compilers);
}

/**
 * Makes sure that there is a Chromium and returns its path: the one of `ANALYTICS_STUDIO_CHROMIUM`, else the first found, where no
 * window is wanted the one without windows.
 * @throws Error that says what to install or which variable to correct.
 */
export async function ensureChromium(): Promise<string> {
  const chosen = process.env.ANALYTICS_STUDIO_CHROMIUM;
  if (chosen) {
    if (!isExecutable(chosen)) throw new Error(`ANALYTICS_STUDIO_CHROMIUM names no program: ${chosen}`);
    return chosen;
  }
  const shell = process.env.ANALYTICS_STUDIO_HEADED ? undefined : findProgram([headlessShell]);
  if (shell) return shell;
  await ensureTools([chromium]);
  const found = findProgram(chromium.programs);
  if (!found)
    throw new Error('Chromium was installed but is not on the PATH. Set ANALYTICS_STUDIO_CHROMIUM to its path.');
  return found;
}

/** The full path of the first of these programs that the PATH has. Absolute names are looked at as they are. */
export function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  return names
    .flatMap((name) => (path.isAbsolute(name) ? [name] : folders.map((folder) => path.join(folder, name))))
    .flatMap((file) => endings.map((ending) => file + ending))
    .find(isExecutable);
}

async function ensureTools(tools: readonly SystemTool[]): Promise<void> {
  const missing = tools.filter((tool) => !findProgram(tool.programs));
  if (missing.length === 0) return;
  const packages = missing.flatMap((tool) => tool.debianPackages);
  const aptGet = findProgram(['apt-get']);
  if (!aptGet || process.getuid?.() !== 0) throw new Error(missingMessage(missing, packages));
  console.log(`Installing ${packages.join(', ')} with apt-get…`);
  const quietly = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, onLine: () => undefined };
  await runToEnd(aptGet, ['update', '-q'], quietly);
  await runToEnd(aptGet, ['install', '-y', '-q', '--no-install-recommends', ...packages], quietly);
  const stillMissing = missing.filter((tool) => !findProgram(tool.programs));
  if (stillMissing.length > 0) throw new Error(missingMessage(stillMissing, packages));
}

function missingMessage(missing: readonly SystemTool[], packages: readonly string[]): string {
  return [
    `Missing: ${missing.map((tool) => tool.label).join(', ')}.`,
    `On Debian or Ubuntu: sudo apt-get install ${packages.join(' ')}`,
    'On macOS: xcode-select --install, and Google Chrome.',
    'A browser elsewhere: set ANALYTICS_STUDIO_CHROMIUM to its path. Desktop VS Code instead: ANALYTICS_STUDIO_VSCODE=desktop.',
  ].join('\n');
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
