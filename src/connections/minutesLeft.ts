/** A few seconds over a minute are no other minute: servers tell their clock to the second only. */
const graceMs = 5_000;

/** Minutes until `moment`, begun ones counted whole, as a countdown is read; at least 0. Both in terms of one clock. */
export function minutesLeft(moment: Date, now: number): number {
  return Math.max(0, Math.ceil((moment.getTime() - now - graceMs) / 60_000));
}
