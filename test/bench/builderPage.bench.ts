/**
 * The report builder in the real workbench, over the real extension host: from the last byte of the server's reply to the
 * field tree of 5,000 fields painted, from a key in its search to the rows that match painted, and from a key in a report of
 * 100 fields to the changed text of the document, and to its line painted in the JSON editor beside. Clocks of the pages, of
 * the extension host and of this process are the machine's. Needs `npm run build` and what the UI tests need.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Frame, Locator } from 'playwright-core';
import * as z from 'zod';
import { until } from '../support/until.ts';
import { waitFor } from '../support/waitFor.ts';
import { WorkbenchBuilder } from '../support/workbench/workbenchBuilder.ts';
import { handled, startFaultyServer } from '../support/webview/faultyServer.ts';
import { signIn } from '../support/webview/signIn.ts';
import { closeSharedBrowser } from '../support/vscodeHost/browser.ts';
import { openWorkbench, type Workbench } from '../support/workbench/workbench.ts';
import { largeReport, largeTree } from './builder/largeReport.ts';
import { firstRowPainted, keysSeen, lineSeen, searches, watchJson, watchKeys } from './builder/pageScripts.ts';
import { median } from './results/median.ts';
import { goal, percentile } from './server/goals.ts';

const openings = 5;
/** The builder and the bare page take turns, each with so many keys in a turn. */
const rounds = 3;
const keys = 15;
const field = 50;
/** From a key to the changed text, and to its line painted, in milliseconds. */
type KeyTimes = Record<'changed' | 'painted', number[]>;
const product = { ID: '3', Name: 'Shop', ModuleType: 'ANYDB' };
const place = { ModuleName: 'Shop', ReportType: 'Large type', ServerName: 'Main', OutputType: 1, folderid: 7 };
const definition = { ErrorCode: 0, ReportID: '1', ...largeReport(), ...place };
const tree = JSON.stringify(largeTree());
let repliedAt = 0;
/** Lets the tree go: the page has loaded by then and waits for it. */
let reply: () => void = () => undefined;

