import type { ColumnProfile } from '../../contract/pages/resultCells.ts';
import type { GridColumn, SortKey } from '../../contract/pages/resultsPage.ts';
import type { ResultsStrings } from '../../contract/pages/resultsStrings.ts';
import { ColumnLayout } from './columns/columnLayout.ts';
import { GridSelection } from './gridSelection.ts';
import { RowWindows } from './rowWindows.ts';
import { ScrollScale } from './scrollScale.ts';

/** Height of a row in pixels; the style sheet uses the same. */
export const rowHeight = 24;

/** Everything that the parts of the grid draw from. One object per grid, its members replaced as things change. */
export interface GridModel {
  readonly strings: ResultsStrings;
  readonly selection: GridSelection;
  columns: readonly GridColumn[];
  layout: ColumnLayout;
  windows: RowWindows;
  scale: ScrollScale;
  sort: readonly SortKey[];
  /** By column of the result. */
  filters: Readonly<Record<number, string>>;
  /** What is wrong with a filter, by column of the result. */
  filterProblems: Readonly<Record<number, string>>;
  /** How the values of columns are distributed, by column, as far as that is known. */
  profiles: Map<number, ColumnProfile>;
  /** Text whose cells are marked, in small letters; empty for none. */
  marked: string;
  hasFilterRow: boolean;
  /** @see GridShape */
  isDerived: boolean;
  /** Distance of the first visible pixel from the top of the first row. */
  top: number;
  /** Width of the row numbers at the left. */
  gutter: number;
}

/** A grid that shows nothing yet. */
export function emptyModel(strings: ResultsStrings): GridModel {
  return {
    strings,
    selection: new GridSelection(),
    columns: [],
    layout: new ColumnLayout([]),
    windows: new RowWindows(
      0,
      async () => null,
      () => undefined,
    ),
    scale: new ScrollScale(rowHeight, 0, 0),
    sort: [],
    filters: {},
    filterProblems: {},
    profiles: new Map(),
    marked: '',
    hasFilterRow: false,
    isDerived: false,
    top: 0,
    gutter: 0,
  };
}

/** Whether two views have the same columns, so that these may stay as they are arranged. */
export function hasSameColumns(a: readonly GridColumn[], b: readonly GridColumn[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ key, title, kind }, index) => {
      const other = b[index];
      return key === other?.key && title === other.title && kind === other.kind;
    })
  );
}

/** Rows of the accessibility tree above the first row of data. */
export function headRows(model: GridModel): number {
  return model.hasFilterRow ? 2 : 1;
}

/** Id of a cell's element, for `aria-activedescendant`. */
export function cellId(row: number, place: number): string {
  return `cell-${row}-${place}`;
}

/** Id of a column title's element. */
export function titleId(place: number): string {
  return `title-${place}`;
}

/** Creates an element with a class and, if given, a role. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  role?: string,
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = className;
  if (role !== undefined) element.setAttribute('role', role);
  return element;
}
