import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const rooms = globSync('{src,test,media}/**/README.md', { cwd: root }).filter((file) => !file.includes('fixtures'));
const readmes = ['README.md', ...rooms];

/** What people write in a README: without the tables that programs write between two comments. */
function writtenText(file: string): string {
  const text = readFileSync(path.join(root, file), 'utf8');
  return text
    .replace(/^<!-- (\w+): (?:begin, )?written by [^>]*-->$[^]*?^<!-- (?:\1: end|end of \1) -->$/gm, '')
    .trim();
}

const wordsOf = (file: string) =>
  writtenText(file)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

it('the root README has at most 1,200 words', () => {
  expect(wordsOf('README.md')).toBeLessThanOrEqual(1200);
});

it('all READMEs together have at most 12,000 words', () => {
  const counts = readmes.map((file) => ({ file, words: wordsOf(file) })).sort((a, b) => b.words - a.words);
  const sum = counts.reduce((total, { words }) => total + words, 0);
  expect(
    sum,
    `the longest: ${counts
      .slice(0, 5)
      .map(({ file, words }) => `${file} ${words}`)
      .join(', ')}`,
  ).toBeLessThanOrEqual(12_000);
});

it.each(rooms)('%s has at most 40 lines besides its tables', (file) => {
  const lines = writtenText(file).split('\n');
  expect(lines.filter((line) => !line.startsWith('|')).length).toBeLessThanOrEqual(40);
});

it.each(globSync('src/{access,client,connections,contract,editor,features/*,objects,server,webview}/', { cwd: root }))(
  '%s has a README',
  (folder) => {
    expect(existsSync(path.join(root, folder, 'README.md'))).toBe(true);
  },
);

it.each(readmes)('%s has no marks of a merge conflict', (file) => {
  expect(readFileSync(path.join(root, file), 'utf8')).not.toMatch(/^(?:<<<<<<<|>>>>>>>) /m);
});

it.each(readmes)('links and pictures in %s lead to files', (file) => {
  const text = readFileSync(path.join(root, file), 'utf8').replace(/^```[^]*?^```/gm, '');
  const targets = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const missing = targets.filter(
    (target) => !/^[a-z]+:/i.test(target) && !existsSync(path.join(root, path.dirname(file), target)),
  );
  expect(missing).toEqual([]);
});
