import type { GridOutput, OutputKind } from '../../../contract/pages/chartFigure.ts';

/** By output type number; the data grid (0, 1) is the table itself. API description, Output types. */
const kinds: Readonly<Record<number, OutputKind>> = {
  2: 'chart',
  3: 'kpi',
  4: 'gauge',
  6: 'pie',
  7: 'combo',
  8: 'pivot',
  9: 'treemap',
  10: 'map',
  11: 'skyline',
  12: 'groups',
  13: 'pivot2',
  14: 'chart2',
};

/** How a report of this output type is shown besides as a table; undefined where it is a table only. */
export function outputKind(outputType: unknown): OutputKind | undefined {
  return typeof outputType === 'number' || typeof outputType === 'string' ? kinds[Number(outputType)] : undefined;
}

/** Whether an output is a grid of its own. */
export function isGridOutput(kind: OutputKind): kind is GridOutput {
  return kind === 'pivot' || kind === 'pivot2' || kind === 'groups';
}
