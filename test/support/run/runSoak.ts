import { randomInt } from 'node:crypto';
import { startProcess } from '../processes/processes.ts';
import { runMain } from './runMain.ts';
import { projectRoot } from '../vscodeHost/paths.ts';
import { builtServer } from '../serverScript.ts';

/*
 * `npm run soak [-- PART…]`: builds, then runs the tests of endurance at full size, one after the other, or only the
 * parts that are named. Its seeds are fresh unless they are set, and printed. It takes hours; the figures that it prints are those of test/bench/README.md.
 */

const vitest = (project: string, ...files: string[]): string[] => [
  'node_modules/vitest/vitest.mjs',
  ...['run', '--config', 'test/vitest.config.ts', '--no-file-parallelism', '--testTimeout', '14400000'],
  ...['--project', project, ...files],
];

const hostTests = (name: string): string[] => ['test/support/run/runHostTests.ts', '--grep', name];

/** Arguments to Node.js by part. */
const parts: Record<string, string[]> = {
  durability: vitest('contract', 'test/contract/server/state/durability.test.ts'),
  kills: vitest('contract', 'test/contract/server/state/kills.test.ts'),
  signIn: vitest('contract', 'test/contract/server/identity/signInTiming.test.ts'),
  secrets: vitest('contract', 'test/contract/server/secrets.test.ts'),
  endurance: vitest('contract', 'test/contract/server/state/endurance.test.ts'),
  rowSecurity: vitest('property', 'test/property/security/rowSecurity.test.ts'),
  trinoPolicies: vitest('property', 'test/property/security/trinoPolicies.test.ts'),
  openSessions: vitest('contract', 'test/contract/security/openSessions.test.ts'),
  tenants: vitest('property', 'test/property/security/tenants.test.ts'),
  access: vitest('property', 'test/property/security/accessChanges.test.ts'),
  edits: vitest(
    'property',
    ...['saidAccess', 'saidDrags', 'saidFolders'].map((name) => `test/property/security/${name}.test.ts`),
  ),
  workbench: vitest('ui'),
  doors: vitest('doors'),
  day: hostTests('a day of work'),
  switches: hostTests('R16: sends'),
  killPoints: hostTests('R17: '),
  formulas: vitest('contract', 'test/contract/security/hostileFormulas.test.ts'),
  injection: vitest('property', 'test/property/sql/sql.test.ts'),
  payloads: vitest('payloads'),
  faults: vitest('property', 'test/property/client'),
  connections: vitest('property', 'test/property/client/clientConnections.test.ts'),
  results: vitest('property', 'test/property/results'),
  builder: vitest('property', 'test/property/builder.test.ts', 'test/property/builderEdits.test.ts'),
  sameRows: vitest('property', 'test/property/sql/sameRows.test.ts'),
  accessibility: vitest('page', 'test/page/accessibility'),
  engines: vitest(
    'contract',
    ...['columnTypes', 'registeredTypes', 'profileAttempts'].map((name) => `test/contract/security/${name}.test.ts`),
    ...['rowSecurityAttacks.test.ts', 'databases'].map((name) => `test/contract/server/${name}`),
  ),
};

await runMain(async () => {
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((name) => !(name in parts));
  if (unknown) throw new Error(`There is no part "${unknown}", only ${Object.keys(parts).join(', ')}.`);
  const seeds = {
    PROPERTY_SEED: process.env.PROPERTY_SEED ?? String(randomInt(2 ** 31)),
    PAYLOAD_SEED: process.env.PAYLOAD_SEED ?? String(randomInt(2 ** 31)),
  };
  const seedText = Object.entries(seeds).map(([name, seed]) => `${name}=${seed}`);
  console.log(`Seeds: ${seedText.join(' ')}`);
  const env = { ...process.env, ...seeds, ...builtServer, SOAK: 'full' };
  const run = async (args: string[]) => (await startProcess(process.execPath, args, { cwd: projectRoot, env })).exited;
  if ((await run(['esbuild.js'])) !== 0) return 1;
  let failed = 0;
  for (const [name, args] of Object.entries(parts)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    console.log(`\n=== ${name}`);
    if ((await run(args)) !== 0) failed += 1;
  }
  if (failed > 0) console.log(`To repeat: ${seedText.join(' ')} npm run soak`);
  return failed > 0 ? 1 : 0;
});
