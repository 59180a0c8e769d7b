import { Pacer } from '../../../../client/results/pacer.ts';
import type { CopyParams } from '../../../../contract/pages/resultCells.ts';
import type { RowCells } from '../../../../contract/pages/rowWindow.ts';
import { formulaSafeShown } from '../../../../editor/csv.ts';
import { tabSeparated } from './clipboardText.ts';

const rowsPerStep = 2_000;
/** Cells that are copied at most; beyond, the clipboard and whatever is pasted into give up. */
export const copyLimit = 2_000_000;

/** Rows of text that can be copied. */
interface CopiedRows {
  cells(start: number, count: number, columns: readonly number[]): RowCells;
}

/**
 * A rectangle of cells as text separated by tabs, with the columns' titles above where wanted.
 * @param isSafe whether text that a spreadsheet would take for a formula gets an apostrophe.
 */
export async function copyCells(
  shown: CopiedRows,
  titles: readonly string[],
  { firstRow, lastRow, columns, withHeaders }: CopyParams,
  isSafe = false,
): Promise<string> {
  const safe = (cells: RowCells) => (isSafe ? cells.map((row) => row.map(safeCell)) : cells);
  const known = columns.filter((column) => titles[column] !== undefined);
  const parts = withHeaders ? [tabSeparated(safe([known.map((column) => titles[column] ?? '')]))] : [];
  const pacer = new Pacer(undefined);
  for (let row = firstRow; row <= lastRow; row += rowsPerStep) {
    const cells = shown.cells(row, Math.min(rowsPerStep, lastRow - row + 1), known);
    if (cells.length === 0) break;
    parts.push(tabSeparated(safe(cells)));
    if (pacer.isDue) await pacer.pause();
  }
  return parts.join('\n');
}

function safeCell(text: string | null): string | null {
  return text === null ? null : formulaSafeShown(text);
}
