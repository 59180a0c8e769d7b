import type { Frame } from 'playwright-core';
import { withColourTools, type colourTools } from './colourTools.ts';

/**
 * Gives the focus to every control of a page, one of each kind, and measures the line that shows it against what is
 * behind it (3:1), as computed by the browser. Lists that stay open only while they have the focus close.
 * @returns what is below, or has no line, in words.
 */
export async function faintFocusMarks(frame: Frame): Promise<string[]> {
  // From the first key on, the browser shows the focus wherever a script puts it.
  await frame.page().keyboard.press('Shift');
  return frame.evaluate<string[]>(withColourTools(measure));
}

/** In the page. */
function measure({ parse, over, ratio, ground, isSeen }: ReturnType<typeof colourTools>): string[] {
  const kinds = new Set<string>();
  const found: string[] = [];
  const before = document.activeElement;
  const dialog = document.querySelector('dialog[open]');
  const places = 'a[href], button, input, select, textarea, summary, [tabindex]';
  for (const element of (dialog ?? document).querySelectorAll<HTMLElement>(places)) {
    if (
      element.tabIndex < 0 ||
      element.matches(':disabled') ||
      element.closest('[inert], [hidden]') ||
      !isSeen(element)
    )
      continue;
    const kind = `${element.localName}.${[...element.classList].join('.')} ${element.getAttribute('type') ?? ''}`;
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    element.focus({ preventScroll: true });
    if (document.activeElement !== element) {
      found.push(`${kind} does not take the focus`);
      continue;
    }
    const id = element.getAttribute('aria-activedescendant') ?? '';
    const marked = document.getElementById(id) ?? element;
    const style = getComputedStyle(marked);
    // The browser's own line has two colours, one of which is always seen.
    if (style.outlineStyle === 'auto') continue;
    const isInside = parseFloat(style.outlineOffset) < 0;
    const { behind, opacity } = ground(isInside ? marked : (marked.parentElement ?? marked));
    const value = ratio(over(parse(style.outlineColor), behind, opacity), behind);
    if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 1) found.push(`${kind} has no mark`);
    else if (value < 3)
      found.push(`${kind}: ${value.toFixed(2)}, ${style.outlineColor} on ${behind.map(Math.round).join()}`);
  }
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return found;
}
