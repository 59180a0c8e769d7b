/** Scripts for the page of a results panel; they run in the webview, so they are text here. Times are in milliseconds. */

const helpers = `
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
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
  do await frame(); while (!isNew() || rows().every((row) => row.classList.contains('is-loading')));
  const firstMs = performance.now() - started;
  while (!(${isDone})) await frame();
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
    do await frame(); while (title().getAttribute('aria-sort') === before || !isWhole());
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
    do await frame(); while (footer() === before || !isWhole());
    return performance.now() - started;
  };
  const times = [];
  for (const text of ${JSON.stringify(texts)}) {
    times.push(await type(text));
    await type('');
  }
  return times;
})()`;

/**
 * Shows a cell whole, by the key that does it, and closes it, \`count\` times: a question to the host that takes no work, until
 * its answer is drawn. What it takes is the editor's: nothing that asks the host is faster.
 */
export const openCell = (count: number) => `(async () => {
  ${helpers}
  const press = (key) =>
    document.querySelector('.grid').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const pane = () => document.querySelector('.cell-pane');
  document.querySelector('.grid').focus();
  press('ArrowDown');
  const times = [];
  while (times.length < ${count}) {
    const started = performance.now();
    press('F2');
    do await frame(); while (pane() === null);
    times.push(performance.now() - started);
    pane().dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    do await frame(); while (pane() !== null);
  }
  return times;
})()`;
