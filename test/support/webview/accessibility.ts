import type { AxeResults, RunOptions } from 'axe-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { faintColours } from './faintColours.ts';

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that turn on colours, and those that turn on the size of the page; the others on neither. */
const colourRules = ['color-contrast'];
const layoutRules = ['target-size', 'scrollable-region-focusable', 'css-orientation-lock'];
const without = (rules: readonly string[]) => Object.fromEntries(rules.map((rule) => [rule, { enabled: false }]));

/** Which rules of axe-core a page is held against. */
export type RuleSet = 'all' | 'contents' | 'colours' | 'layout';

const ruleSets: Record<RuleSet, RunOptions> = {
  all: { runOnly: levels },
  contents: { runOnly: levels, rules: without(colourRules) },
  colours: { runOnly: { type: 'rule', values: colourRules } },
  layout: { runOnly: { type: 'rule', values: layoutRules } },
};

/** Half as long as the package's default file. The pages let no script in by an element. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Puts axe-core into every document that a page loads from now on, which takes less than sending it to each. */
export async function keepAxe(page: Page): Promise<void> {
  await page.addInitScript({ content: axe });
}

/**
 * Holds a page of ours against the rules of axe-core, as it looks now.
 * @param what is looked at, for the message.
 * @returns how many rules it was held against.
 * @throws when a page breaks one of them, of any impact, with the elements that do.
 */
export async function isAccessible(frame: Frame, what: string, rules: RuleSet = 'all'): Promise<number> {
  if (!(await frame.evaluate<boolean>('"axe" in window'))) await frame.evaluate(`${axe}; undefined`);
  const options = JSON.stringify({ ...ruleSets[rules], resultTypes: ['violations'] });
  const { violations, passes } = await frame.evaluate<Pick<AxeResults, 'violations' | 'passes'>>(
    `axe.run(document, ${options}).then(({ violations, passes }) => ({ violations, passes: passes.map(({ id }) => ({ id })) }))`,
  );
  const found = violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html}\n  ${failureSummary ?? ''}`),
  );
  expect.soft(found, what).toEqual([]);
  if (rules === 'all' || rules === 'colours') expect.soft(await faintColours(frame), `colours of ${what}`).toEqual([]);
  return passes.length + violations.length;
}
