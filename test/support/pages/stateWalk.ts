import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { projectRoot } from '../vscodeHost/paths.ts';
import { isAccessible } from '../webview/accessibility.ts';
import { faintColours } from '../webview/faintColours.ts';
import { faintFocusMarks } from '../webview/focusMarks.ts';
import { isFull } from '../run/soakSize.ts';
import { type ThemeName, themeNames, wearTheme } from './themes.ts';

/** The size of a page in a large window, and what the editor's zoom leaves of it. */
export const sizes = [
  ['100%', { width: 1280, height: 800 }],
  ['200%', { width: 640, height: 400 }],
  ['400%', { width: 320, height: 200 }],
] as const;

/** Pictures that a person looks at: `PICTURES=1`. */
const isPictured = process.env.PICTURES === '1';

/**
 * Themes whose colours are measured in a state: a dark and a light one, one of them of high contrast, in turn; all of them by
 * `npm run soak -- accessibility`, which holds every theme at every zoom against every rule, and takes a picture of each.
 */
function measuredThemes(what: string): readonly ThemeName[] {
  if (isFull || isPictured) return themeNames;
  return what.length % 2 === 0 ? ['dark', 'highContrastLight'] : ['light', 'highContrast'];
}

/**
 * Looks at a page in its themes at three sizes: each rule where its outcome may differ. Colours are also measured as if
 * the mouse were above everything, and with the focus on every control, which comes last because it closes lists.
 * @param seen called with the page in every theme.
 */
export async function lookAt(page: Page, what: string, seen: (frame: Frame) => Promise<void>): Promise<void> {
  const frame = page.mainFrame();
  const mark = async (theme: string, zoom: string) => {
    if (!isPictured && !isFull) return;
    const name = what.replace(/[^\w]+/g, '-');
    await page.screenshot({ path: `${projectRoot}/test/screenshots/state-${name}-${theme}-${zoom}.png` });
  };
  expect.soft(await isAccessible(frame, what, 'contents')).toBeGreaterThan(5);
  for (const [zoom, size] of sizes) {
    await page.setViewportSize(size);
    // The contents were held against all rules at 100%.
    if (zoom !== '100%') await isAccessible(frame, `${what} at ${zoom}`, 'layout');
    const beside = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect.soft(beside, `${what} is wider than its place at ${zoom}`).toBeLessThanOrEqual(0);
    const before = await page.evaluate<string[]>(startsBefore);
    expect.soft(before, `${what} begins before its place at ${zoom}`).toEqual([]);
    if (!isFull && zoom === '400%') await mark('', zoom);
    for (const theme of isFull ? themeNames : []) {
      await wearTheme(page, theme);
      await isAccessible(frame, `${what} in ${theme} at ${zoom}`);
      await mark(theme, zoom);
    }
  }
  await page.setViewportSize(sizes[0][1]);
  const measured = measuredThemes(what);
  for (const theme of themeNames) {
    await wearTheme(page, theme);
    await seen(frame);
    if (!measured.includes(theme)) continue;
    await isAccessible(frame, `${what} in ${theme}`, 'colours');
    if (!isFull) await mark(theme, '100%');
    await page.evaluate(hoverEverything);
    expect.soft(await faintColours(frame), `${what} in ${theme}, beneath the mouse`).toEqual([]);
    await page.evaluate('window.hovering?.forEach((sheet) => sheet.deleteRule(sheet.cssRules.length - 1))');
  }
  for (const theme of measured) {
    await wearTheme(page, theme);
    expect.soft(await faintFocusMarks(frame), `focus in ${what} in ${theme}`).toEqual([]);
  }
  await wearTheme(page, 'dark');
}

/** In the page: controls whose start no scrolling brings into view. The grid scrolls by itself. */
const startsBefore = `[...document.querySelectorAll('button, input, select, textarea')]
  .filter((control) => control.checkVisibility() && control.getBoundingClientRect().left < 0 && !control.closest('.grid, .unseen'))
  .map((control) => control.getAttribute('aria-label') ?? control.textContent)`;

/** In the page: adds the rules for what is beneath the mouse as rules for everything, of the same weight. */
const hoverEverything = `(() => {
  const hover = (rules) => [...rules].flatMap((rule) => {
    if (rule.selectorText !== undefined)
      return rule.selectorText.includes(':hover') ? [rule.cssText.replaceAll(':hover', ':not(.not-hovered)')] : [];
    return rule.cssRules && !(rule instanceof CSSKeyframesRule) ? hover(rule.cssRules) : [];
  });
  window.hovering = [...document.styleSheets].filter((sheet) => {
    const rules = hover(sheet.cssRules);
    if (rules.length === 0) return false;
    sheet.insertRule('@media all { ' + rules.join(' ') + ' }', sheet.cssRules.length);
    return true;
  });
})()`;
