/**
 * Says that a program that tests need is missing: they are skipped, and counted as skipped. Where `CI` is set every test runs.
 * @throws Error in CI, so that the tests that need it fail.
 */
export function mayMiss(program: string): void {
  if (process.env.CI && process.env.CI !== 'false')
    throw new Error(`${program} is not installed, and CI skips no test.`);
}
