import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const tests = path.resolve(import.meta.dirname, '..', '..');
const readme = readFileSync(path.join(tests, '..', 'src', 'server', 'security', 'README.md'), 'utf8');
const [, section = ''] = /^## Rules that are easy to miss$([^]*)/m.exec(readme) ?? [];
const rows = [...section.matchAll(/^\| (.+?) +\| `([^`]+\.test\.ts)` +\| (.+?) +\|$/gm)].map(
  ([, rule = '', file = '', test = '']) => ({ rule, file, test }),
);

describe('the rules of the server’s README', () => {
  it('are all there', () => {
    expect(rows.length).toBeGreaterThan(40);
  });

  it.each(rows)('$rule: has its test', ({ file, test }) => {
    const place = path.join(tests, file);
    expect(existsSync(place), file).toBe(true);
    expect(readFileSync(place, 'utf8')).toContain(test);
  });
});
