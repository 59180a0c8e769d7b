import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { cacheFolder } from './vscodeHost/paths.ts';

const countsSchema = z.object({ passed: z.number(), failed: z.number(), skipped: z.number() });

/** How many tests of a suite passed, failed and were skipped. */
export type TestCounts = z.infer<typeof countsSchema>;

const fileSchema = z.object({
  name: z.string(),
  status: z.string(),
  assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
});

/** The part that we read of the report of Vitest's json reporter. */
const vitestSchema = z.object({ testResults: z.array(fileSchema) });

/** A file with tests that failed. */
export interface FailedFile {
  /** Absolute path. */
  readonly file: string;
  readonly counts: TestCounts;
  /** Full names of the tests that failed; the file's own where it could not be loaded. */
  readonly failed: readonly string[];
}

/** Where the counts of a suite are left for whoever started it. */
export const resultFile = (suite: string): string => path.join(cacheFolder, 'results', `${suite}.json`);

/** Removes what an earlier run left, so that a crash cannot show old counts. Creates the folder. */
export async function clearResult(suite: string): Promise<void> {
  await mkdir(path.dirname(resultFile(suite)), { recursive: true });
  await rm(resultFile(suite), { force: true });
}

/** The counts that a suite left, by our own runner or by Vitest; undefined when it ended before it could leave any. */
export async function readResult(suite: string): Promise<TestCounts | undefined> {
  const text = await readFile(resultFile(suite), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const report = z.union([countsSchema, vitestSchema]).parse(JSON.parse(text));
  return 'testResults' in report ? report.testResults.map(countsOf).reduce(sumCounts, none) : report;
}

/** The files of a suite with failed tests, where Vitest ran it. */
export async function failedFiles(suite: string): Promise<FailedFile[]> {
  const { testResults } = vitestSchema.parse(JSON.parse(await readFile(resultFile(suite), 'utf8')));
  return testResults
    .map((file) => ({ file: file.name, counts: countsOf(file), failed: failuresOf(file) }))
    .filter(({ counts }) => counts.failed > 0);
}

const none: TestCounts = { passed: 0, failed: 0, skipped: 0 };

/** Adds up. */
export const sumCounts = (one: TestCounts, other: TestCounts): TestCounts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
});

const failuresOf = ({ name, assertionResults }: z.infer<typeof fileSchema>): string[] => {
  const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  return failed.length > 0 ? failed : [name];
};

/** A file that fails outside its tests, as one that cannot be loaded, counts as one failure more. */
function countsOf({ status, assertionResults }: z.infer<typeof fileSchema>): TestCounts {
  const [passed, failed] = ['passed', 'failed'].map(
    (wanted) => assertionResults.filter((test) => test.status === wanted).length,
  );
  const failures = status === 'failed' && failed === 0 ? 1 : (failed ?? 0);
  return { passed: passed ?? 0, failed: failures, skipped: assertionResults.length - (passed ?? 0) - (failed ?? 0) };
}
