import type { CellValue } from '../../../client/results/resultCell.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import { cellFormat } from '../view/format/cellFormat.ts';
import type { CellFormat, CellLocale } from '../view/format/cellFormat.ts';
import type { SourceColumn } from '../view/gridSource.ts';
import { cellsEqual, movedTimes, toleranceOf } from './compareResults.ts';
import type { ColumnTolerance, ComparedColumn, Comparison, StoredZones, Tolerance } from './compareResults.ts';

/** Localized texts for a comparison, supplied by the caller. */
export interface ComparisonTexts {
  change: string;
  changed: string;
  added: string;
  removed: string;
  nullText: string;
}

/** How values are compared and shown. */
interface ComparedHow {
  tolerance: Tolerance;
  zones: StoredZones;
  locale: CellLocale;
}

interface ShownPair extends ComparedColumn {
  format: CellFormat;
  allowed: ColumnTolerance;
  moved: (value: CellValue) => CellValue;
}

/**
 * The differing rows: changed rows with both values where they differ, then added rows, then removed rows. Column 0
 * holds the kind of difference.
 */
export class ComparisonSource {
  readonly columns: readonly SourceColumn[];
  readonly rows: number;
  readonly #stores: { before: ResultStore; after: ResultStore };
  readonly #comparison: Comparison;
  readonly #words: ComparisonTexts;
  readonly #pairs: readonly ShownPair[];

  constructor(
    stores: { before: ResultStore; after: ResultStore },
    comparison: Comparison,
    { tolerance, zones, locale }: ComparedHow,
    words: ComparisonTexts,
  ) {
    this.#stores = stores;
    this.#comparison = comparison;
    this.#words = words;
    const { changed, added, removed, keys, values } = comparison;
    this.rows = changed.after.length + added.length + removed.length;
    this.#pairs = [...keys, ...values].flatMap((column) => {
      const source = stores.after.columns[column.after];
      if (source === undefined) return [];
      const allowed = toleranceOf(column, stores.after, tolerance);
      const moved = movedTimes(column, stores.after, zones);
      return [{ ...column, format: cellFormat(source, locale), allowed, moved }];
    });
    const shown = this.#pairs.map(({ key, after, format }): SourceColumn => {
      const typed = stores.after.columns[after];
      // A drill-down needs the run that the row belongs to.
      const isTyped = typed !== undefined && format.kind !== 'drill';
      return { title: typed?.header ?? '', kind: format.kind, key, ...(isTyped && { typed }) };
    });
    this.columns = [{ title: words.change, kind: 'text' }, ...shown];
  }

  /** Cell values of up to `count` rows from `start`. `columns` selects and orders the columns. */
  values(start: number, count: number, columns: readonly number[]): CellValue[][] {
    const first = Math.max(0, start);
    const length = Math.max(0, Math.min(count, this.rows - first));
    return Array.from({ length }, (_, i) => {
      const row = this.#row(first + i);
      return columns.map((column) => row[column]);
    });
  }

  #row(row: number): CellValue[] {
    const { changed, added, removed } = this.#comparison;
    const { before, after } = this.#stores;
    const now = changed.after[row];
    if (now !== undefined) {
      const rows = { before: changed.before[row] ?? -1, after: now };
      return [this.#words.changed, ...this.#pairs.map((column) => this.#both(column, rows))];
    }
    const addedRow = added[row - changed.after.length];
    if (addedRow !== undefined) {
      return [this.#words.added, ...this.#pairs.map(({ after: column }) => after.cell(addedRow, column))];
    }
    const removedRow = removed[row - changed.after.length - added.length] ?? -1;
    return [
      this.#words.removed,
      ...this.#pairs.map(({ before: column, moved }) => moved(before.cell(removedRow, column))),
    ];
  }

  /** The value, or both values if they differ. */
  #both(column: ShownPair, rows: { before: number; after: number }): CellValue {
    const { before, after } = this.#stores;
    const [old, now] = [column.moved(before.cell(rows.before, column.before)), after.cell(rows.after, column.after)];
    if (cellsEqual(old, now, column.allowed)) return now;
    const { write } = column.format;
    return `${write(old) ?? this.#words.nullText} → ${write(now) ?? this.#words.nullText}`;
  }
}
