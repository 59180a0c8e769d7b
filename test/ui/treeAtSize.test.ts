import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figure } from '../support/figure.ts';
import { measureLargeTree, openLargeTree, type LargeTree } from '../support/largeTree.ts';

describe('the sidebar with 10,000 reports in 500 folders and 5,000 users', () => {
  let large: LargeTree | undefined;
  beforeAll(async () => {
    large = await openLargeTree();
  });
  afterAll(() => large?.stop());

  it('opens, filters and holds all of it', async () => {
    if (!large) throw new Error('Nothing is open.');
    const found = await measureLargeTree(large);
    await large.workbench.screenshot('tree-at-size');
    const words = [
      `500 folders drawn after ${found.library.toFixed(0)} ms (calls ${found.libraryCalls.toFixed(0)})`,
      `5,000 users after ${found.users.toFixed(0)} ms (call ${found.usersCalls.toFixed(0)})`,
      `filter after ${found.filter.toFixed(0)} ms`,
      `${found.memoryMb.toFixed(1)} MB over idle with all read`,
    ];
    figure('sidebar at size', words.join(', '));
    // The goal of 50 MB is the benchmark's (`npm run bench -- tree`); here a leak is to be seen, whatever else the host holds.
    expect(found.memoryMb).toBeLessThan(80);
    expect(large.workbench.consoleLines.filter((line) => /already registered|unhandled/i.test(line))).toEqual([]);
  });
});
