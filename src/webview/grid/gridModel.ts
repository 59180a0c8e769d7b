import type { ColumnProfile } from '../../contract/pages/resultCells.ts';
import type { GridColumn, SortKey } from '../../contract/pages/resultsPage.ts';
import { ColumnLayout } from './columns/columnLayout.ts';
import { GridSelection } from './gridSelection.ts';
import { RowWindows } from './rowWindows.ts';
import { ScrollScale } from './scrollScale.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Height of a row in pixels; must match the style sheet. */
export const rowHeight = 24;

/** Data shared by the parts of the grid. One object per grid, whose members are replaced on changes. */
export interface GridModel {
  readonly selection: GridSelection;
  columns: readonly GridColumn[];
  layout: ColumnLayout;
  windows: RowWindows;
  scale: ScrollScale;
  sort: readonly SortKey[];
  /** By column of the result. */
  filters: Readonly<Record<number, string>>;
  /** Problems of the filters, by column of the result. */
  filterProblems: Readonly<Record<number, string>>;
  /** Known value distributions, by column. */
  profiles: Map<number, ColumnProfile>;
  /** Lower-case text to highlight; empty for none. */
  marked: string;
  hasFilterRow: boolean;
  /** @see GridShape */
  isDerived: boolean;
  /** Levels of group headings; 0 for rows without groups. */
  groupDepth: number;
  /** Names of the reports that cells with a drill-down open; empty if unknown. */
  opens: string;
  /** Distance of the first visible pixel from the top of the first row. */
  top: number;
  /** Width of the row numbers on the left. */
  gutter: number;
}

/** An empty grid. */
export function emptyModel(): GridModel {
  return {
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
    groupDepth: 0,
    opens: '',
    top: 0,
    gutter: 0,
  };
}

/** Whether two views have the same columns, so that their arrangement can be kept. */
export function hasSameColumns(a: readonly GridColumn[], b: readonly GridColumn[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ key, title, kind }, index) => {
      const other = b[index];
      return key === other?.key && title === other.title && kind === other.kind;
    })
  );
}

/** Rows of the accessibility tree above the first data row. */
export function headRows(model: GridModel): number {
  return model.hasFilterRow ? 2 : 1;
}

/** Element id of a cell, for `aria-activedescendant`. */
export function cellId(row: number, place: number): string {
  return `cell-${row}-${place}`;
}

/** Element id of a column title. */
export function titleId(place: number): string {
  return `title-${place}`;
}

/** Element id of the problem of a filter, which the page shows, by column of the result. */
export function filterProblemId(ofResult: number): string {
  return `filter-problem-${ofResult}`;
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

/** Why a column that combines several of the result has no filter and no distribution. */
export function combinedColumnText(): string {
  return l10n.t('Combines several columns. To filter them or view their distribution, use the table');
}
