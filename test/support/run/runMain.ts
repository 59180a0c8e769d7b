/**
 * Runs a script's main function and ends the process with the code that it returns. An error is told by its message and
 * those of its causes, which say what to do, and ends the process with code 1.
 */
export async function runMain(main: () => Promise<number>): Promise<never> {
  try {
    process.exit(await main());
  } catch (error) {
    for (let cause: unknown = error; cause !== undefined; cause = cause instanceof Error ? cause.cause : undefined)
      console.error(cause instanceof Error ? cause.message : cause);
    process.exit(1);
  }
}
