/** Texts by key: a bundle of translations, or package.nls.json. */
export type Texts = Readonly<Record<string, string>>;

/**
 * What is wrong with `translated` against `original`: a text that is missing, is not said any more, is empty, or lost, gained
 * or changed what must stay: places such as {0}, links to commands, settings and addresses, code, icons and line ends.
 */
export function translationProblems(original: Texts, translated: Texts): string[] {
  const missing = Object.keys(original).filter((key) => !Object.hasOwn(translated, key));
  const orphaned = Object.keys(translated).filter((key) => !Object.hasOwn(original, key));
  const changed = Object.entries(translated).flatMap(([key, text]) => {
    const source = original[key];
    if (source === undefined) return [];
    if (text.trim() === '') return [`empty: ${key}`];
    const [lost, gained] = difference(fixedParts(source), fixedParts(text));
    const ends = outerSpace(source) === outerSpace(text) ? [] : [`space around it: ${key}`];
    return [...lost.map((part) => `lost ${part}: ${key}`), ...gained.map((part) => `added ${part}: ${key}`), ...ends];
  });
  return [...missing.map((key) => `missing: ${key}`), ...orphaned.map((key) => `orphaned: ${key}`), ...changed];
}

const fixed = /\{\d+\}|\(command:[\w.]+\)|\$\([\w~-]+\)|`[^`]+`|https?:\/\/[^\s)`]+|\n/g;

function fixedParts(text: string): string[] {
  return [...new Set(text.match(fixed))];
}

function difference(before: readonly string[], after: readonly string[]): [lost: string[], gained: string[]] {
  return [before.filter((part) => !after.includes(part)), after.filter((part) => !before.includes(part))].map((parts) =>
    parts.map((part) => JSON.stringify(part)),
  ) as [string[], string[]];
}

function outerSpace(text: string): string {
  return `${/^\s*/.exec(text)?.[0]}|${/\s*$/.exec(text)?.[0]}`;
}
