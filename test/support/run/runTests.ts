import path from 'node:path';
import { serveTrino, type TrinoFront, trinoVariable } from '../databases/trinoSetup.ts';
import { giveWay, startProcess } from '../processes/processes.ts';
import { runMain } from './runMain.ts';
import { clearEditorLosses, editorLosses, mostEditorLosses } from '../workbench/editorLosses.ts';
import {
  clearResult,
  describeCounts,
  type FailedFile,
  failedFiles,
  readResult,
  resultFile,
  sumCounts,
  type TestCounts,
  timedFiles,
} from './testResults.ts';
import { builtServer } from '../serverScript.ts';
import { projectRoot } from '../vscodeHost/paths.ts';

/*
 * `npm test [-- SUITE…]`: builds, runs every kind of test in order, or only those named, and ends with the line
 * `N skipped; N passed, N failed`, or `N passed, N failed` where none was skipped. A suite that crashes, or that runs no
 * test at all, counts as one failure.
 */

const vitest = (suite: string, project = suite, files: readonly string[] = []): string[] => [
  path.join('node_modules', 'vitest', 'vitest.mjs'),
  ...['run', '--config', 'test/vitest.config.ts', '--project', project],
  ...['--reporter', 'default', '--reporter', 'json', '--outputFile.json', resultFile(suite)],
  ...files,
];

/** UI tests of every run: journeys through all features. `npm run soak -- workbench` runs those of single features too. */
const journeys = 'test/ui/journeys';

/** Every suite and the arguments to Node that run it, the quickest first. */
const suites: Record<string, string[]> = {
  unit: vitest('unit'),
  contract: vitest('contract'),
  heavy: vitest('heavy'),
  doors: vitest('doors'),
  property: vitest('property'),
  payloads: vitest('payloads'),
  page: vitest('page'),
  host: ['test/support/run/runHostTests.ts'],
  ui: vitest('ui', 'ui', [journeys]),
};

/** These drive VS Code, one after another, and leave much of two processors idle. */
const inEditor = ['host', 'ui'];
/**
 * These run one after another beside those in the editor, and give way to them. None of them turns on how long something
 * takes, as pages do that are waited for.
 */
const besideEditor = ['heavy', 'doors', 'property', 'payloads'];
/** These use Trino, which takes a twentieth of a processor while it does nothing. */
const onTrino = ['contract', 'heavy', 'doors', 'property'];

/** Hundreds of servers and many workers load the same scripts: Node.js keeps what it compiled. */
const compiled = path.join(projectRoot, 'node_modules', '.cache', 'node');

const env: NodeJS.ProcessEnv = { ...process.env, ...builtServer, NODE_COMPILE_CACHE: compiled };

async function node(args: readonly string[]): Promise<number> {
  const child = await startProcess(process.execPath, args, { cwd: projectRoot, env });
  return child.exited;
}

/** Lines that tell why a suite failed without a failed test: an error outside all tests, or at its end. */
const outsideTests = /Unhandled (?:Errors|Rejection|Error)|error during close/;
const outsideLines = 25;

/** What the output of a suite says about an error outside its tests; its last lines where no line looks like one. */
function reasonIn(output: readonly string[]): string {
  const first = output.findIndex((line) => outsideTests.test(line));
  return (first < 0 ? output.slice(-outsideLines) : output.slice(first, first + outsideLines)).join('\n');
}

async function runSuite(name: string, args: readonly string[]): Promise<TestCounts> {
  console.log(`\n=== ${name} tests`);
  await clearResult(name);
  const lines: string[] = [];
  const onLine = (line: string) => {
    lines.push(line);
    console.log(line);
  };
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = await startProcess(process.execPath, args, { cwd: projectRoot, env: { ...env, ...colours }, onLine });
  return countsAfter(name, await child.exited, lines);
}

/**
 * Runs suites one after another at the lowest priority.
 * @param ended is called after each.
 * @returns for each, what prints its output and tells its counts.
 */
async function runAside(
  names: readonly string[],
  ended: (name: string) => Promise<void>,
): Promise<Map<string, () => Promise<TestCounts>>> {
  const results = new Map<string, () => Promise<TestCounts>>();
  for (const name of names) {
    const lines: string[] = [];
    await clearResult(name);
    const args = suites[name] ?? [];
    const onLine = (line: string) => lines.push(line);
    const child = await startProcess(process.execPath, args, { cwd: projectRoot, env, onLine });
    await giveWay(child.pid);
    const code = await child.exited;
    await ended(name);
    results.set(name, () => {
      console.log([`\n=== ${name} tests`, ...lines].join('\n'));
      return countsAfter(name, code, lines);
    });
  }
  return results;
}

/** The counts of a suite that ended with a code. */
async function countsAfter(name: string, code: number, output: readonly string[]): Promise<TestCounts> {
  const counts = await readResult(name);
  const ended = `ended with code ${code}`;
  if (!counts) return failedOnce(name, `${ended} before it could report:\n${reasonIn(output)}`);
  if (code !== 0 && counts.failed === 0) return failedOnce(name, `${ended}:\n${reasonIn(output)}`, counts);
  if (counts.passed + counts.failed === 0) return failedOnce(name, 'ran no test', counts);
  return counts;
}

