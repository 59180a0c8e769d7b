import type { Frame } from 'playwright-core';
import { withColourTools, type colourTools } from './colourTools.ts';

/**
 * Measures every colour that a page shows against what is behind it, as computed by the browser: texts, also those of
 * disabled controls and placeholders (4.5:1), icons and the edges of boxes (3:1).
 * @returns what is below, in words.
 */
export async function faintColours(frame: Frame): Promise<string[]> {
  return frame.evaluate<string[]>(withColourTools(measure));
}

/** In the page. */
function measure({ parse, over, ratio, ground, isSeen }: ReturnType<typeof colourTools>): string[] {
  const found = new Set<string>();
  const check = (element: Element, colour: string, least: number, what: string) => {
    const { behind, opacity } = ground(element);
    const value = ratio(over(parse(colour), behind, opacity), behind);
    if (value >= least) return;
    const classes = [...element.classList].join('.');
    found.add(
      `${what} of ${element.tagName.toLowerCase()}.${classes}: ${value.toFixed(2)}, ${colour} on ${behind.map(Math.round).join()}`,
    );
  };
  for (const element of document.body.querySelectorAll('*')) {
    if (!isSeen(element) || element instanceof SVGElement || element instanceof HTMLScriptElement) continue;
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '',
    );
    if (hasText) check(element, style.color, 4.5, 'text');
    if (element.classList.contains('codicon')) check(element, getComputedStyle(element, '::before').color, 3, 'icon');
    const isBox =
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement ||
      (element instanceof HTMLInputElement && !['checkbox', 'radio', 'range'].includes(element.type));
    if (!isBox) continue;
    check(element, style.color, 4.5, 'value');
    if (!(element instanceof HTMLSelectElement) && element.placeholder !== '')
      check(element, getComputedStyle(element, '::placeholder').color, 4.5, 'placeholder');
    const isEdged = parseFloat(style.borderTopWidth) > 0 && parse(style.borderTopColor)[3] > 0;
    if (isEdged && element.parentElement)
      check(element.parentElement, style.borderTopColor, 3, `edge of ${element.className},`);
  }
  return [...found];
}
