import { Pacer } from '../../../client/results/pacer.ts';
import type { CellValue } from '../../../client/results/resultCell.ts';
import type { RowCells } from '../../../contract/pages/resultCells.ts';
import type { GridSource, SourceColumn } from '../view/gridSource.ts';
import { isFiltered, type ArrangedRows } from '../view/arrangedRows.ts';
import type { ChartTexts } from './chartContext.ts';
import {
  groupedRows,
  linesByTotals,
  type LineGroup,
  groupColumns,
  GroupTotals,
  type GroupTotal,
} from './groupOrder.ts';
import { categoryText } from './measures.ts';

/** Localized texts for the grouped grid. */
export interface GroupTexts extends ChartTexts {
  /** Label of the line for the whole result. */
  all: string;
  /** A group's value and row count. */
  group(value: string, rows: number): string;
  /** Notice that filters make the server's totals invalid. */
  noTotals: string;
}

/** Group heading, with its first row in the store. */
interface GroupHeading extends LineGroup {
  row: number;
}

const rowsPerLook = 4_096;

/**
 * Rows under their group headings, with the totals from the server, and the grand totals at the end. The result's
 * `groups` name the columns. API description, Report result (groups, GroupMetadata).
 * @returns undefined if the result has neither groups nor totals.
 * @throws the signal's reason if aborted.
 */
export async function groupedSource(
  arranged: ArrangedRows,
  words: GroupTexts,
  signal: AbortSignal,
): Promise<GridSource | undefined> {
  const columns = groupColumns(arranged.store);
  const sent = new GroupTotals(arranged.store);
  if (columns.length === 0 && sent.of([]).length === 0) return undefined;
  // The server's totals do not match filtered rows.
  const totals = isFiltered(arranged) ? undefined : sent;
  const rows = await groupedRows(arranged, columns, signal);
  const headings: GroupHeading[] = [];
  const groups: LineGroup[] = [];
  /** Displayed lines: a row number in the store, or a negative number for a heading. */
  const lines = new Int32Array(rows.length * (columns.length + 1));
  let count = 0;
  let open: GroupHeading[] = [];
  const pacer = new Pacer(signal);
  for (const [index, row] of rows.entries()) {
    const values = columns.map((column) => arranged.store.cell(row, column));
    const level = values.findIndex((value, at) => !isSame(value, open.at(-1)?.values[at]));
    if (open.length === 0 || level >= 0) {
      open = open.slice(0, Math.max(0, level));
      for (let at = open.length; at < columns.length; at++) {
        const heading = { level: at + 1, line: count, row, count: 0, values: values.slice(0, at + 1), parts: [] };
        (open.at(-1)?.parts ?? groups).push(heading);
        open.push(heading);
        headings.push(heading);
        lines[count++] = -headings.length;
      }
    }
    for (const heading of open) heading.count++;
    lines[count++] = row;
    if (index % rowsPerLook === 0 && pacer.isDue) await pacer.pause();
  }
  const made = lines.slice(0, count);
  const isByTotals = totals !== undefined && columns.length > 0 && arranged.arrangement.sort.length > 0;
  const shown = isByTotals ? linesByTotals(made, groups, arranged, columns, totals) : made;
  return new GroupedSource(arranged, columns, headings, shown, totals, words);
}

class GroupedSource implements GridSource {
  readonly columns: readonly SourceColumn[];
  readonly notes: readonly string[];
  readonly #arranged: ArrangedRows;
  readonly #grouping: readonly number[];
  readonly #headings: readonly GroupHeading[];
  readonly #lines: Int32Array;
  readonly #words: GroupTexts;
  readonly #totals: GroupTotals | undefined;

  constructor(
    arranged: ArrangedRows,
    grouping: readonly number[],
    headings: readonly GroupHeading[],
    lines: Int32Array,
    totals: GroupTotals | undefined,
    words: GroupTexts,
  ) {
    this.#arranged = arranged;
    this.#grouping = grouping;
    this.#headings = headings;
    this.#lines = lines;
    this.#words = words;
    this.columns = arranged.columns.map(({ source, format }, column) => ({
      title: source.header,
      kind: format.kind,
      key: source.key,
      ofResult: column,
      typed: source,
    }));
    this.#totals = totals;
    this.notes = totals === undefined ? [words.noTotals] : [];
  }

