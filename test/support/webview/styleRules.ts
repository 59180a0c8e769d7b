import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { projectRoot } from '../vscodeHost/paths.ts';

/** What a rule is about while something is done to an element, and not about which elements there are. */
const passing = /::[\w-]+(\([^)]*\))?|:(hover|focus-visible|focus-within|focus|active)\b/g;

/** The selectors of style sheets that no state of a page has matched yet. */
export class UnseenRules {
  readonly #selectors: Set<string>;

  /** @param files style sheets, in the project. */
  constructor(files: readonly string[], exceptions: readonly string[] = []) {
    const all = files.flatMap((file) => selectorsOf(readFileSync(path.join(projectRoot, file), 'utf8')));
    this.#selectors = new Set(all.filter((selector) => !exceptions.some((part) => selector.includes(part))));
  }

  get left(): string[] {
    return [...this.#selectors];
  }

  /** Takes off what a page shows now. */
  async see(frame: Frame): Promise<void> {
    const seen = await frame.evaluate<string[], string[]>(
      (selectors) => selectors.filter((selector) => document.querySelector(selector) !== null),
      this.left,
    );
    for (const selector of seen) this.#selectors.delete(selector);
  }
}

function selectorsOf(css: string): string[] {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...plain.matchAll(/([^{};]+)\{/g)].flatMap(([, head = '']) => {
    const text = head.trim();
    if (text.startsWith('@') || /^(from|to)$/.test(text)) return [];
    const bare = text.replace(passing, '').replace(/:not\(\s*\)/g, '');
    return splitList(bare).filter((selector) => selector !== '');
  });
}

/** The selectors of a list: commas in brackets do not end one. */
function splitList(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
