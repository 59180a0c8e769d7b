import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { unpackRows } from '../../../../contract/pages/resultCells.ts';
import type { GridShape, SortKey } from '../../../../contract/pages/resultsPage.ts';
import { shownSort, sortArrangement } from '../../../../webview/grid/columns/columnSort.ts';
import { DataGrid } from '../../../../webview/grid/dataGrid.ts';
import { RowWindows } from '../../../../webview/grid/rowWindows.ts';
import { nextSort, withFilter } from './arrangement.ts';
import { foundText, isRunning } from './describe.ts';
import type { PageModel } from './pageModel.ts';
import type { PageView } from './pageView.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import type { FindState, GridFind } from './gridFind.ts';
import * as l10n from '../../../../l10n/l10n.ts';

interface GridViewProps {
  model: PageModel;
  view: PageView;
  grid: GridShape;
  /** Whether a chart is shown instead. The selection is kept. */
  isHidden: boolean;
}

/** The grid, which renders itself. Passes it the data from the host. */
export function GridView({ model, view, grid, isHidden }: GridViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const held = useRef<DataGrid>(undefined);

  // A layout effect: after a paint, rows would arrive a frame or two later.
  useLayoutEffect(() => {
    if (place.current === null) return undefined;
    const sort = (column: number, next: (shown: readonly SortKey[]) => readonly SortKey[]) => {
      const columns = model.view?.grid?.columns ?? [];
      model.arrange(sortArrangement(columns, next(shownSort(columns, model.arrangement)), column));
    };
    const data = new DataGrid(place.current, {
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
    model.gridShown(data);
  }, [grid.view]);

  // While rows arrive, every profile would be outdated at once.
  const isResting = !isRunning(view.state.phase);
  useEffect(() => {
    held.current?.showProfiles(isResting ? (column) => model.profile(grid.view, column) : undefined);
  }, [grid.view, isResting]);

  useLayoutEffect(() => {
    held.current?.showFilterRow(view.isFilterRowShown, model.takeFilterWish());
  }, [view.isFilterRowShown]);
  useEffect(() => held.current?.showFilterProblems(view.filterProblems), [view.filterProblems]);

  return <div class="grid-place" ref={place} hidden={isHidden} />;
}

interface FindBarProps {
  find: GridFind;
  state: FindState;
}

/** Finds text in the grid. Enter and F3 go to the next cell, with Shift to the previous one; Escape closes the bar. */
export function FindBar({ find, state }: FindBarProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.select(), [state.opened]);
  const { text, rows } = state;
  const isMissing = text !== '' && rows === 0;
  return (
    <div
      class="find-bar"
      role="search"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        find.close();
      }}
    >
      <input
        ref={box}
        type="text"
        class={`input${isMissing ? ' is-missing' : ''}`}
        value={text}
        placeholder={l10n.t('Find')}
        aria-label={l10n.t('Find')}
        spellcheck={false}
        onInput={(event) => find.type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          find.step(event.shiftKey);
        }}
      />
      <span class="find-count">{text === '' || rows === undefined ? '' : foundText(rows)}</span>
      <Button
        look="quiet"
        icon="arrow-up"
        label={l10n.t('Previous Match')}
        hint={`${l10n.t('Previous Match')} (Shift+F3)`}
        keys="Shift+F3"
        isBare
        isDisabled={isMissing}
        onClick={() => find.step(true)}
      />
      <Button
        look="quiet"
        icon="arrow-down"
        label={l10n.t('Next Match')}
        hint={`${l10n.t('Next Match')} (F3)`}
        keys="F3"
        isBare
        isDisabled={isMissing}
        onClick={() => find.step(false)}
      />
      <Button look="quiet" icon="close" label={l10n.t('Close')} isBare onClick={() => find.close()} />
    </div>
  );
}
