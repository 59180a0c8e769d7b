import type { Chart } from '../../../../contract/pages/chartFigure.ts';
import type { PromptForm } from '../../../../contract/pages/promptForm.ts';
import type { CellDetail, ColumnProfile, SelectionFigures } from '../../../../contract/pages/resultCells.ts';
import type { GridShape, ResultsSnapshot, ResultsState } from '../../../../contract/pages/resultsPage.ts';
import type { FindState } from './gridFind.ts';

/** Data that the page renders. Immutable: replaced on every change. */
export interface PageView {
  state: ResultsState;
  grid: GridShape | null;
  form: PromptForm | null;
  /** The chart of the displayed view, if it has one. */
  chart: Chart | undefined;
  filterProblems: Readonly<Record<number, string>>;
  isFilterRowShown: boolean;
  selectedCells: number;
  /** Figures of the selected cells, once the host has calculated them. */
  figures: SelectionFigures | undefined;
  /** The cell whose full contents are shown. */
  cell: CellDetail | undefined;
  /** The column whose profile is shown instead. */
  profile: ColumnProfile | undefined;
  /** State of the find bar while it is open. */
  find: FindState | undefined;
  /** Message about the last action, such as copying, or why a request failed. */
  remark: string;
}

/** The initial state of the page. */
export function firstView({ state, grid, form }: ResultsSnapshot): PageView {
  return {
    state,
    grid,
    form,
    chart: undefined,
    filterProblems: {},
    isFilterRowShown: hasFilters(grid),
    selectedCells: 0,
    figures: undefined,
    cell: undefined,
    profile: undefined,
    find: undefined,
    remark: '',
  };
}

/**
 * Changes of the page state for a new grid.
 * @param isAsked whether the user requested its arrangement.
 */
export function withGrid(view: PageView, grid: GridShape | null, isAsked: boolean): Partial<PageView> {
  return {
    grid,
    cell: undefined,
    profile: undefined,
    figures: undefined,
    filterProblems: {},
    chart: grid === null ? undefined : view.chart,
    // Filters carried over from the previous run must be visible.
    isFilterRowShown: view.isFilterRowShown || (!isAsked && hasFilters(grid)),
  };
}

function hasFilters(grid: GridShape | null): boolean {
  return grid !== null && Object.keys(grid.arrangement.filters).length > 0;
}
