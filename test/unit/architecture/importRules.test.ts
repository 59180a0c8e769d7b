import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';

const root = path.resolve(import.meta.dirname, '../../..');
const rules = z
  .object({ rooms: z.record(z.string(), z.array(z.string())), features: z.array(z.string()) })
  .parse(createRequire(import.meta.url)(path.join(root, '.ci', 'importRules.cjs')));
const readme = readFileSync(path.join(root, 'src', 'README.md'), 'utf8');

it('src/README.md lists what each part may import, as the import rule says', () => {
  const table = readme.matchAll(/^\| `(\w+)` \|[^|]*\| ([^|]*) \|$/gm);
  const stated = [...table].map(([, room = '', allowed]) => [room, allowed === 'nothing' ? [] : allowed?.split(', ')]);
  expect(Object.fromEntries(stated)).toEqual(rules.rooms);
});

it('the import rule and src/README.md know every feature', () => {
  const folders = readdirSync(path.join(root, 'src', 'features'), { withFileTypes: true });
  const features = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(rules.features.toSorted()).toEqual(features.toSorted());
  const listed = [...readme.matchAll(/^\| `(\w+)` \|[^|]*\|$/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(features.toSorted());
});

it('the import rule names every folder of src', () => {
  const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true });
  const parts = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect([...Object.keys(rules.rooms), 'features'].toSorted()).toEqual(parts.toSorted());
});
