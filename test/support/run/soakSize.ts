/** Whether `npm run soak` runs. */
export const isFull = process.env.SOAK === 'full';

/** Size of a test of endurance: small in every run, full by `npm run soak`. */
export function soakSize(small: number, full: number): number {
  return isFull ? full : small;
}

/** How often a property is tried: `small` in every run, `full` by `npm run soak`, or as `PROPERTY_RUNS` says. */
export function propertyRuns(small: number, full: number): number {
  return Number(process.env.PROPERTY_RUNS ?? soakSize(small, full));
}
