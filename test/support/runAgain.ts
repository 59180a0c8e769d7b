import { type FailedFile, sumCounts, type TestCounts } from './testResults.ts';

/** What a run of test files gave. */
export interface RunResult {
  readonly counts: TestCounts;
  readonly failed: readonly FailedFile[];
}

/** What several runs gave: of each file, what its last one did. */
export interface Outcome extends RunResult {
  /** A line for each test that failed at first and passed later. */
  readonly unsteady: readonly string[];
}

/** More files than this do not fail by chance. */
const mostFilesAgain = 6;

/**
 * Runs the files that failed again, where they are few, and those still failing once more: what fails in the end has failed;
 * what passes is named, since it asks for a look.
 * @param runs run the files that they are given, one after another.
 */
export async function runAgain(
  first: RunResult,
  runs: readonly ((files: readonly string[]) => Promise<RunResult>)[],
): Promise<Outcome> {
  const reasons = new Map<string, string[]>();
  let { counts, failed } = first;
  for (const run of runs) {
    if (failed.length === 0 || failed.length > mostFilesAgain) break;
    for (const { name, reason } of failed.flatMap((file) => file.failed))
      reasons.set(name, [...(reasons.get(name) ?? []), reason]);
    const again = await run(failed.map(({ file }) => file));
    counts = failed.reduce((left, file) => without(left, file.counts), sumCounts(counts, again.counts));
    // A run that crashed tells of no file: what failed before stands.
    if (again.counts.failed > 0 && again.failed.length === 0) break;
    ({ failed } = again);
  }
  const stay = new Set(failed.flatMap((file) => file.failed).map(({ name }) => name));
  const unsteady = [...reasons]
    .filter(([name]) => !stay.has(name))
    .map(([name, [reason = '', ...more]]) => {
      const times = more.length > 0 ? `${more.length + 1} times` : 'once';
      return `UNSTEADY, failed ${times} and passed when its file ran again: ${name}: ${reason.split('\n')[0] ?? ''}`;
    });
  return { counts, failed, unsteady };
}

const without = (one: TestCounts, other: TestCounts): TestCounts => ({
  passed: one.passed - other.passed,
  failed: one.failed - other.failed,
  skipped: one.skipped - other.skipped,
});
