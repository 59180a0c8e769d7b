import type { Page } from 'playwright-core';
import { waitFor } from '../waitFor.ts';

/**
 * Watches a page for links, images and frames that lead to one of `addresses` or out of the web, and for icons that only a
 * hostile text names; also those that are gone again by the time somebody looks. It first shows that it sees one.
 * @returns what it saw since it was asked last, as markup behind where it lies.
 */
export async function watchMarkup(page: Page, addresses: readonly string[]): Promise<() => Promise<string[]>> {
  const seen = () => page.evaluate<string[]>('globalThis.seenMarkup.splice(0)');
  await page.evaluate(`(${watch.toString()})(${JSON.stringify(addresses)})`);
  await page.evaluate(
    `document.body.insertAdjacentHTML('beforeend', '<p id="probe"><a href="${addresses[0]}">x</a></p>')`,
  );
  await waitFor('a link to be seen', async () => (await seen()).length === 1);
  await page.evaluate("document.getElementById('probe').remove()");
  return seen;
}

/** Runs in the page. */
function watch(addresses: readonly string[]): void {
  const seen: string[] = [];
  Object.assign(globalThis, { seenMarkup: seen });
  const leads = 'a, img, iframe, object, embed';
  const icons = '.codicon-squirrel, .codicon-rocket, .codicon-snake';
  const outOfTheWeb = /^(file:|vscode:|data:text|javascript:)/i;
  const look = (element: Element) => {
    const values = ['href', 'data-href', 'src', 'title'].map((name) => element.getAttribute(name) ?? '');
    const isLed = values.some(
      (value) =>
        outOfTheWeb.test(value) || addresses.some((address) => value.toLowerCase().includes(address.toLowerCase())),
    );
    if (element.matches(icons) || (element.matches(leads) && isLed))
      seen.push(`${placeOf(element)}: ${element.outerHTML}`);
  };
  /** Classes of what it lies in, from the outside in. */
  const placeOf = (element: Element) => {
    const classes: string[] = [];
    for (let around = element.parentElement; around; around = around.parentElement) classes.unshift(around.className);
    return classes.slice(-8).join(' > ');
  };
  const lookWithin = (node: Node) => {
    if (!(node instanceof Element)) return;
    look(node);
    node.querySelectorAll(`${leads}, ${icons}`).forEach(look);
  };
  new MutationObserver((records) => {
    for (const { target, addedNodes, type } of records) {
      if (type === 'attributes') lookWithin(target);
      else addedNodes.forEach(lookWithin);
    }
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['href', 'data-href', 'src', 'class'],
  });
}