const server = await startFaultyServer([{ name: 'Large' }], {
  'Report/GetReport': () => definition,
  'App/GetApplicationList': () => [
    { service: product, RegisteredServers: [{ ID: '9', DisplayName: 'Main', DatabasePlatform: 'duckdb' }] },
  ],
  'RegServers/GetReportTree': async (_, response) => {
    await new Promise<void>((resolve) => (reply = resolve));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(tree, () => (repliedAt = performance.timeOrigin + performance.now()));
    return handled;
  },
  'Report/GetSQLFunctions': () => [{ name: 'ROUND', expression: 'ROUND(?, 2)' }],
  'Report/GetOutputTypes': () => [{ id: 1, name: 'Grid', uiclass: 'datagrid' }],
});
const scratch = await mkdtemp(path.join(tmpdir(), 'analytics-builder-bench-'));
const changesFile = path.join(scratch, 'changes');
const workbench = await openWorkbench({
  size: { width: 1800, height: 950 },
  settings: { 'files.autoSave': 'off' },
  companion: path.join(import.meta.dirname, 'builder', 'changeWatch'),
  env: { ANALYTICS_STUDIO_CHANGES: changesFile },
});
try {
  await signIn(workbench, server);
  const opened: number[] = [];
  let { builder, painted } = await open(workbench);
  for (let round = 0; round < openings; round++) {
    if (round > 0) {
      await close(workbench);
      ({ builder, painted } = await open(workbench));
    }
    opened.push(painted - repliedAt);
  }
  console.log(`tree of 5,000 fields: ${opened.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  goal('figure', 'builderPage.treeMs', median(opened), 300);
  const searched = await builder.frame.evaluate<Record<'drawn' | 'painted', number[]>>(searches(30));
  goal('figure', 'builderPage.filterDrawnMedianMs', median(searched.drawn), 50);
  goal('figure', 'builderPage.filterMedianMs', median(searched.painted), 50);
  goal('figure', 'builderPage.filterP95Ms', percentile(searched.painted, 95), 50);
  await showJsonBeside(workbench, builder.frame);
  await workbench.page.evaluate(watchJson(`Field${field}`));
  // In turn, as whatever comes second finds an editor that is warmed up.
  const times = { builder: noTimes(), bare: noTimes() };
  for (let round = 0; round < rounds; round++) {
    const before = 2 * round * keys;
    const { frame } = round === 0 ? builder : await showBuilder(workbench);
    const box = frame.getByRole('textbox', { name: `Name of field ${field + 1}`, exact: true });
    add(times.builder, await type(workbench, frame, box, before));
    const bare = await openBarePage(workbench);
    add(times.bare, await type(workbench, bare, bare.locator('#bare'), before + keys));
  }
  goal('figure', 'builderPage.keyToTextMedianMs', median(times.builder.changed), 30);
  goal('figure', 'builderPage.keyToTextP95Ms', percentile(times.builder.changed, 95), 30);
  const beside = [median(times.builder.painted), percentile(times.builder.painted, 95)].map((ms) => ms.toFixed(1));
  console.log(`painted in the JSON editor beside: median ${beside[0]} ms, 95th percentile ${beside[1]} ms`);
  const middle = median(times.bare.changed);
  console.log(
    `a page that does nothing but put letters into the same document: median ${middle.toFixed(1)} ms, 95th percentile ` +
      `${percentile(times.bare.changed, 95).toFixed(1)} ms; the builder takes ` +
      `${(median(times.builder.changed) / middle).toFixed(2)} of it`,
  );
} finally {
  await workbench.stop();
  await closeSharedBrowser();
  await server.close();
  await rm(scratch, { recursive: true, force: true });
}

/** Opens the report; when the tree was painted, by the machine's clock. */
async function open(window: Workbench): Promise<{ builder: WorkbenchBuilder; painted: number }> {
  await window.treeAction('Large', 'Open in Report Builder');
  const frame = await waitFor('the page', async () => (await WorkbenchBuilder.allShown(window))[0]);
  await frame.locator('.tree-pane .pane-note').first().waitFor();
  await frame.evaluate(firstRowPainted);
  reply();
  const painted = await waitFor('the tree', () => frame.evaluate<number | undefined>('window.firstRowPainted'));
  return { builder: await WorkbenchBuilder.inFront(window), painted };
}

async function close(window: Workbench): Promise<void> {
  const isClosed = async () => (await WorkbenchBuilder.allShown(window)).length === 0;
  await until('the builder to close', isClosed, () => window.palette('View: Close All Editors'), { tryFor: 5_000 });
}

/** When the document said so many letters behind a field's name; undefined before. */
function changedAt(count: number): number | undefined {
  const lines = readFileSync(changesFile, 'utf8').split('\n').slice(0, -1);
  const changes = lines.map((line) => z.tuple([z.number()], z.string()).parse(JSON.parse(line)));
  const name = `"DisplayFieldName": "Field${field}${'x'.repeat(count)}"`;
  return changes.find(([, ...texts]) => texts.some((text) => text.includes(name)))?.[0];
}

/**
 * Types into a box with the JSON beside it: from each key to the changed text and to its line painted, in milliseconds.
 * @param before how many letters stand behind the field's name already.
 */
async function type({ page }: Workbench, frame: Frame, box: Locator, before: number): Promise<KeyTimes> {
  await frame.evaluate(watchKeys);
  await box.click();
  await box.press('End');
  writeFileSync(changesFile, '');
  const times = noTimes();
  for (let count = before + 1; count <= before + keys; count++) {
    // A fast typist's pause: what the key before has set off is drawn by then.
    await setTimeout(100);
    await page.keyboard.press('x');
    const seen = await waitFor('the JSON to follow', () => page.evaluate<number | undefined>(lineSeen(count)));
    const pressed = await frame.evaluate<number[]>(keysSeen);
    const changed = await waitFor('the change to be written down', async () => changedAt(count));
    times.painted.push(seen - (pressed.at(-1) ?? 0));
    times.changed.push(changed - (pressed.at(-1) ?? 0));
  }
  // The first keys wake up what was idle.
  return { changed: times.changed.slice(3), painted: times.painted.slice(3) };
}

function noTimes(): KeyTimes {
  return { changed: [], painted: [] };
}

function add(all: KeyTimes, { changed, painted }: KeyTimes): void {
  all.changed.push(...changed);
  all.painted.push(...painted);
}

async function showJsonBeside(window: Workbench, left: Frame): Promise<void> {
  await window.palette('View: Split Editor Right');
  const right = await waitFor('the second builder', async () => {
    return (await WorkbenchBuilder.allShown(window)).find((shown) => shown !== left);
  });
  await right.getByRole('button', { name: 'Open as JSON' }).click();
  await window.page.locator('.monaco-editor .view-line').first().waitFor();
  const find = window.page.locator('.find-widget.visible').getByRole('textbox', { name: 'Find' });
  await until(
    'the find box',
    () => find.isVisible(),
    async () => {
      await window.page.locator('.monaco-editor .view-lines').first().click({ timeout: 2_000 });
      await window.page.keyboard.press('Control+f');
    },
  );
  await find.fill(`"DisplayFieldName": "Field${field}"`);
  await window.page.keyboard.press('Enter');
  await window.page
    .locator('.monaco-editor .view-line', { hasText: `"Field${field}"` })
    .first()
    .waitFor();
}

/** In place of the bare page. */
async function showBuilder(window: Workbench): Promise<WorkbenchBuilder> {
  await window.page.locator('.editor-group-container').first().locator('.tab', { hasText: 'Bare page' }).click();
  await window.palette('View: Close Editor');
  return WorkbenchBuilder.inFront(window);
}

/** In place of the builder, the JSON stays beside it. */
async function openBarePage(window: Workbench): Promise<Frame> {
  await window.palette('Bench: Type on a Bare Page');
  return waitFor('the bare page', async () => {
    for (const frame of window.page.frames()) {
      if (!frame.isDetached() && (await frame.locator('#bare').count()) > 0) return frame;
    }
    return undefined;
  });
}
