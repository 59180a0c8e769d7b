import { rowHeight } from './gridModel.ts';
import type { GridModel } from './gridModel.ts';
import type { CellPlace } from './gridSelection.ts';

/** The row at a vertical page position, or the nearest one outside the body. */
export function rowAt({ scale, top }: GridModel, body: HTMLElement, y: number): number {
  const row = Math.floor((y - body.getBoundingClientRect().top + top) / rowHeight);
  return Math.min(Math.max(0, row), scale.rows - 1);
}

/** The cell at a page position, or the nearest one outside the cells; undefined if there is none. */
export function cellAt(
  model: GridModel,
  grid: HTMLElement,
  body: HTMLElement,
  x: number,
  y: number,
): CellPlace | undefined {
  const { scale, layout, gutter } = model;
  if (scale.rows === 0 || layout.count === 0) return undefined;
  const seen = x - grid.getBoundingClientRect().left - gutter;
  const left = layout.distanceAt(seen, grid.scrollLeft);
  return { row: rowAt(model, body, y), place: layout.spanOf(left, left).first };
}

/** The bottom left corner of a visible cell, in page pixels, even if its row is still loading. */
export function cornerOf(
  { layout, gutter, top }: GridModel,
  grid: HTMLElement,
  body: HTMLElement,
  { row, place }: CellPlace,
): { x: number; y: number } {
  return {
    x: grid.getBoundingClientRect().left + gutter + layout.seenAt(place, grid.scrollLeft),
    y: body.getBoundingClientRect().top + (row + 1) * rowHeight - top,
  };
}
