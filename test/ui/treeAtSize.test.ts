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
    console.log(found);
    figure('sidebar at size', `${found.memoryMb.toFixed(1)} MB over idle with every folder and user read`);
    expect(found.memoryMb).toBeLessThan(50);
  });
});
