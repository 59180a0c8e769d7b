import type { AxisSeries } from '../../contract/pages/chartFigure.ts';

/** Where a value axis begins and ends, and how far its marks are apart. */
export interface AxisBounds {
  min: number;
  max: number;
  interval: number;
}

/** Spaces between the marks of an axis, more or less. */
const spaces = 5;

/**
 * Bounds of the axes at the left and at the right that put nought at the same height, and their marks, too; undefined where it
 * is there by itself, as on one axis, or where all values lie on the same side of it.
 */
export function sharedNought(series: readonly AxisSeries[]): readonly [AxisBounds, AxisBounds] | undefined {
  const [left, right] = [reach(series, 0), reach(series, 1)];
  if (!series.some(({ axis }) => axis === 1)) return undefined;
  if (left.low + right.low === 0 || left.high + right.high === 0) return undefined;
  const share = Math.max(shareBelow(left), shareBelow(right));
  const shareAbove = Math.max(1 - shareBelow(left), 1 - shareBelow(right));
  const below = Math.min(spaces - 1, Math.max(1, Math.round((spaces * share) / (share + shareAbove))));
  const bounds = ({ low, high }: Reach): AxisBounds => {
    const interval = roundStep(Math.max(-low / below, high / (spaces - below)));
    return { min: -interval * below, max: interval * (spaces - below), interval };
  };
  return [bounds(left), bounds(right)];
}

/** How far the values of an axis lie from nought. */
interface Reach {
  low: number;
  high: number;
}

function reach(series: readonly AxisSeries[], axis: 0 | 1): Reach {
  let low = 0;
  let high = 0;
  for (const one of series) {
    if (one.axis !== axis) continue;
    for (const value of one.values) {
      if (value < low) low = value;
      else if (value > high) high = value;
    }
  }
  return { low, high };
}

function shareBelow({ low, high }: Reach): number {
  return low === high ? 0 : -low / (high - low);
}

/** The next number of 1, 2, 2.5, 5 times a power of ten that is no smaller. */
function roundStep(size: number): number {
  if (size === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 2.5, 5].map((step) => step * power).find((step) => step >= size) ?? 10 * power;
}
