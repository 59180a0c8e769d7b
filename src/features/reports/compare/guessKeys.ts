import { Pacer } from '../../../client/results/pacer.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import { cellFormat } from '../view/format/cellFormat.ts';
import type { CellLocale } from '../view/format/cellFormat.ts';
import { commonColumns, keyText } from './compareResults.ts';

/** Rows that are looked at: whoever compares confirms the keys. */
const sampledRows = 20_000;
const rowsPerLook = 512;

/**
 * The columns that probably tell the rows apart: as few as needed of those that hold no numbers, from the left. Where these
 * do not suffice, all of them; none where there are only numbers.
 */
export async function guessKeys(before: ResultStore, after: ResultStore, locale: CellLocale): Promise<string[]> {
  const categories = commonColumns(before, after).filter((column) => {
    const source = after.columns[column.after];
    return source !== undefined && cellFormat(source, locale).kind !== 'number';
  });
  for (let count = 1; count <= categories.length; count++) {
    const columns = categories.slice(0, count).map((column) => column.after);
    if (await areUnique(after, columns)) return categories.slice(0, count).map(({ key }) => key);
  }
  return categories.map(({ key }) => key);
}

async function areUnique(store: ResultStore, columns: readonly number[]): Promise<boolean> {
  const pacer = new Pacer(undefined);
  const seen = new Set<string>();
  const rows = Math.min(store.rowCount, sampledRows);
  for (let row = 0; row < rows; row++) {
    const key = keyText(store, row, columns);
    if (seen.has(key)) return false;
    seen.add(key);
    if (row % rowsPerLook === 0 && pacer.isDue) await pacer.pause();
  }
  return true;
}
