import axe, { type AxeResults } from 'axe-core';
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { faintColours } from './faintColours.ts';

/**
 * Holds a page of ours against the rules of axe-core, as it looks now.
 * @param what is looked at, for the message.
 * @returns how many rules it was held against.
 * @throws when a page breaks one of them, of any impact, with the elements that do.
 */
export async function isAccessible(frame: Frame, what: string): Promise<number> {
  // As one expression: the pages let no script in by an element.
  const { violations, passes } = await frame.evaluate<AxeResults>(`${axe.source}; axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
  })`);
  const found = violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html}\n  ${failureSummary ?? ''}`),
  );
  expect(found, what).toEqual([]);
  expect(await faintColours(frame), `colours of ${what}`).toEqual([]);
  return passes.length + violations.length;
}
