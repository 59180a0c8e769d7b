import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Browser, Page } from 'playwright-core';
import type { ResultStore } from '../../../src/client/results/resultStore.ts';
import { projectRoot } from '../../support/vscodeHost/paths.ts';
import { drawing } from './drawing.ts';
import { jumps, scroll } from './pageScripts.ts';

const folder = path.join(projectRoot, 'node_modules', 'slickgrid', 'dist');
const scripts = [
  path.join(projectRoot, 'node_modules', 'sortablejs', 'Sortable.min.js'),
  ...['core', 'interactions', 'grid'].map((name) => path.join(folder, 'browser', `slick.${name}.js`)),
];
const rowsAtOnce = 5_000;

/** Rows of a store as JSON: arrays of the values as they came. */
function* rowsJson(store: ResultStore): Generator<string> {
  for (let start = 0; start < store.rowCount; start += rowsAtOnce) {
    const rows = JSON.stringify(store.window(start, start + rowsAtOnce));
    yield (start === 0 ? '[' : ',') + rows.slice(1, -1);
  }
  yield ']';
}

/**
 * The same rows in SlickGrid, the grid of other database extensions, in a page of its own and of the same size, as it comes: all
 * rows lie in the page, so it waits for none.
 */
export async function openSlickGrid(browser: Browser, store: ResultStore): Promise<Page> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    Readable.from(rowsJson(store)).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    await page.setContent('<div id="grid" style="position: absolute; inset: 0"></div>');
    await page.addStyleTag({ path: path.join(folder, 'styles', 'css', 'slick.grid.css') });
    await page.addStyleTag({ path: path.join(folder, 'styles', 'css', 'slick-default-theme.css') });
    for (const file of scripts) await page.addScriptTag({ path: file });
    const titles = store.columns.map(({ header }) => header);
    await page.evaluate(`(async () => {
      const rows = await (await fetch('http://127.0.0.1:${port}/')).json();
      const columns = ${JSON.stringify(titles)}.map((name, field) => ({ id: name, name, field, width: 120 }));
      window.slick = { rows, grid: new Slick.Grid('#grid', rows, columns, { rowHeight: 24, enableColumnReorder: false }) };
    })()`);
    await page.locator('.slick-row').first().waitFor();
    return page;
  } finally {
    server.close();
  }
}

const helpers = `
  ${drawing}
  const grid = document.querySelector('.slick-viewport-top.slick-viewport-left');
  const box = grid.getBoundingClientRect();
  const isRow = (share) =>
    document.elementFromPoint(box.left + 200, box.top + 4 + (box.height - 30) * share)?.closest('.slick-row') != null;
  const isBlank = () => !isRow(0) && !isRow(0.5) && !isRow(1);
  const isWhole = () => isRow(0) && isRow(0.5) && isRow(1);
`;

/** As {@link scroll}, in SlickGrid. */
export const slickScroll = (count: number, pixels: number) => scroll(count, pixels, helpers);

/** As {@link jumps}, in SlickGrid. */
export const slickJumps = (count: number) => jumps(count, helpers);

/** Sorts its rows by a column of numbers, there and back, until they are drawn. */
export const slickSort = (column: number, count: number) => `(async () => {
  ${helpers}
  const { rows, grid: slick } = window.slick;
  const times = [];
  for (let i = 0; i < ${count}; i++) {
    const sign = i % 2 === 0 ? 1 : -1;
    const started = performance.now();
    rows.sort((one, other) => sign * (one[${column}] - other[${column}]));
    slick.invalidate();
    await drawn(isWhole);
    times.push(performance.now() - started);
  }
  return times;
})()`;

/** Keeps the rows of which a text holds what is looked for, until they are drawn. */
export const slickFind = (texts: readonly string[]) => `(async () => {
  ${helpers}
  const { rows, grid: slick } = window.slick;
  const times = [];
  for (const text of ${JSON.stringify(texts)}) {
    const started = performance.now();
    const found = rows.filter((row) => row.some((cell) => String(cell).toLowerCase().includes(text)));
    slick.setData(found);
    slick.invalidate();
    await drawn(isWhole);
    times.push(performance.now() - started);
    slick.setData(rows);
    slick.invalidate();
    await frame();
  }
  return times;
})()`;
