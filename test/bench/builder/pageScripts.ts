/** Scripts for the pages that take part; they run in the browser, so they are text here. Times are of the machine's clock. */

const now = 'performance.timeOrigin + performance.now()';

/** In a builder that waits for its fields: when the first rows of the tree were painted. */
export const firstRowPainted = `
  new MutationObserver((_, observer) => {
    if (document.querySelector('.tree-row') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.firstRowPainted = ${now})));
  }).observe(document, { childList: true, subtree: true });
`;

/** Types \`count\` searches into the tree: from each to its rows in the page, and painted, in milliseconds. */
export const searches = (count: number) => `(async () => {
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const box = document.querySelector('.tree-search input');
  const words = ['f', 'fi', 'field', 'column_4', 'folder 7 field', 'table_9.column', 'nothing at all', ''];
  const times = { drawn: [], painted: [] };
  for (let at = 0; at < ${count}; at++) {
    const start = performance.now();
    box.value = words[at % words.length];
    box.dispatchEvent(new Event('input', { bubbles: true }));
    // The page draws in a microtask.
    await new Promise((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
    times.drawn.push(performance.now() - start);
    await painted();
    times.painted.push(performance.now() - start);
  }
  return times;
})()`;

/** In the builder: remembers when keys were pressed. */
export const watchKeys = `
  window.keysSeen = [];
  document.addEventListener('keydown', (event) => event.key === 'x' && window.keysSeen.push(${now}), true);
`;
export const keysSeen = 'window.keysSeen';

/** In the workbench: remembers when the line of a field first showed each number of letters typed behind its name. */
export const watchJson = (name: string) => `
  window.linesSeen = {};
  new MutationObserver(() => {
    const text = document.querySelector('.monaco-editor .view-lines')?.textContent ?? '';
    const typed = /"${name}(x+)"/.exec(text)?.[1].length;
    if (typed !== undefined) window.linesSeen[typed] ??= ${now};
  }).observe(document.querySelector('.monaco-editor .view-lines'), { childList: true, subtree: true, characterData: true });
`;

/** When \`count\` letters were first seen; undefined before. */
export const lineSeen = (count: number) => `window.linesSeen[${count}]`;
