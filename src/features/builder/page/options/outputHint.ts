import type { BuilderStrings } from '../../pageStrings.ts';

/** The output type that shows groups with totals. API description, Output types. */
export const groupedOutput = 12;

const figures: readonly number[] = [3, 4];
const pivots: readonly number[] = [8, 13];
const charts: readonly number[] = [2, 6, 7, 9, 10, 11, 14];

/** What an output type makes of the fields; undefined for one that is not known. */
export function outputFamily(id: number): 'grid' | 'groups' | 'figures' | 'pivot' | 'chart' | undefined {
  if (id === 0 || id === 1) return 'grid';
  if (id === groupedOutput) return 'groups';
  if (figures.includes(id)) return 'figures';
  if (pivots.includes(id)) return 'pivot';
  return charts.includes(id) ? 'chart' : undefined;
}

/** The same in words; empty for one that is not known. */
export function outputHint(id: number, strings: BuilderStrings): string {
  const family = outputFamily(id);
  const words = {
    grid: strings.outputGrid,
    groups: strings.outputGroups,
    figures: strings.outputFigures,
    pivot: strings.outputPivot,
    chart: strings.outputChart,
  };
  return family === undefined ? '' : words[family];
}
