import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { completeStep, restoreWalkthroughSteps } from '../../../src/editor/walkthroughSteps.ts';
import { ran } from '../../support/vscode/index.ts';
import { MemoryMemento } from '../../support/vscode/storage.ts';

afterEach(() => {
  ran.length = 0;
});

it('ticks what was done in earlier windows, as soon as a later one opens', () => {
  const state = new MemoryMemento();
  restoreWalkthroughSteps(state);
  expect(ran).toEqual([]);
  completeStep('analytics.hasSavedPolicy');
  expect(ran).toEqual([['setContext', 'analytics.hasSavedPolicy', true]]);
  ran.length = 0;
  restoreWalkthroughSteps(state);
  expect(ran).toEqual([['setContext', 'analytics.hasSavedPolicy', true]]);
});

it('has a key in the source for every completion event of the manifest', () => {
  const root = path.join(import.meta.dirname, '../../..');
  const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
  const events = [...manifest.matchAll(/"onContext:(analytics\.\w+)"/g)].map(([, key]) => key ?? '');
  const source = ['src/editor/walkthroughSteps.ts', 'src/features/servers/contextKeys.ts']
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join();
  expect(events.length).toBeGreaterThanOrEqual(5);
  for (const event of events) expect(source).toContain(`'${event}'`);
});
