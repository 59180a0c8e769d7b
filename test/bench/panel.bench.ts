/**
 * The results page as it is shipped, in Chromium, over a store in this process: scrolling, jumping, sorting and finding, beside
 * the same in SlickGrid over the same rows; 100,000 points of a chart; and what a panel takes of the page's memory. The line between the two is not the editor's; what it costs stands in
 * the tests of the real workbench. Without `npm run build` it measures what was built before.
 */
import type { Page } from 'playwright-core';
import { readResult } from '../../src/client/results/readResult.ts';
import type { ResultStore } from '../../src/client/results/resultStore.ts';
import { startPageServer } from '../support/pages/pageServer.ts';
import { openBrowser } from '../support/vscodeHost/browser.ts';
import { openPanel } from './panel/panelHost.ts';
import { chart, jumps, lastRow, scroll } from './panel/pageScripts.ts';
import { openSlickGrid, slickFind, slickJumps, slickScroll, slickSort } from './panel/slickGrid.ts';
import { median } from './results/median.ts';
import { sampleReply } from './results/sampleReply.ts';
import { goal, percentile } from './server/goals.ts';
import { find, sortBy } from './workbench/panelScripts.ts';

const usualRows = 500_000;
const manyRows = 5_000_000;
const points = 100_000;
const looked = ['den', 'hou', 'bos', 'dal'];

interface Frames {
  times: number[];
}

/** Rows of two columns, as many as a result may have. */
async function* longReply(rowCount: number): AsyncGenerator<Uint8Array> {
  const columns = ['Id', 'City'].map((key) => ({ key, headerText: key }));
  yield Buffer.from(`{"HasError":false,"Columns":${JSON.stringify(columns)},"Data":[`);
  for (let start = 0; start < rowCount; start += 10_000) {
    const rows = Array.from({ length: 10_000 }, (_, i) => `{"Id":${start + i},"City":"City ${(start + i) % 997}"}`);
    yield Buffer.from((start === 0 ? '' : ',') + rows.join(','));
  }
  yield Buffer.from(']}');
}

async function* usualReply(): AsyncGenerator<Uint8Array> {
  yield* sampleReply(usualRows);
}

async function storeOf(reply: AsyncIterable<Uint8Array>): Promise<ResultStore> {
  const { store, done } = readResult(reply);
  const outcome = await done;
  if (outcome.kind !== 'complete') throw new Error(`the sample was not read: ${outcome.kind}`);
  return store;
}

/** Bytes of live JavaScript objects in a page. */
async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

function tellFrames(name: string, { times }: Frames): void {
  goal('figure', `panel.${name}P95Ms`, percentile(times, 95), 20);
  goal('figure', `panel.${name}FramesOver50`, times.filter((time) => time > 50).length, 0);
}

/** A figure that the other grid has a line for, too. */
function tellBeside(name: string, value: number, grid = 'ours'): void {
  console.log(`${grid} ${name} ${value.toFixed(1)}`);
}

/** The peer on the same rows, in the same run. */
async function measureSlickGrid(store: ResultStore): Promise<void> {
  const tell = (name: string, value: number) => tellBeside(name, value, 'SlickGrid');
  const page = await openSlickGrid(browser, store);
  await page.evaluate(slickScroll(60, 400));
  const { times, blank } = await page.evaluate<Frames & { blank: number }>(slickScroll(600, 400));
  tell('scrollP95Ms', percentile(times, 95));
  tell('scrollFramesOver50', times.filter((time) => time > 50).length);
  tell('blank', blank);
  tell('jump500kP95Ms', percentile(await page.evaluate<number[]>(slickJumps(100)), 95));
  tell('heapMB', (await heapBytes(page)) / 1e6);
  const delay = store.columns.findIndex(({ key }) => key === 'DelayMinutes');
  tell('sortMs', median(await page.evaluate<number[]>(slickSort(delay, 6))));
  tell('findMs', median(await page.evaluate<number[]>(slickFind(looked))));
  await page.close();
}

const pages = await startPageServer();
const browser = await openBrowser();
try {
  const store = await storeOf(usualReply());
  const page = await openPanel(browser, pages, store);
  const before = await heapBytes(page);
  // The first frames bring the machine up to speed.
  await page.evaluate(scroll(60, 400));
  const scrolled = await page.evaluate<Frames & { blank: number }>(scroll(600, 400));
  tellFrames('scroll', scrolled);
  goal('ratio', 'panel.blank', scrolled.blank, 0.02);
  goal('figure', 'panel.jump500kP95Ms', percentile(await page.evaluate<number[]>(jumps(100)), 95), 50);
  goal('figure', 'panel.heapGrowthMB', ((await heapBytes(page)) - before) / 1e6, 10);
  tellBeside('heapMB', (await heapBytes(page)) / 1e6);
  tellBeside('sortMs', median(await page.evaluate<number[]>(sortBy('DelayMinutes', 6))));
  tellBeside('findMs', median(await page.evaluate<number[]>(find(looked))));
  const drawn = await page.evaluate<Frames & { drawMs: number }>(chart(points, `${pages.origin}/charts.js`));
  console.log(`${points} points of a line: ${drawn.drawMs.toFixed(0)} ms until painted`);
  tellFrames('chart', drawn);
  const further = await openPanel(browser, pages, store);
  goal('figure', 'panel.furtherPanelMB', (await heapBytes(further)) / 1e6, 10);
  await further.close();
  await page.close();
  await measureSlickGrid(store);

  const many = await storeOf(longReply(manyRows));
  const long = await openPanel(browser, pages, many);
  goal('figure', 'panel.lastRow', await long.evaluate<number>(lastRow), manyRows, true);
  goal('figure', 'panel.jump5MP95Ms', percentile(await long.evaluate<number[]>(jumps(100)), 95), 50);
} finally {
  await browser.close();
  pages.stop();
}
