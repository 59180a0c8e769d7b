import type { CellValue } from '../../../client/results/resultCell.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import type { RowCells } from '../../../contract/pages/resultCells.ts';
import type { LineSort } from '../../../contract/pages/resultsPage.ts';
import { columnNames, type GridSource, type SourceColumn } from '../view/gridSource.ts';
import type { ArrangedRows } from '../view/arrangedRows.ts';
import { columnRoles, type ChartTexts } from './chartContext.ts';
import { categoryText, groupView, type Measure } from './measures.ts';

/** Maximum number of pivot columns. */
const mostColumns = 400;
const separator = ' · ';
/** Significant digits of a sum; further ones are rounding errors. */
const trustedDigits = 14;

/** A pivot column: the values of the column categories, and its measure. */
interface Heading {
  values: readonly CellValue[];
  texts: readonly string[];
  measure: number;
}

/**
 * One row per value of the first category, and one column per combination of the other categories' values and the
 * measures. Grouped in the host. Columns are ordered by value, rows as in the view.
 * @throws the signal's reason if aborted.
 */
export async function pivotSource(arranged: ArrangedRows, words: ChartTexts, signal: AbortSignal): Promise<GridSource> {
  const roles = columnRoles('pivot', arranged.columns);
  const { groups, measures, joined } = await groupView(arranged, roles, words, signal);
  const [down = 0, ...across] = roles.categories;
  const text = (column: number, value: CellValue) => categoryText(arranged, column, value, words);
  const rows = new Map<string, Float64Array[]>();
  const headings = new Map<string, Heading>();
  for (const group of groups) {
    const texts = across.map((column, level) => text(column, group.values[level + 1]));
    const key = JSON.stringify(texts);
    if (!headings.has(key)) headings.set(key, { values: group.values.slice(1), texts, measure: 0 });
  }
  const ordered = [...headings].toSorted(([, one], [, other]) => compareHeadings(one, other));
  const shown = ordered.slice(0, Math.max(1, Math.floor(mostColumns / measures.length)));
  const places = new Map(shown.map(([key], place) => [key, place]));
  for (const group of groups) {
    const row = text(down, group.values[0]);
    const key = JSON.stringify(across.map((column, level) => text(column, group.values[level + 1])));
    const place = places.get(key);
    let cells = rows.get(row);
    if (cells === undefined) {
      cells = measures.map(() => new Float64Array(shown.length).fill(NaN));
      rows.set(row, cells);
    }
    if (place === undefined) continue;
    for (const [index, measure] of measures.entries()) cells[index]![place] = measure.of(group);
  }
  const notes = joined === 'not' ? [] : [words[joined]];
  if (shown.length < ordered.length) notes.push(words.cut(shown.length, ordered.length));
  const columns = shown.flatMap(([, heading]) => measures.map((_, measure) => ({ ...heading, measure })));
  const types = roles.measures.map((column) => arranged.columns[column]?.source);
  const writers = measures.map((measure, index) => writer(arranged, roles.measures[index], measure));
  const title = arranged.columns[down]?.source.header ?? '';
  return new PivotSource({ column: down, title }, columns, { measures, types, writers }, [...rows], {
    notes,
    lines: arranged.arrangement.lines,
  });
}

/** A row: its category, and its numbers by measure and position. */
type PivotRow = readonly [string, readonly Float64Array[]];

/** The numbers of a pivot and their formats, by measure. */
interface Measured {
  measures: readonly Measure[];
  types: readonly (ResultColumn | undefined)[];
  writers: readonly ((value: number) => string | null)[];
}

class PivotSource implements GridSource {
  readonly columns: readonly SourceColumn[];
  readonly notes: readonly string[];
  readonly #headings: readonly Heading[];
  readonly #rows: readonly PivotRow[];
  readonly #writers: readonly ((value: number) => string | null)[];

  constructor(
    down: { column: number; title: string },
    headings: readonly Heading[],
    { measures, types, writers }: Measured,
    rows: readonly PivotRow[],
    { notes, lines }: { notes: readonly string[]; lines: LineSort | undefined },
  ) {
    this.notes = notes;
    this.#headings = headings;
    this.#writers = writers;
    const names = headings.map(({ texts, measure }) => {
      const isNamed = measures.length > 1 || texts.length === 0;
      return [...texts, ...(isNamed ? [measures[measure]?.name ?? ''] : [])].join(separator);
    });
    this.columns = [
      { title: down.title, kind: 'text', ofResult: down.column },
      ...headings.map((heading, at) => numberColumn(names[at] ?? '', types[heading.measure])),
    ];
    this.#rows = lines === undefined ? rows : this.#sorted(rows, lines);
  }

  get rows(): number {
    return this.#rows.length;
  }

  cells(start: number, count: number, columns = this.columns.map((_, column) => column)): RowCells {
    return this.#rows.slice(Math.max(0, start), Math.max(0, start) + count).map(([name, values]) =>
      columns.map((column) => {
        if (column === 0) return name;
        const heading = this.#headings[column - 1];
        if (heading === undefined) return null;
        const value = this.#valueAt(values, column);
        // A combination without rows is empty, unlike a null from the database.
        return Number.isNaN(value) ? '' : (this.#writers[heading.measure]?.(value) ?? null);
      }),
    );
  }

  values(start: number, count: number, columns: readonly number[]): CellValue[][] {
    return this.#rows.slice(Math.max(0, start), Math.max(0, start) + count).map(([name, values]) =>
      columns.map((column) => {
        if (column === 0) return name;
        const value = this.#valueAt(values, column);
        return Number.isNaN(value) ? undefined : trusted(value);
      }),
    );
  }

  levels(start: number, count: number): number[] {
    return new Array<number>(Math.max(0, Math.min(count, this.rows - start))).fill(0);
  }

  /**
   * Sorts rows by their numbers in a column, those without a number last. Keeps the order if the column does not exist.
   */
  #sorted(rows: readonly PivotRow[], { key, isDescending }: LineSort): readonly PivotRow[] {
    const column = columnNames(this.columns).indexOf(key);
    if (column < 1) return rows;
    return rows.toSorted(([, one], [, other]) => {
      const [a, b] = [this.#valueAt(one, column), this.#valueAt(other, column)];
      if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
      return isDescending ? b - a : a - b;
    });
  }

  #valueAt(values: readonly Float64Array[], column: number): number {
    const { measure = 0 } = this.#headings[column - 1] ?? {};
    return values[measure]?.[Math.floor((column - 1) / this.#writers.length)] ?? NaN;
  }
}

function numberColumn(title: string, typed: ResultColumn | undefined): SourceColumn {
  return { title, kind: 'number', ...(typed && { typed }) };
}

function trusted(value: number): number {
  return Number(value.toPrecision(trustedDigits));
}

function writer(
  arranged: ArrangedRows,
  column: number | undefined,
  measure: Measure,
): (value: number) => string | null {
  const format = column === undefined ? undefined : arranged.columns[column]?.format;
  return (value) => {
    const exact = trusted(value);
    return format?.write(exact) ?? `${exact}${measure.format.suffix}`;
  };
}

function compareHeadings(one: Heading, other: Heading): number {
  for (const [level, value] of one.values.entries()) {
    const against = other.values[level];
    const [a = '', b = ''] = [one.texts[level], other.texts[level]];
    const order =
      typeof value === 'number' && typeof against === 'number'
        ? value - against
        : a.localeCompare(b, undefined, { numeric: true });
    if (order !== 0) return order;
  }
  return 0;
}
