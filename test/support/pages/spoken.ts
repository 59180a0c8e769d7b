import type { Page } from 'playwright-core';

/** Script that collects what is added to live regions of any kind, as a screen reader hears it. */
export const listener = `
  window.spoken = [];
  const regions = '[role="status"], [role="alert"], [role="log"], [aria-live]';
  const regionOf = (place) => {
    const region = place?.closest(regions);
    return region?.getAttribute('aria-live') === 'off' ? null : region;
  };
  const hear = (node) => {
    const text = (node.getAttribute?.('aria-label') ?? node.textContent ?? '').trim();
    if (text !== '' && node.localName !== 'style') window.spoken.push(text);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      for (const node of type === 'characterData' ? [target] : addedNodes) {
        const place = node instanceof Element ? node : node.parentElement;
        if (regionOf(place)) hear(node);
        // Of regions that come with their text only alerts are heard.
        else if (place === node) node.querySelectorAll('[role="alert"]').forEach(hear);
      }
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
`;

/** Listens to a page from its start. Call before it loads. */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(listener);
}

/** Script for what was announced since the last time, in order. */
const heard = 'window.spoken.splice(0)';

/** The same script for a page without a listener: it starts listening, and begins with the current text of the regions. */
export const heardFromNowOn = `(() => {
  const root = document.documentElement;
  // An editor writes its pages into documents that it has opened before.
  if (window.heardIn === root) return ${heard};
  window.heardIn = root;
  ${listener}
  return [...document.querySelectorAll('[role="status"] > p')].map(({ textContent }) => textContent);
})()`;

/** What a page has announced since the last call, in order. */
export function spoken(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(heard);
}

/** Script for the focused element: its role or element, and its name for a screen reader. */
export const focusedElement = `(() => {
  const element = document.activeElement;
  const textOf = (id) => document.getElementById(id)?.textContent.trim() ?? '';
  const nameOf = (one) =>
    one.getAttribute('aria-label') ||
    (one.getAttribute('aria-labelledby') ?? '').split(' ').map(textOf).join(' ').trim() ||
    one.labels?.[0]?.textContent.trim() ||
    one.textContent.trim().slice(0, 60) ||
    one.id;
  const active = document.getElementById(element?.getAttribute('aria-activedescendant') ?? '');
  const cell = active === null ? '' : ' > ' + (active.getAttribute('aria-label') ?? active.textContent.trim());
  return (element?.getAttribute('role') ?? element?.localName ?? 'none') + ' ' + (element ? nameOf(element) : '') + cell;
})()`;

/** The focused element of a page: its name for a screen reader, and its role or element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(focusedElement);
}
