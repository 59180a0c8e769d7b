import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { unpackRows } from '../../../../contract/pages/resultCells.ts';
import type { GridShape, SortKey } from '../../../../contract/pages/resultsPage.ts';
import { shownSort, sortArrangement } from '../../../../webview/grid/columns/columnSort.ts';
import { DataGrid } from '../../../../webview/grid/dataGrid.ts';
import { RowWindows } from '../../../../webview/grid/rowWindows.ts';
import { nextSort, withFilter } from './arrangement.ts';
import { isRunning } from './describe.ts';
import type { PageModel } from './pageModel.ts';
import type { PageView } from './pageView.ts';

interface GridViewProps {
  model: PageModel;
  view: PageView;
  grid: GridShape;
  /** Whether a chart is shown in its place; what is selected stays. */
  isHidden: boolean;
}

/** The grid, which draws itself; this hands it what the host said. */
export function GridView({ model, view, grid, isHidden }: GridViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const held = useRef<DataGrid>(undefined);

  // At once, and not after the page has been painted: rows would come a frame or two later.
  useLayoutEffect(() => {
    if (place.current === null) return undefined;
    const sort = (column: number, next: (shown: readonly SortKey[]) => readonly SortKey[]) => {
      const columns = model.view?.grid?.columns ?? [];
      model.arrange(sortArrangement(columns, next(shownSort(columns, model.arrangement)), column));
    };
    const data = new DataGrid(place.current, view.strings, {
      onSort: (column, isAdding) => sort(column, (shown) => nextSort(shown, column, isAdding)),
      onSortBy: (column, isDescending) => sort(column, () => [{ column, isDescending }]),
      onFilter: (column, text) => model.arrange({ filters: withFilter(model.arrangement.filters, column, text) }),
      onCopy: (range, columns, withHeaders) => void model.copy(range.firstRow, range.lastRow, columns, withHeaders),
      onOpenLink: (row, column) => model.openLink(row, column),
      onDrill: (row, column) => model.drill(row, column),
      onCopyAs: (range, columns) => void model.copyAs({ ...range, columns }),
      onSelect: (cells, range, columns) => model.select(cells, range && { ...range, columns }),
      onOpenCell: (row, column) => void model.openCell(row, column),
      onOpenProfile: (column) => void model.openProfile(column),
      onLayout: (layout) => model.keepLayout(layout),
    });
    held.current = data;
    model.find.grid = data;
    model.onGrowth((rows) => data.grow(rows));
    return () => {
      model.find.grid = undefined;
      data.dispose();
    };
  }, []);

  useLayoutEffect(() => {
    const data = held.current;
    if (data === undefined) return;
    const fetchRows = async (start: number, count: number) => {
      const window = await model.link.request('rows', { view: grid.view, start, count });
      return window === null ? null : { rows: unpackRows(window), levels: window.levels };
    };
    const windows = new RowWindows(grid.rows, fetchRows, (start, end) => data.arrived(start, end), grid.columns.length);
    windows.preload({ rows: unpackRows(grid.first), levels: grid.first.levels });
    data.show(grid, windows, grid.isDerived ? undefined : model.layout);
    model.find.viewChanged();
  }, [grid.view]);

  // While rows come, every profile would be out of date at once.
  const isResting = !isRunning(view.state.phase);
  useEffect(() => {
    held.current?.showProfiles(isResting ? (column) => model.profile(grid.view, column) : undefined);
  }, [grid.view, isResting]);

  useEffect(() => {
    held.current?.showFilterRow(view.isFilterRowShown, model.takeFilterWish());
  }, [view.isFilterRowShown]);
  useEffect(() => held.current?.showFilterProblems(view.filterProblems), [view.filterProblems]);

  return <div class="grid-place" ref={place} hidden={isHidden} />;
}
