import path from 'node:path';

/** The server as it is shipped and as the extension starts it; `npm run build` makes it. */
export const builtServer = {
  script: path.join('dist', 'server.js'),
  nodeArgs: ['--max-semi-space-size=8'],
};

/** Prints a figure with its goal: `ratio` in one run, or `figure` in the unit that its name ends with. */
export function goal(kind: 'ratio' | 'figure', name: string, value: number, limit: number, isLeast = false): void {
  const isMet = isLeast ? value >= limit : value <= limit;
  const shown = value.toFixed(kind === 'ratio' ? 2 : 1);
  console.log(`${kind} ${name} ${shown} goal ${isLeast ? '>= ' : ''}${limit}${isMet ? '' : ' MISSED'}`);
}

/** The value that `share` per cent of `values` do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * share) / 100) - 1)] ?? NaN;
}
