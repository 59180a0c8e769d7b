/** Scripts for the page of a results panel; they run in the webview, so they are text here. Times are in milliseconds. */
import { drawing } from '../panel/drawing.ts';

const helpers = `
  ${drawing}
  const rows = () => [...document.querySelectorAll('.grid-row:not([hidden])')];
  const isWhole = () =>
    document.querySelector('.grid').ariaBusy !== 'true' && rows().length > 0 && rows().every((row) => !row.classList.contains('is-loading'));
  const footer = () => document.querySelector('.footer-run').textContent;
`;

/** Runs again: from the click to the first rows in a new grid, and to when `isDone`, an expression, holds. */
export const runAgain = (isDone: string) => `(async () => {
  ${helpers}
  const before = document.querySelector('.grid');
  const button = [...document.querySelectorAll('button')].find((each) => each.textContent.trim() === 'Run Again');
  const started = performance.now();
  button.click();
  const isNew = () => ![null, before].includes(document.querySelector('.grid'));
  await drawn(() => isNew() && !rows().every((row) => row.classList.contains('is-loading')));
  const firstMs = performance.now() - started;
  await drawn(() => ${isDone});
  return { firstMs, lastMs: performance.now() - started };
})()`;

/** Sorts by a column, \`count\` times, by the key that does it: until the rows in their new order are drawn. */
export const sortBy = (name: string, count: number) => `(async () => {
  ${helpers}
  const grid = document.querySelector('.grid');
  const title = () => document.querySelector('[role="columnheader"][aria-colindex="' + index + '"]');
  const press = (key, more) => grid.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));
  let index = 2;
  const isThere = () => title()?.querySelector('.grid-title-text')?.textContent === ${JSON.stringify(name)};
  grid.focus();
  press('Home', { ctrlKey: true });
  press('ArrowUp');
  // Titles are there in view only: the keys bring the others there.
  for (await frame(); !isThere(); index++) {
    if (title() === null) throw new Error('there is no column ${name}');
    press('ArrowRight');
    await frame();
  }
  const times = [];
  while (times.length < ${count}) {
    const before = title().getAttribute('aria-sort');
    const started = performance.now();
    press('Enter');
    await drawn(() => title().getAttribute('aria-sort') !== before && isWhole());
    if (title().getAttribute('aria-sort') !== 'none') times.push(performance.now() - started);
  }
  return times;
})()`;

/** Finds texts in all columns, one after the other: from the last key until the rows found are drawn. */
export const find = (texts: readonly string[]) => `(async () => {
  ${helpers}
  const box = document.querySelector('.search .input');
  const type = async (text) => {
    const before = footer();
    const started = performance.now();
    box.value = text;
    box.dispatchEvent(new Event('input', { bubbles: true }));
    await drawn(() => footer() !== before && isWhole());
    return performance.now() - started;
  };
  const times = [];
  for (const text of ${JSON.stringify(texts)}) {
    times.push(await type(text));
    await type('');
  }
  return times;
})()`;

/** On the bare page: asks for other cells, `count` times, until they are drawn. What it takes is the editor's. */
export const askBare = (count: number) => `(async () => {
  ${drawing}
  const table = document.getElementById('bare');
  const times = [];
  while (times.length < ${count}) {
    const before = table.dataset.answer;
    const started = performance.now();
    window.ask(times.length);
    await drawn(() => table.dataset.answer !== before);
    times.push(performance.now() - started);
  }
  return times;
})()`;

/** On the bare page: writes all cells anew in each of \`count\` frames: how long frames took. */
export const drawBare = (count: number) => `(async () => {
  ${drawing}
  await frame();
  const times = [];
  let last = performance.now();
  while (times.length < ${count}) {
    window.draw(times.length);
    await frame();
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times;
})()`;
