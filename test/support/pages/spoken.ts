import type { Page } from 'playwright-core';

/** Collects what is added to live regions of any kind, as a screen reader hears it. */
const listener = `
  window.spoken = [];
  const regions = '[role="status"], [role="alert"], [role="log"], [aria-live]:not([aria-live="off"])';
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      const nodes = type === 'characterData' ? [target] : [...addedNodes];
      for (const node of nodes) {
        const text = (node.textContent ?? '').trim();
        const place = node instanceof Element ? node : node.parentElement;
        if (text !== '' && place?.closest(regions) != null) window.spoken.push(text);
      }
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
`;

/** Listens to a page from its start. Call before it loads. */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(listener);
}

/** What a page has announced since the last call, in order. */
export function spoken(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('window.spoken.splice(0)');
}

/** The focused element of a page: its name for a screen reader, and its role or element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const element = document.activeElement;
    const active = document.getElementById(element?.getAttribute('aria-activedescendant') ?? '');
    const name = element?.getAttribute('aria-label') || element?.id || element?.textContent.trim().slice(0, 40) || '';
    const cell = active === null ? '' : ' > ' + (active.getAttribute('aria-label') ?? active.textContent.trim());
    return (element?.getAttribute('role') ?? element?.localName ?? 'none') + ' ' + name + cell;
  })()`);
}
