/** A few seconds over a minute are no other minute: servers tell their clock to the second only. */
const graceMs = 5_000;

/** Minutes until `moment`, begun ones counted whole, as a countdown is read; at least 0. Both in terms of one clock. */
export function minutesLeft(moment: Date, now: number): number {
  return Math.max(0, Math.ceil((moment.getTime() - now - graceMs) / 60_000));
}

/**
 * The same in steps of five minutes, and to the minute for the last five: for places where every change of the figure
 * costs something.
 */
export function aboutMinutesLeft(moment: Date, now: number): number {
  const minutes = minutesLeft(moment, now);
  return minutes > 5 ? Math.ceil(minutes / 5) * 5 : minutes;
}
