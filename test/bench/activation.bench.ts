/**
 * What starting the extension costs in a real VS Code: the milliseconds that "Show Running Extensions" shows (loading the code
 * and running `activate`), the median of several starts with empty data folders, and the kilobytes of JavaScript that
 * activation loads: the entry and every chunk that it imports statically.
 *
 * The editor's figure also counts what else its extension host does meanwhile, such as loading its own extensions. How much
 * that is shows an extension that does nothing, started by the same event beside ours.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../support/vscodeHost/paths.ts';
import { loadedBytes } from '../support/large/loadedBytes.ts';
import { closeSharedBrowser } from '../support/vscodeHost/browser.ts';
import { openWorkbench, type Workbench } from '../support/workbench/workbench.ts';
import { median } from './results/median.ts';

const starts = 5;

const idleName = 'Does Nothing';

/** A folder with an extension that only starts. */
async function idleExtension(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'analytics-studio-idle-'));
  const manifest = {
    ...{ name: 'idle', displayName: idleName, publisher: 'analytics-studio-bench', version: '1.0.0' },
    ...{ engines: { vscode: '^1.100.0' }, main: './main.mjs', activationEvents: ['onStartupFinished'] },
  };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'main.mjs'), "import 'vscode';\nexport const activate = () => undefined;\n");
  return folder;
}

async function shownMs(workbench: Workbench, extension: string): Promise<number> {
  const row = workbench.page.locator('.runtime-extensions-editor .extension', { hasText: extension });
  const shown = row.getByText(/Activation: \d+ms/).first();
  await shown.waitFor();
  return Number(/\d+/.exec(await shown.innerText())?.[0]);
}

/** One start: ours, and the extension that does nothing. */
async function activationMs(companion: string): Promise<{ ours: number; idle: number }> {
  const workbench = await openWorkbench({ companion });
  try {
    await workbench.palette('Developer: Show Running Extensions');
    return { ours: await shownMs(workbench, 'Analytics Studio'), idle: await shownMs(workbench, idleName) };
  } finally {
    await workbench.stop();
  }
}

const entry = path.join(projectRoot, 'dist', 'extension.js');
const companion = await idleExtension();
const readings: { ours: number; idle: number }[] = [];
try {
  for (let start = 0; start < starts; start += 1) readings.push(await activationMs(companion));
} finally {
  await closeSharedBrowser();
  await rm(companion, { recursive: true });
}
const ours = readings.map((reading) => reading.ours);
const idle = readings.map((reading) => reading.idle);
console.log(`activation in ms, each start: ${ours.join(', ')}; of an extension that does nothing: ${idle.join(', ')}`);
console.log(`ratio activation.ms ${median(ours)} goal 60`);
console.log(`figure activation.idle.ms ${median(idle)}`);
console.log(`ratio activation.kilobytes ${((await loadedBytes(entry)) / 1024).toFixed(0)} goal 160`);
