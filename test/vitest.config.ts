import { defineConfig } from 'vitest/config';
import { variations } from './support/payloadVariations.ts';

/** The suites of the client, and of what reads with it, that run once for each way in which real servers answer. */
const withPayloads = [
  'unit/client/*.test.ts',
  'unit/tree/{nodeChildren,folderScopes}.test.ts',
  'unit/objects/objectCalls.test.ts',
  'unit/reports/reportCalls.test.ts',
  'property/clientWrites.test.ts',
];

/** Of these, what does not turn on what a reply holds: nobody answers, it ends before, or it is about the way. Some measure time. */
const withoutPayloads = [
  'cancellation',
  'chooseProxy',
  'clientWire',
  'connecting',
  'decode',
  'exactJson',
  'flowingChunks',
  'outages',
  'secretFilter',
  'sessionLength',
  'targets',
  'waits',
];

/** `npm test` runs these beside the workbench suite, to which they give way. */
const inTurnTimeout = 600_000;

/** One project per kind of test: `npm run test:unit` and so on run one each. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    // Much of what these tests do is waiting: two files side by side suit two cores, and a larger machine too.
    maxWorkers: 2,
    projects: [
      { test: { name: 'unit', include: ['unit/**/*.test.ts'], testTimeout: 30_000 } },
      { test: { name: 'contract', include: ['contract/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 } },
      {
        test: {
          name: 'property',
          include: ['property/**/*.test.ts'],
          setupFiles: ['support/propertySeed.ts'],
          testTimeout: inTurnTimeout,
        },
      },
      ...variations
        .filter((variation) => variation !== 'asListed')
        .map((variation) => ({
          test: {
            name: `payloads-${variation}`,
            include: withPayloads,
            exclude: withoutPayloads.map((name) => `unit/client/${name}.test.ts`),
            setupFiles: ['support/propertySeed.ts'],
            env: { ANALYTICS_STUDIO_PAYLOADS: variation, ANALYTICS_STUDIO_RUNS: '100' },
            testTimeout: inTurnTimeout,
            hookTimeout: inTurnTimeout,
          },
        })),
      {
        test: {
          name: 'ui',
          include: ['ui/**/*.test.ts'],
          globalSetup: ['support/uiSetup.ts'],
          setupFiles: ['support/uiFailures.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // What a page shows follows what was done to it: `expect.poll` looks again, as a person would.
          expect: { poll: { timeout: 20_000 } },
          // Each file has a VS Code and a browser of its own: one at a time is as much as a small machine carries.
          fileParallelism: false,
        },
      },
    ],
  },
});
