import type { ECharts } from 'echarts/core';
import type { ChartInput } from './drawing.ts';
import type { MarkRow } from './chartMarks.ts';

/** A rectangle in pixels of the chart. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Side of the box around a point, and smallest side of any. */
const pointSide = 14;
const leastSide = 10;

/** What ECharts has drawn for a series, as far as used: no public function tells where a bar or an area is. */
interface DrawnData {
  indexOfRawIndex(index: number): number;
  indexOfName(name: string): number;
  getItemLayout(index: number): unknown;
  getItemGraphicEl(index: number): DrawnElement | undefined;
}
interface DrawnElement {
  getBoundingRect(): { clone(): Rect };
  getComputedTransform(): number[] | null | undefined;
}
interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  applyTransform(matrix: number[]): void;
}
interface DrawnModel {
  getModel(): { getSeriesByIndex(index: number): { getData(): DrawnData } | undefined };
}

/** Where a value is drawn; undefined if it is not in view. */
export function markBox(
  chart: ECharts,
  figure: ChartInput,
  { series, offset, labels, values }: MarkRow,
  index: number,
): Box | undefined {
  const data = (chart as unknown as DrawnModel).getModel().getSeriesByIndex(series)?.getData();
  if (data === undefined || figure.kind === 'gauge') return undefined;
  switch (figure.kind) {
    case 'axes': {
      const bar = figure.series[series]?.mark === 'bar' ? elementBox(data, data.indexOfRawIndex(index)) : undefined;
      return bar ?? pointBox(chart.convertToPixel({ seriesIndex: series }, [index, values[index] ?? NaN]));
    }
    case 'pie':
      return sliceBox(data.getItemLayout(index));
    case 'map':
      return elementBox(data, data.indexOfName(labels[index] ?? ''));
    // The first item is the whole.
    case 'tree':
      return elementBox(data, offset + index + 1);
  }
}

function elementBox(data: DrawnData, index: number): Box | undefined {
  const element = index < 0 ? undefined : data.getItemGraphicEl(index);
  if (element === undefined) return undefined;
  const rect = element.getBoundingRect().clone();
  const transform = element.getComputedTransform();
  if (transform) rect.applyTransform(transform);
  // Bars below zero have a negative height.
  return boxOf(rect.x + rect.width / 2, rect.y + rect.height / 2, Math.abs(rect.width), Math.abs(rect.height));
}

function pointBox(point: readonly number[] | number): Box | undefined {
  const [x = NaN, y = NaN] = typeof point === 'number' ? [] : point;
  return boxOf(x, y, pointSide, pointSide);
}

/** A box at the middle of a slice. */
function sliceBox(layout: unknown): Box | undefined {
  const numbers: Record<string, unknown> = typeof layout === 'object' && layout !== null ? { ...layout } : {};
  const [x, y, from, to, inner, outer] = ['cx', 'cy', 'startAngle', 'endAngle', 'r0', 'r'].map((name) =>
    Number(numbers[name]),
  );
  const angle = ((from ?? NaN) + (to ?? NaN)) / 2;
  const radius = ((inner ?? NaN) + (outer ?? NaN)) / 2;
  const side = 2 * pointSide;
  return boxOf((x ?? NaN) + radius * Math.cos(angle), (y ?? NaN) + radius * Math.sin(angle), side, side);
}

function boxOf(x: number, y: number, width: number, height: number): Box | undefined {
  if (![x, y, width, height].every(Number.isFinite)) return undefined;
  const [wide, high] = [Math.max(width, leastSide), Math.max(height, leastSide)];
  return { left: x - wide / 2, top: y - high / 2, width: wide, height: high };
}
