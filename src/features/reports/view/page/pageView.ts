import type { Chart } from '../../../../contract/pages/chartFigure.ts';
import type { PromptForm } from '../../../../contract/pages/promptForm.ts';
import type { CellDetail, ColumnProfile, SelectionFigures } from '../../../../contract/pages/resultCells.ts';
import type { GridShape, ResultsSnapshot, ResultsState } from '../../../../contract/pages/resultsPage.ts';
import type { ResultsStrings } from '../../../../contract/pages/resultsStrings.ts';
import type { FindState } from './gridFind.ts';

/** What the page draws. Replaced whole at every change. */
export interface PageView {
  strings: ResultsStrings;
  state: ResultsState;
  grid: GridShape | null;
  form: PromptForm | null;
  /** The chart of the view shown, while there is one. */
  chart: Chart | undefined;
  filterProblems: Readonly<Record<number, string>>;
  isFilterRowShown: boolean;
  selectedCells: number;
  /** Figures of the selected cells, once the host has counted. */
  figures: SelectionFigures | undefined;
  /** The cell that is shown whole. */
  cell: CellDetail | undefined;
  /** The column whose values are shown in its place. */
  profile: ColumnProfile | undefined;
  /** What the find bar shows while it is open. */
  find: FindState | undefined;
  /** Words about the last thing done, such as copying; or why a request failed. */
  remark: string;
}

/** What the page draws at first. */
export function firstView({ strings, state, grid, form }: ResultsSnapshot): PageView {
  return {
    strings,
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
 * What changes of a view where another grid is shown.
 * @param isAsked whether the user asked for its arrangement.
 */
export function withGrid(view: PageView, grid: GridShape | null, isAsked: boolean): Partial<PageView> {
  return {
    grid,
    cell: undefined,
    profile: undefined,
    figures: undefined,
    filterProblems: {},
    chart: grid === null ? undefined : view.chart,
    // Filters that stayed from the run before must not work unseen.
    isFilterRowShown: view.isFilterRowShown || (!isAsked && hasFilters(grid)),
  };
}

function hasFilters(grid: GridShape | null): boolean {
  return grid !== null && Object.keys(grid.arrangement.filters).length > 0;
}
