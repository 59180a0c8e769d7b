import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';

const root = path.resolve(import.meta.dirname, '../../..');
const rules = z.object({ forbidden: z.array(z.object({ name: z.string(), comment: z.string().optional() })) });

it('src/README.md says of every room what the rule of imports says', () => {
  const loaded: unknown = createRequire(import.meta.url)(path.join(root, '.ci', 'dependency-cruiser.cjs'));
  const ruled = rules
    .parse(loaded)
    .forbidden.flatMap(
      ({ comment }) =>
        /^src\/(\w+) may import only: (.*)$/
          .exec(comment ?? '')
          ?.slice(1)
          .join(': ') ?? [],
    )
    .map((line) => line.replace('nothing else', 'nothing'));
  const table = readFileSync(path.join(root, 'src', 'README.md'), 'utf8').matchAll(
    /^\| `(\w+)` \|[^|]*\| ([^|]*) \|$/gm,
  );
  expect(ruled.length).toBeGreaterThan(10);
  expect([...table].map(([, room, allowed]) => `${room}: ${allowed}`).toSorted()).toEqual(ruled.toSorted());
});
