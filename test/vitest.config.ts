import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFilesEarly } from './support/run/longFilesEarly.ts';
import { isFull } from './support/run/soakSize.ts';
import { projectRoot } from './support/vscodeHost/paths.ts';

/** The suites of the client, and of what reads with it, that run once more on servers whose ways to answer are drawn by a seed. */
const withPayloads = [
  'unit/client/{*,http/**/*,session/*}.test.ts',
  'unit/features/sidebar/nodes/{nodeChildren,folderScopes}.test.ts',
  'unit/objects/save/objectCalls.test.ts',
  'unit/features/reports/run/reportCalls.test.ts',
  'property/client/clientWrites.test.ts',
];

/** Of these, what does not turn on what a reply holds: nobody answers, it ends before, or it is about the way. Some measure time. */
const withoutPayloads = [
  'cancellation',
  'chooseProxy',
  'clientWire',
  'decode',
  'dispatcher',
  'exactJson',
  'flowingChunks',
  'outages',
  'secretFilter',
  'targets',
  'waits',
];

/** Starting several servers of Trino takes minutes of two cores: by `npm run soak -- engines` only. */
const onlyInSoak = ['contract/server/databases/trinoCluster.test.ts'];

/** Contract tests that take much of the processors: beside the suites in the editor. `npm run soak` runs them with the others. */
const heavy = [
  ...['columnTypes', 'columnTypeAttempts'].map((name) => `contract/security/${name}.test.ts`),
  'contract/server/rowSecurityAttacks.test.ts',
];

/** Draws the same ways in every run; `npm run soak` sets others. */
const payloadSeed = process.env.PAYLOAD_SEED ?? '20260101';

/** The attacks that run once more on a server that listens for other machines, with TLS; listening.test.ts guesses passwords. */
const throughDoors = [
  ...['attempts', 'enumerations', 'ownTenant', 'passwordChange', 'policyLiterals', 'promptErrors'],
  ...(isFull ? ['folderAudience', 'profileAttempts'] : []),
];

/** `npm test` runs these beside the suites in the editor, to which they give way. */
const asideTimeout = 600_000;

/** Stands for `vscode` where no editor runs. */
const fakeEditor = path.join(import.meta.dirname, 'support/vscode/index.ts');

/** One project per kind of test: `npm run test:unit` and so on run one each. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    // A third of what these tests do is waiting: three files side by side suit two cores, and a larger machine too.
    maxWorkers: 3,
    sequence: { sequencer: LongFilesEarly },
    // The suites share most modules: each is compiled once.
    experimental: { fsModuleCache: true, fsModuleCachePath: path.join(projectRoot, 'node_modules/.cache/vitest') },
    projects: [
      {
        resolve: { alias: { vscode: fakeEditor } },
        test: {
          name: 'unit',
          isolate: false,
          include: ['unit/**/*.test.ts'],
          setupFiles: ['support/vscode/forgetCommands.ts', 'support/security/quickHashes.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'contract',
          isolate: false,
          include: ['contract/**/*.test.ts'],
          exclude: isFull ? [] : [...onlyInSoak, ...heavy],
          globalSetup: ['support/databases/trinoSetup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'heavy',
          isolate: false,
          include: heavy,
          globalSetup: ['support/databases/trinoSetup.ts'],
          testTimeout: asideTimeout,
          hookTimeout: asideTimeout,
        },
      },
      {
        test: {
          name: 'doors',
          isolate: false,
          include: throughDoors.map((name) => `contract/security/${name}.test.ts`),
          globalSetup: ['support/databases/trinoSetup.ts'],
          env: { ANALYTICS_STUDIO_DOORS: 'tls' },
          testTimeout: asideTimeout,
          hookTimeout: asideTimeout,
        },
      },
      {
        resolve: { alias: { vscode: fakeEditor } },
        test: {
          name: 'property',
          isolate: false,
          include: ['property/**/*.test.ts'],
          globalSetup: ['support/databases/trinoSetup.ts'],
          setupFiles: ['support/run/propertySeed.ts', 'support/security/quickHashes.ts'],
          testTimeout: asideTimeout,
        },
      },
      {
        test: {
          name: 'payloads',
          isolate: false,
          include: withPayloads,
          exclude: withoutPayloads.map((name) => `unit/client/**/${name}.test.ts`),
          setupFiles: ['support/run/propertySeed.ts', 'support/run/payloadSeed.ts', 'support/security/quickHashes.ts'],
          env: {
            ANALYTICS_STUDIO_PAYLOADS: payloadSeed,
            PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? '200',
          },
          testTimeout: asideTimeout,
          hookTimeout: asideTimeout,
        },
      },
      {
        // Panels run outside the editor here.
        resolve: { alias: { vscode: fakeEditor } },
        test: {
          name: 'page',
          isolate: false,
          include: ['page/**/*.test.ts'],
          globalSetup: ['support/pages/chromium.ts', 'support/pages/sampleServer.ts'],
          setupFiles: ['support/vscode/forgetCommands.ts'],
          // A test takes about a second, and much longer beside other suites.
          testTimeout: 90_000,
          hookTimeout: 90_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: 'ui',
          // One worker for all files: they share its browser, and one VS Code at a time is as much as a small machine carries.
          isolate: false,
          fileParallelism: false,
          include: ['ui/**/*.test.ts'],
          globalSetup: ['support/workbench/uiSetup.ts'],
          setupFiles: ['support/workbench/uiFailures.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // What a page shows follows what was done to it: `expect.poll` looks again, as a person would.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
