import type { GridShape } from '../../contract/pages/resultsPage.ts';
import { ColumnLayout, type StoredLayout } from './columns/columnLayout.ts';
import { shownSort } from './columns/columnSort.ts';
import type { GridModel } from './gridModel.ts';
import * as l10n from '../../l10n/l10n.ts';

const narrowestGutter = 40;
const digitWidth = 8;
const gutterSpace = 20;

/** Replaces the columns and starts at the first cell. `scale` is that of their texts; see textScale. */
export function layOut(model: GridModel, { columns }: GridShape, scale: number, kept?: StoredLayout): void {
  const widths = columns.map(
    ({ width, leastWidth = 0 }, column) => kept?.widths[column] ?? Math.max(leastWidth, Math.round(width * scale)),
  );
  model.layout = new ColumnLayout(widths, kept);
  model.selection.reset();
  model.top = 0;
}

/** Updates the rows shown, and how they are sorted and filtered. */
export function adoptShape(model: GridModel, { columns, isDerived, arrangement, opens, first }: GridShape): void {
  model.columns = columns;
  model.isDerived = isDerived;
  // Groups start with a heading of each level.
  model.groupDepth = Math.max(0, ...(first.levels ?? []));
  model.opens = opens ?? '';
  model.sort = shownSort(columns, arrangement);
  model.filters = arrangement.filters;
}

/** Fits the row number column to the longest number. Returns whether it changed. */
export function fitGutter(model: GridModel): boolean {
  const { windows, gutter } = model;
  const digits = windows.rows.toLocaleString(l10n.language()).length;
  model.gutter = Math.max(narrowestGutter, digits * digitWidth + gutterSpace);
  return model.gutter !== gutter;
}

/** Reduces the frozen columns if the grid becomes too narrow for them. Returns whether it changed. */
export function fitFrozen({ layout, gutter }: GridModel, width: number): boolean {
  // A hidden panel has no width.
  if (width === 0) return false;
  const { frozen } = layout;
  layout.room = width - gutter;
  return layout.frozen !== frozen;
}

/** Average character width assumed by the host, in pixels. */
const reckoned = 7.1;

/**
 * Factor by which the element's font is wider than assumed by the host, which does not know the font; at least 1.
 * @param isBold whether some texts are bold.
 */
export function textScale(element: HTMLElement, isBold: boolean): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 1;
  const { fontSize, fontFamily } = getComputedStyle(element);
  context.font = `${isBold ? '600 ' : ''}${fontSize} ${fontFamily}`;
  const sample = '0123456789';
  return Math.max(1, context.measureText(sample).width / sample.length / reckoned);
}
