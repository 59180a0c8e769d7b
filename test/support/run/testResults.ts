import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { cacheFolder, projectRoot } from '../vscodeHost/paths.ts';

/** How many tests of a suite passed, failed and were skipped. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const fileSchema = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string().default(''),
  startTime: z.number().default(0),
  endTime: z.number().default(0),
  assertionResults: z.array(
    z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).default([]) }),
  ),
});

/** The part that we read of the report of Vitest's json reporter. */
const reportSchema = z.object({ testResults: z.array(fileSchema) });

/** A test that failed. */
export interface FailedTest {
  /** The full name; its file's where that could not be loaded. */
  readonly name: string;
  /** What was wrong, in as few lines as a summary bears. */
  readonly reason: string;
}

/** A file with tests that failed. */
export interface FailedFile {
  /** Absolute path. */
  readonly file: string;
  readonly counts: TestCounts;
  readonly failed: readonly FailedTest[];
}

/** Where the results of a suite are left for whoever started it. */
export const resultFile = (suite: string): string => path.join(cacheFolder, 'results', `${suite}.json`);

/** Removes what an earlier run left, so that a crash cannot show old counts. Creates the folder. */
export async function clearResult(suite: string): Promise<void> {
  await mkdir(path.dirname(resultFile(suite)), { recursive: true });
  await rm(resultFile(suite), { force: true });
}

/** The counts that a suite left; undefined when it ended before it could leave any. */
export async function readResult(suite: string): Promise<TestCounts | undefined> {
  const text = await readFile(resultFile(suite), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  return reportSchema.parse(JSON.parse(text)).testResults.map(countsOf).reduce(sumCounts, none);
}

/** The files of a suite with failed tests. */
export async function failedFiles(suite: string): Promise<FailedFile[]> {
  const { testResults } = reportSchema.parse(JSON.parse(await readFile(resultFile(suite), 'utf8')));
  return testResults
    .map((file) => ({ file: file.name, counts: countsOf(file), failed: failuresOf(file) }))
    .filter(({ counts }) => counts.failed > 0);
}

/** A file and how long it took. */
export interface TimedFile {
  /** Relative to the project. */
  readonly file: string;
  readonly seconds: number;
}

/** How long each file of a suite took; none where the suite left no results or no times. */
export async function timedFiles(suite: string): Promise<TimedFile[]> {
  const text = await readFile(resultFile(suite), 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  return reportSchema
    .parse(JSON.parse(text))
    .testResults.filter(({ endTime }) => endTime > 0)
    .map(({ name, startTime, endTime }) => ({
      file: path.relative(projectRoot, name),
      seconds: (endTime - startTime) / 1000,
    }));
}

const none: TestCounts = { passed: 0, failed: 0, skipped: 0 };

/** Adds up. */
export const sumCounts = (one: TestCounts, other: TestCounts): TestCounts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
});

/** Counts in words; they end with `N passed, N failed`, which the last line of a run must. */
export const describeCounts = ({ passed, failed, skipped }: TestCounts): string =>
  `${skipped > 0 ? `${skipped} skipped; ` : ''}${passed} passed, ${failed} failed`;

/** The lines of a reason that stand in a summary. */
const reasonLines = 12;

const reasonOf = (messages: readonly string[]): string =>
  messages.join('\n').split('\n').slice(0, reasonLines).join('\n');

const failuresOf = ({ name, message, assertionResults }: z.infer<typeof fileSchema>): FailedTest[] => {
  const failed = assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ name: fullName, reason: reasonOf(failureMessages) }));
  return failed.length > 0 ? failed : [{ name, reason: reasonOf([message]) }];
};

/** A file that fails outside its tests, as one that cannot be loaded, counts as one failure more. */
function countsOf({ status, assertionResults }: z.infer<typeof fileSchema>): TestCounts {
  const [passed, failed] = ['passed', 'failed'].map(
    (wanted) => assertionResults.filter((test) => test.status === wanted).length,
  );
  const failures = status === 'failed' && failed === 0 ? 1 : (failed ?? 0);
  return { passed: passed ?? 0, failed: failures, skipped: assertionResults.length - (passed ?? 0) - (failed ?? 0) };
}
