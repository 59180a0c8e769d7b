/**
 * Tolerance, so that a few seconds over a minute do not count as another minute: servers send times in whole seconds.
 */
const graceMs = 5_000;

/** Minutes until `moment`, rounded up as in a countdown; at least 0. Both arguments must be from the same clock. */
export function minutesLeft(moment: Date, now: number): number {
  return Math.max(0, Math.ceil((moment.getTime() - now - graceMs) / 60_000));
}

/**
 * The same in steps of five minutes, and to the minute for the last five: for displays that are expensive to update.
 */
export function aboutMinutesLeft(moment: Date, now: number): number {
  const minutes = minutesLeft(moment, now);
  return minutes > 5 ? Math.ceil(minutes / 5) * 5 : minutes;
}
