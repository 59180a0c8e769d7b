import type { ResultStore } from '../../client/results/resultStore.ts';
import type { RowCells } from '../../protocol/rowWindow.ts';
import { cellFormat } from '../cellFormat.ts';
import type { CellFormat, CellLocale } from '../cellFormat.ts';
import type { GridSource, SourceColumn } from '../gridSource.ts';
import { cellsEqual, toleranceOf } from './compareResults.ts';
import type { ColumnTolerance, ComparedColumn, Comparison, Tolerance } from './compareResults.ts';

/** Words of a comparison, translated by whoever shows it. */
export interface ComparisonWords {
  change: string;
  changed: string;
  added: string;
  removed: string;
  nullText: string;
  /** What the reader should know of how it was made. */
  notes: readonly string[];
}

interface ShownPair extends ComparedColumn {
  format: CellFormat;
  allowed: ColumnTolerance;
}

/** The rows that differ: changed ones with both values where these differ, then added, then removed ones. */
export class ComparisonSource implements GridSource {
  readonly columns: readonly SourceColumn[];
  readonly rows: number;
  readonly notes: readonly string[];
  readonly #stores: { before: ResultStore; after: ResultStore };
  readonly #comparison: Comparison;
  readonly #words: ComparisonWords;
  readonly #pairs: readonly ShownPair[];

  constructor(
    stores: { before: ResultStore; after: ResultStore },
    comparison: Comparison,
    tolerance: Tolerance,
    locale: CellLocale,
    words: ComparisonWords,
  ) {
    this.#stores = stores;
    this.#comparison = comparison;
    this.#words = words;
    const { changed, added, removed, keys, values } = comparison;
    this.rows = changed.length + added.length + removed.length;
    this.notes = words.notes;
    this.#pairs = [...keys, ...values].flatMap((column) => {
      const source = stores.after.columns[column.after];
      if (source === undefined) return [];
      return [{ ...column, format: cellFormat(source, locale), allowed: toleranceOf(column, stores.after, tolerance) }];
    });
    const titles = this.#pairs.map(({ after, format }): SourceColumn => ({
      title: stores.after.columns[after]?.header ?? '',
      kind: format.kind === 'number' ? 'number' : 'text',
    }));
    this.columns = [{ title: words.change, kind: 'text' }, ...titles];
  }

  cells(start: number, count: number, columns = this.columns.map((_, column) => column)): RowCells {
    const first = Math.max(0, start);
    const length = Math.max(0, Math.min(count, this.rows - first));
    return Array.from({ length }, (_, i) => {
      const row = this.#row(first + i);
      return columns.map((column) => row[column] ?? null);
    });
  }

  levels(start: number, count: number): number[] {
    return new Array<number>(Math.max(0, Math.min(count, this.rows - start))).fill(0);
  }

  #row(row: number): (string | null)[] {
    const { changed, added, removed } = this.#comparison;
    const { before, after } = this.#stores;
    const pair = changed[row];
    if (pair !== undefined) return [this.#words.changed, ...this.#pairs.map((column) => this.#both(column, pair))];
    const addedRow = added[row - changed.length];
    if (addedRow !== undefined) {
      const cells = this.#pairs.map(({ format, after: column }) => format.write(after.cell(addedRow, column)));
      return [this.#words.added, ...cells];
    }
    const removedRow = removed[row - changed.length - added.length] ?? -1;
    return [
      this.#words.removed,
      ...this.#pairs.map(({ format, before: column }) => format.write(before.cell(removedRow, column))),
    ];
  }

  /** The value, or both where they differ. */
  #both(column: ShownPair, rows: { before: number; after: number }): string | null {
    const { before, after } = this.#stores;
    const [old, now] = [before.cell(rows.before, column.before), after.cell(rows.after, column.after)];
    const text = column.format.write(now);
    if (cellsEqual(old, now, column.allowed)) return text;
    return `${column.format.write(old) ?? this.#words.nullText} → ${text ?? this.#words.nullText}`;
  }
}
