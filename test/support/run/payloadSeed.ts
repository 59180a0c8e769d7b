import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { drawnVariations, startDraws } from './payloadVariations.ts';

/* Servers of a test answer in variations drawn by the seed; a test that fails says which. */

const file = path.basename(expect.getState().testPath ?? '');
startDraws(file);

beforeEach(() => startDraws(`${file} ${expect.getState().currentTestName ?? ''}`));

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  const seed = process.env.ANALYTICS_STUDIO_PAYLOADS ?? '';
  console.log(`PAYLOAD_SEED=${seed} drew for ${task.name}: ${drawnVariations().join(', ') || 'nothing'}`);
});
