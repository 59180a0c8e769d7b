import type { GridShape } from '../../contract/pages/resultsPage.ts';
import { ColumnLayout } from './columns/columnLayout.ts';
import type { KeptLayout } from './columns/columnLayout.ts';
import { shownSort } from './columns/columnSort.ts';
import type { GridModel } from './gridModel.ts';

const narrowestGutter = 40;
const digitWidth = 8;
const gutterSpace = 20;

/** Lays out other columns than before, and begins at the first cell. `scale` is that of their texts; see textScale. */
export function layOut(model: GridModel, { columns }: GridShape, scale: number, kept?: KeptLayout): void {
  const widths = columns.map(
    ({ width, leastWidth = 0 }, column) => kept?.widths[column] ?? Math.max(leastWidth, Math.round(width * scale)),
  );
  model.layout = new ColumnLayout(widths, kept);
  model.selection.reset();
  model.top = 0;
}

/** Takes over what is shown, and how it is sorted and filtered. */
export function takeShape(model: GridModel, { columns, isDerived, arrangement }: GridShape): void {
  model.columns = columns;
  model.isDerived = isDerived;
  model.sort = shownSort(columns, arrangement);
  model.filters = arrangement.filters;
}

/** Fits the row numbers to their longest; true when that changed. */
export function fitGutter(model: GridModel): boolean {
  const { windows, strings, gutter } = model;
  const digits = windows.rows.toLocaleString(strings.locale).length;
  model.gutter = Math.max(narrowestGutter, digits * digitWidth + gutterSpace);
  return model.gutter !== gutter;
}

/** Columns that stay at the left make way where a grid of this width becomes too narrow for them; true when that changed. */
export function fitFrozen({ layout, gutter }: GridModel, width: number): boolean {
  // A panel behind another has no width.
  if (width === 0) return false;
  const { frozen } = layout;
  layout.room = width - gutter;
  return layout.frozen !== frozen;
}
