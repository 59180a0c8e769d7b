import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { cacheFolder } from './vscodeHost/paths.ts';

const countsSchema = z.object({ passed: z.number(), failed: z.number(), skipped: z.number() });

/** How many tests of a suite passed, failed and were skipped. */
export type TestCounts = z.infer<typeof countsSchema>;

/** The part that we read of the report of Vitest's json reporter. A file that cannot be loaded counts as a failed suite. */
const vitestSchema = z
  .object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    numPendingTests: z.number(),
    numTodoTests: z.number(),
    testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
  })
  .transform((report): TestCounts => {
    const unloadable = report.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloadable.length,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  });

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
  return text === undefined ? undefined : z.union([countsSchema, vitestSchema]).parse(JSON.parse(text));
}