/** The files of a suite with failed tests; none where it left no results. */
const failedOf = (suite: string): Promise<FailedFile[]> => failedFiles(suite).catch(() => []);

/** Each test that failed, with its reason: the end of a long log is what is kept of it, or read first. */
function tellFailures(suite: string, failed: readonly FailedFile[]): void {
  for (const { name, reason } of failed.flatMap((file) => file.failed))
    console.log(`\nFAILED in ${suite}: ${name}\n${reason}`);
}

/** Files of the workbench suite that may run a second time in a run, each of them named: more fail it. */
const mostRunAgain = 2;

/** Runs the workbench suite, and files that failed once more, where they are few. */
async function runUi(): Promise<TestCounts> {
  await clearEditorLosses();
  const first = await runSuite('ui', suites.ui ?? []);
  const failed = await failedOf('ui');
  if (failed.length === 0 || failed.length > mostRunAgain) return first;
  for (const { file } of failed) console.log(`\nRUN AGAIN: ${path.relative(projectRoot, file)}`);
  tellFailures('ui, first run', failed);
  const files = failed.map(({ file }) => file);
  const again = await runSuite('ui-again', vitest('ui-again', 'ui', files));
  const before = failed.map(({ counts }) => counts).reduce(sumCounts);
  return {
    passed: first.passed - before.passed + again.passed,
    failed: first.failed - before.failed + again.failed,
    skipped: first.skipped,
  };
}

/** How many of the slowest files are named. */
const slowestFiles = 10;

async function tellSlowest(names: readonly string[]): Promise<void> {
  const files = (await Promise.all(names.map(timedFiles))).flat();
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, slowestFiles);
  if (slowest.length === 0) return;
  console.log(`\nThe ${slowest.length} slowest files:`);
  for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

/** What the editor lost and the UI tests did again: named, and a failure where it is more than a run may lose. */
async function tellEditorLosses(): Promise<TestCounts> {
  const losses = await editorLosses();
  for (const loss of losses) console.log(`LOST BY THE EDITOR, done again: ${loss}`);
  if (losses.length <= mostEditorLosses) return { passed: 0, failed: 0, skipped: 0 };
  return failedOnce('ui', `did ${losses.length} things again that the editor lost; ${mostEditorLosses} are allowed`);
}

/** Suites that failed without a failed test, with the reason. */
const failedSuites: string[] = [];

function failedOnce(name: string, reason: string, counts?: TestCounts): TestCounts {
  failedSuites.push(`The ${name} tests failed: the suite ${reason}`);
  return { passed: counts?.passed ?? 0, failed: 1, skipped: counts?.skipped ?? 0 };
}

async function runSuites(chosen: readonly string[], trino: TrinoFront): Promise<TestCounts> {
  const unknown = chosen.find((name) => !(name in suites));
  if (unknown) throw new Error(`There is no suite "${unknown}", only ${Object.keys(suites).join(', ')}.`);
  if ((await node(['esbuild.js'])) !== 0) return failedOnce('build', 'could not be built');
  const names = Object.keys(suites).filter((name) => chosen.length === 0 || chosen.includes(name));
  const shown = names.filter((name) => inEditor.includes(name));
  const aside = shown.length > 0 ? names.filter((name) => besideEditor.includes(name)) : [];
  const counted: TestCounts[] = [];
  const lines: string[] = [];
  const count = (name: string, counts: TestCounts) => {
    counted.push(counts);
    lines.push(`${name.padEnd(10)}${describeCounts(counts)}`);
  };
  const left = new Set(names.filter((name) => onTrino.includes(name)));
  const ended = async (name: string) => {
    left.delete(name);
    if (left.size === 0) await trino.stop();
  };
  const run = async (name: string) => {
    count(name, await (name === 'ui' ? runUi() : runSuite(name, suites[name] ?? [])));
    await ended(name);
  };
  for (const name of names.filter((other) => !shown.includes(other) && !aside.includes(other))) await run(name);
  const running = runAside(aside, ended);
  for (const name of shown) await run(name);
  for (const [name, counts] of await running) count(name, await counts());
  if (names.includes('ui')) counted.push(await tellEditorLosses());
  for (const name of names) tellFailures(name, await failedOf(name));
  for (const failure of failedSuites) console.log(`\n${failure}`);
  await tellSlowest(names);
  console.log(`\n${lines.join('\n')}\n`);
  return counted.reduce(sumCounts);
}

await runMain(async () => {
  const trino = await serveTrino();
  env[trinoVariable] = trino.url;
  const total = await runSuites(process.argv.slice(2), trino).finally(trino.stop);
  console.log(describeCounts(total));
  return total.failed > 0 ? 1 : 0;
});
