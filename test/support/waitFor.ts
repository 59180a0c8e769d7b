import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again and again until there is an answer other than undefined or false.
 * @param what is awaited, for the message of the error: `the webview "Results"`.
 * @param deadline in milliseconds.
 * @throws Error that names what was awaited, with the last failure of the question as its cause.
 */
export async function waitFor<T>(
  what: string,
  question: () => Promise<T | undefined | false>,
  deadline = 20_000,
): Promise<T> {
  const end = Date.now() + deadline;
  let cause: unknown;
  do {
    try {
      const answer = await question();
      if (answer !== undefined && answer !== false) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await pause(50);
  } while (Date.now() < end);
  throw new Error(`Waited ${deadline / 1000} s in vain for ${what}`, { cause });
}
