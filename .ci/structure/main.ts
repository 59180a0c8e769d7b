/** Prints the size and shape of src/. Fails where a folder of src/ or test/, or a file of src/, is too large to read at once. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as z from 'zod';

const root = path.resolve(import.meta.dirname, '../..');
const limits = { filesInFolder: 25, linesOfFile: 350 };
/** Written by a program, or compiled by another compiler than ours. */
const isGenerated = (file: string) => file.endsWith('Module.ts') || file.endsWith('.as.ts');

const rules = z.object({
  features: z.array(z.string()),
  allowed: z.array(z.object({ from: z.string(), to: z.string(), why: z.string() })),
});

interface SourceFile {
  file: string;
  lines: number;
}

const filesOf = (folder: string): SourceFile[] =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return { file: path.relative(root, file), lines: readFileSync(file, 'utf8').split('\n').length - 1 };
    });
const foldersOf = (all: readonly SourceFile[]) =>
  [...Map.groupBy(all, ({ file }) => path.dirname(file))]
    .map(([folder, inFolder]) => ({ folder, count: inFolder.length }))
    .sort((a, b) => b.count - a.count);
const files = filesOf('src');
const byFolder = foldersOf(files);
const { features, allowed } = rules.parse(createRequire(import.meta.url)('../importRules.cjs'));

const sorted = files.map(({ lines }) => lines).sort((a, b) => a - b);
const percentile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
const total = sorted.reduce((sum, lines) => sum + lines, 0);
const [largest] = byFolder;
console.log(
  `src: ${files.length} files, ${total} lines, p50 ${percentile(0.5)}, p90 ${percentile(0.9)}; largest folder ${largest?.folder} with ${largest?.count} files`,
);
for (const feature of features) {
  const inFeature = files.filter(({ file }) => file.startsWith(`src/features/${feature}/`)).length;
  const others = allowed.filter(({ from }) => from === feature).map(({ to, why }) => `${to} (${why})`);
  console.log(`  ${feature}: ${inFeature} files; of other features: ${others.join(', ') || 'none'}`);
}

const problems = [
  ...[...byFolder, ...foldersOf(filesOf('test'))]
    .filter(({ count }) => count > limits.filesInFolder)
    .map(({ folder, count }) => `${folder} has ${count} files; at most ${limits.filesInFolder}`),
  ...files
    .filter(({ file, lines }) => lines > limits.linesOfFile && !isGenerated(file))
    .map(({ file, lines }) => `${file} has ${lines} lines; at most ${limits.linesOfFile}`),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
