import { noTolerance } from './compareResults.ts';
import type { Tolerance } from './compareResults.ts';

/** Reads `0.01` as a distance and `1%` as a part of the larger number; empty is none. Undefined when it is neither. */
export function readTolerance(text: string): Tolerance | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return noTolerance;
  const parts = /^(\d+(?:[.,]\d+)?|[.,]\d+)\s*(%?)$/.exec(trimmed);
  if (parts === null) return undefined;
  const value = Number((parts[1] ?? '').replace(',', '.'));
  return parts[2] === '%' ? { absolute: 0, relative: value / 100 } : { absolute: value, relative: 0 };
}
