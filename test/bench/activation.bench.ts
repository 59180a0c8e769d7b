/**
 * What starting the extension costs in a real VS Code: the milliseconds that "Show Running Extensions" shows (loading the code
 * and running `activate`), the median of several starts with empty data folders, and the kilobytes of JavaScript that
 * activation loads: the entry and every chunk that it imports statically.
 */
import path from 'node:path';
import { projectRoot } from '../support/vscodeHost/paths.ts';
import { loadedBytes } from '../support/loadedBytes.ts';
import { openWorkbench } from '../support/workbench.ts';
import { median } from './results/median.ts';

const starts = 5;

async function activationMs(): Promise<number> {
  const workbench = await openWorkbench();
  try {
    await workbench.palette('Developer: Show Running Extensions');
    const row = workbench.page.locator('.runtime-extensions-editor .extension', { hasText: 'Analytics Studio' });
    const shown = row.getByText(/Activation: \d+ms/);
    await shown.first().waitFor();
    return Number(/\d+/.exec(await shown.first().innerText())?.[0]);
  } finally {
    await workbench.stop();
  }
}

const entry = path.join(projectRoot, 'dist', 'extension.mjs');
const readings: number[] = [];
for (let start = 0; start < starts; start += 1) readings.push(await activationMs());
console.log(`activation in ms, each start: ${readings.join(', ')}`);
console.log(`ratio activation.ms ${median(readings)} goal 60`);
console.log(`ratio activation.kilobytes ${((await loadedBytes(entry)) / 1024).toFixed(0)} goal 400`);
