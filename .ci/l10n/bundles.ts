import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { collectMessages, type Collected } from './collectMessages.ts';
import { type Texts, translationProblems } from './translationProblems.ts';

const texts = z.record(z.string(), z.string());

/** Where translations of the code's texts are kept; `l10n` in package.json. */
export const bundleFolder = 'media/l10n';

/** Languages that the extension is translated into, as their files are named: `de`. */
export function languages(root: string): string[] {
  return readdirSync(path.join(root, bundleFolder)).flatMap(
    (name) => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1] ?? [],
  );
}

/** The texts of a file of translations. */
export function readTexts(file: string): Texts {
  return texts.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** The English bundle: what the code says, in order, with the comments for translators. */
export function englishBundle({ messages }: Collected): string {
  const rows = [...messages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { text, comment }]) => {
      return [key, comment.length === 0 ? text : { message: text, comment }] as const;
    });
  return `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`;
}

/** What is wrong with the texts of the code, of package.json and with their translations; empty when nothing is. */
export function bundleProblems(root: string, collected = collectMessages(root)): string[] {
  const english = Object.fromEntries([...collected.messages].map(([key, { text }]) => [key, text]));
  const manifest = readTexts(path.join(root, 'package.nls.json'));
  const named = (file: string, problems: readonly string[]) => problems.map((problem) => `${file}: ${problem}`);
  return [
    ...collected.problems,
    ...named('package.nls.json', manifestProblems(root, manifest)),
    ...languages(root).flatMap((language) => [
      ...named(
        `bundle.l10n.${language}.json`,
        translationProblems(english, readTexts(path.join(root, bundleFolder, `bundle.l10n.${language}.json`))),
      ),
      ...named(
        `package.nls.${language}.json`,
        translationProblems(manifest, readTexts(path.join(root, `package.nls.${language}.json`))),
      ),
    ]),
  ];
}

/** Keys that package.json asks for and package.nls.json lacks, and the other way round. */
function manifestProblems(root: string, manifest: Texts): string[] {
  const asked = new Set(
    [...readFileSync(path.join(root, 'package.json'), 'utf8').matchAll(/"%([\w.-]+)%"/g)].flatMap(
      ([, key]) => key ?? [],
    ),
  );
  return [
    ...[...asked].filter((key) => !Object.hasOwn(manifest, key)).map((key) => `missing: ${key}`),
    ...Object.keys(manifest)
      .filter((key) => !asked.has(key))
      .map((key) => `orphaned: ${key}`),
  ];
}
