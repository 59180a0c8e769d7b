/**
 * `npm run l10n` collects what the code says into the English bundle and writes the tables of commands and settings. It prints
 * what translations lack, and fails when they lack something.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleFolder, bundleProblems, englishBundle, languages } from './bundles.ts';
import { collectMessages } from './collectMessages.ts';
import { documentsWithTables } from './manifestTables.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const collected = collectMessages(root);
writeFileSync(path.join(root, bundleFolder, 'bundle.l10n.json'), englishBundle(collected));
for (const { file, text } of documentsWithTables(root)) writeFileSync(path.join(root, file), text);
const problems = bundleProblems(root, collected);
for (const problem of problems) console.error(problem);
console.log(
  `${collected.messages.size} texts; translations: ${languages(root).join(', ')}; ${problems.length} problems.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