  get rows(): number {
    return this.#lines.length + (this.#hasWhole ? 1 : 0);
  }

  cells(start: number, count: number, columns = this.columns.map((_, column) => column)): RowCells {
    return this.#range(start, count).map((line) => {
      const heading = this.#headingAt(line);
      return columns.map((column) => {
        if (heading !== undefined) return this.#headingCell(heading, column);
        if (line >= this.#lines.length) return this.#wholeCell(column);
        const row = this.#lines[line] ?? -1;
        return this.#arranged.columns[column]?.format.write(this.#arranged.store.cell(row, column)) ?? null;
      });
    });
  }

  values(start: number, count: number, columns: readonly number[]): CellValue[][] {
    return this.#range(start, count).map((line) => {
      const heading = this.#headingAt(line);
      return columns.map((column) => {
        if (heading === undefined && line < this.#lines.length) {
          return this.#arranged.store.cell(this.#lines[line] ?? -1, column);
        }
        const isNamed = heading !== undefined && column === this.#grouping[heading.level - 1];
        const total = isNamed ? undefined : this.#soleTotal(heading?.values ?? [], column);
        if (total !== undefined) return total;
        const text = heading === undefined ? this.#wholeCell(column) : this.#headingCell(heading, column);
        return text === '' ? undefined : text;
      });
    });
  }

  levels(start: number, count: number): number[] {
    return this.#range(start, count).map((line) =>
      line >= this.#lines.length ? -1 : (this.#headingAt(line)?.level ?? 0),
    );
  }

  storeRow(line: number): number | undefined {
    const row = this.#lines[line];
    return row === undefined || row < 0 ? undefined : row;
  }

  get #hasWhole(): boolean {
    return (this.#totals?.of([]).length ?? 0) > 0;
  }

  #range(start: number, count: number): number[] {
    const first = Math.max(0, start);
    return Array.from({ length: Math.max(0, Math.min(count, this.rows - first)) }, (_, i) => first + i);
  }

  #headingAt(line: number): GroupHeading | undefined {
    const row = this.#lines[line] ?? 0;
    return row < 0 ? this.#headings[-row - 1] : undefined;
  }

  #headingCell({ level, row, count, values }: GroupHeading, column: number): string {
    if (column === this.#grouping[level - 1]) {
      const text = categoryText(this.#arranged, column, this.#arranged.store.cell(row, column), this.#words);
      return this.#words.group(text, count);
    }
    return this.#totalText(this.#totals?.of(values) ?? [], column);
  }

  #wholeCell(column: number): string {
    const text = this.#totalText(this.#totals?.of([]) ?? [], column);
    return text === '' && column === (this.#grouping[0] ?? 0) ? this.#words.all : text;
  }

  /** The total of a group in a column, if it is a number and the only total. */
  #soleTotal(values: readonly CellValue[], column: number): number | undefined {
    const key = this.#arranged.columns[column]?.source.key;
    const own = (this.#totals?.of(values) ?? []).filter((total) => total.key === key);
    const [first] = own;
    return own.length === 1 && typeof first?.val === 'number' ? first.val : undefined;
  }

  /** A count does not use the format of its column, such as percent or date. */
  #written(column: number, func: string | null | undefined, val: GroupTotal['val']): string | null {
    const { columns, locale } = this.#arranged;
    const count = /^count/i.test(func ?? '') && val !== null && val !== '' ? Number(val) : NaN;
    return Number.isFinite(count)
      ? count.toLocaleString(locale.language)
      : (columns[column]?.format.write(val) ?? null);
  }

  #totalText(totals: readonly GroupTotal[], column: number): string {
    const shown = this.#arranged.columns[column];
    const own = totals.filter(({ key }) => key === shown?.source.key);
    return own
      .map(({ func, val, percent }) => {
        const text = this.#written(column, func, val) ?? this.#words.noValue;
        const share = typeof percent === 'number' ? ` (${Number(percent.toFixed(1))} %)` : '';
        const isSum = own.length === 1 && (func ?? 'SUM').toUpperCase() === 'SUM';
        return `${isSum ? '' : `${(func ?? '').toLowerCase()} `}${text}${share}`;
      })
      .join(' · ');
  }
}

function isSame(one: CellValue, other: CellValue): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return one.text === other.text;
}
