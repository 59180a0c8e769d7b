/** Scripts for the page; they run in the browser, so they are text here. Times are in milliseconds. */
import { drawing } from './drawing.ts';

/** What scripts need to know of our grid; `scroll` and `jumps` take the same for another one. */
const helpers = `
  ${drawing}
  const grid = document.querySelector('.grid');
  const rows = () => [...document.querySelectorAll('.grid-row:not([hidden])')];
  const isBlank = () =>
    grid.classList.contains('is-waiting') || rows().every((row) => row.classList.contains('is-loading'));
  const isWhole = () => grid.ariaBusy !== 'true' && rows().length > 0 && rows().every((row) => !row.classList.contains('is-loading'));
`;

/** Scrolls \`count\` frames by \`pixels\` each: how long frames took, and in how many no row could be read. */
export const scroll = (count: number, pixels: number, setup = helpers) => `(async () => {
  ${setup}
  grid.scrollTop = 0;
  await frame();
  const times = [];
  let blank = 0;
  let last = performance.now();
  for (let i = 0; i < ${count}; i++) {
    grid.scrollTop += ${pixels};
    await frame();
    const now = performance.now();
    times.push(now - last);
    last = now;
    if (isBlank()) blank++;
  }
  return { times, blank: blank / ${count} };
})()`;

/** Jumps to \`count\` places all over the rows: from the jump until every row in view can be read and is drawn. */
export const jumps = (count: number, setup = helpers) => `(async () => {
  ${setup}
  const times = [];
  let seed = 2001;
  for (let i = 0; i < ${count}; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const started = performance.now();
    grid.scrollTop = (seed / 2 ** 32) * (grid.scrollHeight - grid.clientHeight);
    await drawn(isWhole);
    times.push(performance.now() - started);
  }
  return times;
})()`;

/** Scrolls to the end: number of the last row in view. */
export const lastRow = `(async () => {
  ${helpers}
  grid.scrollTop = grid.scrollHeight;
  await drawn(isWhole);
  return Math.max(...rows().map((row) => Number(row.dataset.row) + 1));
})()`;

/** Draws a line of \`points\` points: until it is painted, and the frames while the pointer moves over it. */
export const chart = (points: number, script: string) => `(async () => {
  ${helpers}
  const nonce = document.querySelector('script[nonce]').nonce;
  await new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, { nonce, src: ${JSON.stringify(script)}, onload: resolve, onerror: reject });
    document.head.append(script);
  });
  const place = document.createElement('div');
  place.style.cssText = 'position: fixed; inset: 0; z-index: 9';
  document.body.append(place);
  const values = Float64Array.from({ length: ${points} }, (_, i) => Math.sin(i / 700) * 100 + (i * 7919) % 31);
  const labels = Array.from(values, (_, i) => String(i));
  const format = { suffix: '', minDigits: 0, maxDigits: 2 };
  const figure = {
    kind: 'axes', category: { title: 'n', labels }, isSkyline: false, isStacked: false,
    series: [{ name: 'value', mark: 'line', axis: 0, format, values }],
  };
  const started = performance.now();
  const drawing = new window.analyticsCharts.ChartDrawing(place);
  drawing.show(figure, { locale: 'en', noData: '', label: 'Bench' });
  await frame();
  await frame();
  const drawMs = performance.now() - started;
  const canvas = place.querySelector('canvas');
  const times = [];
  let last = performance.now();
  for (let i = 0; i < 120; i++) {
    const at = { clientX: 100 + i * 8, clientY: 300, bubbles: true };
    canvas.parentElement.dispatchEvent(new MouseEvent('mousemove', at));
    await frame();
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  place.remove();
  return { drawMs, times };
})()`;
