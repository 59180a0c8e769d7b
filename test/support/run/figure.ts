/**
 * Prints what a suite has measured for a promise, one line each: `figure R3: 500 late commits, 0 duplicates`. Only what
 * an assertion has held to may be printed as held.
 */
export function figure(promise: string, words: string): void {
  console.log(`figure ${promise}: ${words}`);
}
