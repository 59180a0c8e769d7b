import axe, { type AxeResults } from 'axe-core';
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';

/** What nobody may meet: things that some people cannot use at all, or only with great effort. */
const grave = new Set<unknown>(['serious', 'critical']);

/**
 * Holds a page of ours against the rules of axe-core, as it looks now.
 * @param what is looked at, for the message.
 * @returns how many rules it was held against.
 * @throws when something serious or critical is found, with the elements that have it.
 */
export async function isAccessible(frame: Frame, what: string): Promise<number> {
  // As one expression: the pages let no script in by an element.
  const { violations, passes } = await frame.evaluate<AxeResults>(`${axe.source}; axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
  })`);
  const found = violations
    .filter(({ impact }) => grave.has(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n  ${failureSummary ?? ''}`));
  expect(found, what).toEqual([]);
  return passes.length + violations.length;
}
