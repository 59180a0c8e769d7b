import path from 'node:path';
import { startProcess } from './processes.ts';
import { runMain } from './runMain.ts';
import { clearResult, failedFiles, readResult, resultFile, sumCounts, type TestCounts } from './testResults.ts';
import { projectRoot } from './vscodeHost/paths.ts';

/*
 * `npm test [-- SUITE…]`: builds, runs every kind of test in order, or only those named, and ends with the line
 * `N passed, N failed`. A suite that crashes, or that runs no test at all, counts as one failure.
 */

const vitest = (suite: string, project = suite, files: readonly string[] = []): string[] => [
  path.join('node_modules', 'vitest', 'vitest.mjs'),
  ...['run', '--config', 'test/vitest.config.ts', '--project', project],
  ...['--reporter', 'default', '--reporter', 'json', '--outputFile.json', resultFile(suite)],
  ...files,
];

/** Every suite and the arguments to Node that run it, the quickest first. */
const suites: Record<string, string[]> = {
  unit: vitest('unit'),
  contract: vitest('contract'),
  property: vitest('property'),
  payloads: vitest('payloads', 'payloads-*'),
  host: ['test/support/runHostTests.ts'],
  ui: vitest('ui'),
};

/** More files than this do not fail by chance. */
const mostFilesAgain = 4;

async function node(args: readonly string[]): Promise<number> {
  const child = await startProcess(process.execPath, args, { cwd: projectRoot });
  return child.exited;
}

async function runSuite(name: string, args: readonly string[]): Promise<TestCounts> {
  console.log(`\n=== ${name} tests`);
  await clearResult(name);
  const code = await node(args);
  const counts = await readResult(name);
  if (!counts) return failedOnce(name, `ended with code ${code} before it could report`);
  if (code !== 0 && counts.failed === 0) return failedOnce(name, `ended with code ${code}`, counts);
  if (counts.passed + counts.failed === 0) return failedOnce(name, 'ran no test', counts);
  return counts;
}

/**
 * Runs the files of the workbench suite that failed once more, where they are few: a real editor in a real browser on a
 * machine that does other things too loses a click now and then. What fails again has failed; what passes now is named, since
 * it asks for a look.
 */
async function runUiTests(args: readonly string[], told: string[]): Promise<TestCounts> {
  const first = await runSuite('ui', args);
  const failed = first.failed > 0 ? await failedFiles('ui').catch(() => []) : [];
  if (failed.length === 0 || failed.length > mostFilesAgain) return first;
  const files = failed.map(({ file }) => file);
  const second = await runSuite('ui-again', vitest('ui-again', 'ui', files));
  const stillFailing = new Set((await failedFiles('ui-again').catch(() => failed)).flatMap((file) => file.failed));
  const unsteady = failed.flatMap((file) => file.failed).filter((name) => !stillFailing.has(name));
  for (const name of unsteady) told.push(`UNSTEADY, failed at first and passed when its file ran again: ${name}`);
  const before = failed.map(({ counts }) => counts).reduce(sumCounts);
  return {
    passed: first.passed - before.passed + second.passed,
    failed: first.failed - before.failed + second.failed,
    skipped: first.skipped - before.skipped + second.skipped,
  };
}

function failedOnce(name: string, reason: string, counts?: TestCounts): TestCounts {
  console.error(`The ${name} tests failed: the suite ${reason}.`);
  return { passed: counts?.passed ?? 0, failed: 1, skipped: counts?.skipped ?? 0 };
}

const describeCounts = ({ passed, failed, skipped }: TestCounts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

async function runSuites(chosen: readonly string[]): Promise<TestCounts> {
  const unknown = chosen.find((name) => !(name in suites));
  if (unknown) throw new Error(`There is no suite "${unknown}", only ${Object.keys(suites).join(', ')}.`);
  if ((await node(['esbuild.js'])) !== 0) return failedOnce('build', 'could not be built');
  const total = { passed: 0, failed: 0, skipped: 0 };
  const lines: string[] = [];
  for (const [name, args] of Object.entries(suites)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const counts = name === 'ui' ? await runUiTests(args, lines) : await runSuite(name, args);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    lines.push(`${name.padEnd(10)}${describeCounts(counts)}`);
  }
  console.log(`\n${lines.join('\n')}\n`);
  return total;
}

await runMain(async () => {
  const total = await runSuites(process.argv.slice(2));
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
});
