import type { BuilderStrings } from '../../protocol/builderStrings.ts';

/** The output type that shows groups with totals. API description, Output types. */
export const groupedOutput = 12;

const figures: readonly number[] = [3, 4];
const pivots: readonly number[] = [8, 13];
const charts: readonly number[] = [2, 6, 7, 9, 10, 11, 14];

/** What an output type makes of the fields; empty for one that is not known. */
export function outputHint(id: number, strings: BuilderStrings): string {
  if (id === 0 || id === 1) return strings.outputGrid;
  if (id === groupedOutput) return strings.outputGroups;
  if (figures.includes(id)) return strings.outputFigures;
  if (pivots.includes(id)) return strings.outputPivot;
  return charts.includes(id) ? strings.outputChart : '';
}
