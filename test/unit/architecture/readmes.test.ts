import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const readmes = ['README.md', ...globSync('{src,test,media}/**/README.md', { cwd: root })].filter(
  (file) => !file.includes('fixtures'),
);

it('the root README has at most 1,200 words', () => {
  expect(readFileSync(path.join(root, 'README.md'), 'utf8').trim().split(/\s+/).length).toBeLessThanOrEqual(1200);
});

it.each(readmes)('links and pictures in %s lead to files', (file) => {
  const text = readFileSync(path.join(root, file), 'utf8').replace(/^```[^]*?^```/gm, '');
  const targets = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const missing = targets.filter(
    (target) => !/^[a-z]+:/i.test(target) && !existsSync(path.join(root, path.dirname(file), target)),
  );
  expect(missing).toEqual([]);
});
