import type { GridShape } from '../../contract/pages/resultsPage.ts';
import { CellActions, type CellEvents } from './cellActions.ts';
import { ColumnArranger } from './columns/columnArranger.ts';
import type { StoredLayout } from './columns/columnLayout.ts';
import { ColumnProfiles, type AskProfile } from './columns/columnProfiles.ts';
import { GridBody } from './gridBody.ts';
import { GridHeader, rowCountOf } from './gridHeader.ts';
import { cellId, emptyModel, hasSameColumns, make, titleId, type GridModel } from './gridModel.ts';
import { listenToGrid, type GridInput } from './gridInput.ts';
import { cornerOf } from './gridPlaces.ts';
import { headerRow, type CellPlace, type GridExtent } from './gridSelection.ts';
import { fitFrozen, fitGutter, layOut, adoptShape, textScale } from './gridShape.ts';
import { Patience } from './patience.ts';
import type { RowWindows } from './rowWindows.ts';
import { say } from '../shared/liveRegion.ts';
import { GridScroller } from './gridScroller.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Events of the grid. Columns are identified by their number in the result. */
export interface GridEvents extends CellEvents {
  onSort(column: number, isAdding: boolean): void;
  /** Sort by one column only, in the given direction. */
  onSortBy(column: number, isDescending: boolean): void;
  onFilter(column: number, text: string): void;
  /** Show the value distribution of a column. */
  onOpenProfile(column: number): void;
  onLayout(layout: StoredLayout): void;
}

/**
 * A grid for rows in the extension host: only visible rows exist as elements, however many there are. Implements the
 * ARIA grid pattern: the grid has the focus and references the active cell.
 */
export class DataGrid {
  readonly #element = make('div', 'grid', 'grid');
  readonly #surface = make('div', 'grid-surface', 'presentation');
  readonly #events: GridEvents;
  readonly #model: GridModel;
  readonly #header: GridHeader;
  readonly #body: GridBody;
  readonly #scroller: GridScroller;
  readonly #cells: CellActions;
  readonly #columns: ColumnArranger;
  readonly #profiles = new ColumnProfiles((profile) => {
    this.#model.profiles.set(profile.column, profile);
    this.#header.showProfile(profile.column);
  });
  /** @see GridShape */
  #rowSet = -1;
  /** Whether the columns are those of the result, so that titles can show their value distribution. */
  #hasProfiles = false;
  readonly #patience = new Patience(() => this.#render(0));
  readonly #stop = new AbortController();
  readonly #observer = new ResizeObserver(() => this.#resize());

  constructor(parent: HTMLElement, events: GridEvents) {
    this.#events = events;
    this.#model = emptyModel();
    this.#header = new GridHeader(this.#model, {
      ...events,
      onResize: (column, width, isFinal) => this.#columns.resize(column, width, isFinal),
      onFitWidth: (place) => this.#columns.fitWidth(place),
      onMove: (from, to) => this.#columns.move(from, to),
      onMenu: (place, at) => this.#columns.openMenu(place, at),
      onLeaveFilter: () => this.focus(),
      onFilterFocus: (place) => {
        this.#scroller.showPlace(place);
        this.#render(0);
      },
    });
    this.#body = new GridBody(this.#model);
    this.#cells = new CellActions(this.#model, events);
    this.#columns = new ColumnArranger(this.#model, this.#header, this.#body, {
      changed: (isFinal) => this.#layoutChanged(isFinal),
      activateTitle: (place) => this.#activate({ row: headerRow, place }, false),
      sort: (column, isDescending) => events.onSortBy(column, isDescending),
      profile: (column) => events.onOpenProfile(column),
    });
    const { signal } = this.#stop;
    const moved = (distance: number) => this.#render(distance);
    this.#scroller = new GridScroller(this.#element, this.#surface, this.#model, moved, signal);
    this.#element.tabIndex = 0;
    this.#element.setAttribute('aria-label', l10n.t('Rows of the report'));
    this.#element.setAttribute('aria-multiselectable', 'true');
    this.#surface.append(this.#body.element);
    this.#element.append(this.#header.element, this.#surface);
    parent.append(this.#element);
    // The first focus scrolls to the active cell: a grid that was hidden must have its size by then.
    this.#element.addEventListener('focus', () => this.#resize(), { signal });
    listenToGrid(this.#element, this.#body.element, this.#model, this.#input(), signal);
    this.#observer.observe(this.#element);
  }

  /** Shows another view. Keeps the column arrangement and the position if the columns are the same. */
  show(shape: GridShape, windows: RowWindows, kept?: StoredLayout): void {
    const model = this.#model;
    const isOfSame = hasSameColumns(model.columns, shape.columns);
    const hasSameRows = isOfSame && shape.rowSet === this.#rowSet;
    this.#rowSet = shape.rowSet;
    if (model.isDerived !== shape.isDerived || !isOfSame) {
      // Groups and pivots have bold lines.
      layOut(model, shape, textScale(this.#element, shape.isDerived), kept);
      this.#element.scrollLeft = 0;
    }
    adoptShape(model, shape);
    this.#element.setAttribute('role', model.groupDepth > 0 ? 'treegrid' : 'grid');
    if (!hasSameRows) {
      model.profiles = new Map();
      this.#profiles.forget();
    }
    this.#hasProfiles = shape.columns.every(({ ofResult }) => ofResult !== null);
    this.#element.classList.toggle('has-profiles', this.#hasProfiles);
    model.windows.close();
    model.windows = windows;
    model.selection.fit({ rows: shape.rows, places: model.layout.count });
    this.#cells.tellSelection();
    fitGutter(model);
    this.#header.render();
    this.#body.invalidate();
    this.#resize();
  }

  /** Shows value distributions from now on; undefined while rows are arriving. */
  showProfiles(ask: AskProfile | undefined): void {
    this.#profiles.begin(this.#hasProfiles ? ask : undefined);
  }

  /** More rows of the same view have been added. */
  grow(rows: number): void {
    this.#model.windows.rows = rows;
    if (fitGutter(this.#model)) {
      this.#header.render();
      this.#body.invalidate();
    }
    this.#resize();
  }

  /** Rows from `start` to `end` have arrived. */
  arrived(start: number, end: number): void {
    const { scale, top } = this.#model;
    const first = scale.firstRow(top);
    if (end <= first || start > first + scale.rowsInView) return;
    this.#body.invalidate();
    this.#render(0);
  }

  /**
   * Shows or hides the filter boxes.
   * @param takesFocus whether to focus one of them: only if the user opened them.
   */
  showFilterRow(isShown: boolean, takesFocus: boolean): void {
    if (this.#model.hasFilterRow === isShown) return;
    this.#model.hasFilterRow = isShown;
    this.#header.render();
    this.#body.invalidate();
    this.#resize();
    if (!isShown || !takesFocus) return;
    const place = Math.max(0, this.#model.selection.active.place);
    this.#scroller.showPlace(place);
    this.#render(0);
    this.#header.focusFilter(place);
  }

  /** Marks invalid filters. */
  showFilterProblems(problems: Readonly<Record<number, string>>): void {
    this.#model.filterProblems = problems;
    this.#header.showProblems();
  }

  /** The active cell, and the columns in the order shown. */
  get place(): { row: number; place: number; columns: number[] } {
    const { selection, layout } = this.#model;
    return { ...selection.active, columns: [...layout.shown] };
  }

  /** Makes a cell active and scrolls it into view. */
  goTo(row: number, place: number): void {
    if (row < this.#model.windows.rows && place < this.#model.layout.count) this.#activate({ row, place }, false);
  }

  /** Highlights the visible cells that contain a text; none if it is empty. */
  mark(text: string): void {
    this.#model.marked = text.toLowerCase();
    this.#body.invalidate();
    this.#render(0);
  }

  /** Announces the active cell to those whose focus is elsewhere, such as in a search. */
  sayActive(): void {
    if (document.activeElement === this.#element) return;
    const { selection, layout, columns, windows } = this.#model;
    const { row, place } = selection.active;
    const column = layout.columnAt(place);
    const text = windows.row(row)?.[column] ?? '';
    say(l10n.t('Row {0}, {1}: {2}', row + 1, columns[column]?.title ?? '', text));
  }

  focus(): void {
    this.#element.focus();
  }

  dispose(): void {
    this.#stop.abort();
    this.#observer.disconnect();
    this.#profiles.dispose();
    this.#patience.end();
    this.#model.windows.close();
    this.#element.remove();
  }

  /** Effects of keys and pointer. */
  #input(): GridInput {
    const { selection } = this.#model;
    return {
      active: () => selection.active,
      target: (key, isJump) => selection.target(key, isJump, this.#extent),
      activate: (cell, isExtending) => this.#activate(cell, isExtending),
      press: (cell, isExtending) => this.#select(cell, isExtending),
      selectAll: () => {
        selection.selectAll(this.#extent);
        this.#selectionChanged();
      },
      selectRows: (from, to) => {
        selection.selectRows(from, to, this.#model.layout.count);
        this.#selectionChanged();
      },
      copy: (withHeaders) => this.#cells.copy(withHeaders),
      sort: (place, isAdding) => this.#events.onSort(this.#model.layout.columnAt(place), isAdding),
      copyAs: () => this.#cells.copyAs(),
      open: (cell) => this.#cells.open(cell),
      follow: (cell) => this.#cells.follow(cell),
      arrange: (place, step, isResizing) => this.#columns.step(place, step, isResizing),
      hide: (place) => this.#columns.hide(place),
      menu: (cell) => this.#openMenu(cell),
      cellMenu: (cell, at) => {
        if (!selection.contains(cell.row, cell.place)) this.#select(cell, false);
        this.#cells.openMenu(at);
      },
      profile: (place) => this.#events.onOpenProfile(this.#model.layout.columnAt(place)),
    };
  }

  /** Opens the menu of a title, or that of the selected cells below the active one. */
  #openMenu(cell: CellPlace): void {
    if (cell.row === headerRow) return this.#columns.openMenu(cell.place);
    this.#activate(cell, true);
    this.#cells.openMenu(cornerOf(this.#model, this.#element, this.#body.element, cell));
  }

  get #extent(): GridExtent {
    const { scale, layout } = this.#model;
    return { rows: scale.rows, places: layout.count, pageRows: scale.pageRows };
  }

  #resize(): void {
    if (fitFrozen(this.#model, this.#element.clientWidth)) this.#header.render();
    const { height } = this.#header;
    const bodyHeight = Math.max(0, this.#element.clientHeight - height);
    this.#body.element.style.height = `${bodyHeight}px`;
    this.#body.element.style.width = `${Math.min(this.#model.gutter + this.#model.layout.total, this.#element.clientWidth)}px`;
    this.#body.element.style.top = `${height}px`;
    this.#scroller.fit(bodyHeight);
    this.#element.setAttribute('aria-rowcount', String(rowCountOf(this.#model)));
    this.#element.setAttribute('aria-colcount', String(this.#model.layout.count + 1));
  }

  #render(direction: number): void {
    const { scale, top, gutter, windows } = this.#model;
    const left = this.#element.scrollLeft;
    const right = left + this.#element.clientWidth - gutter;
    this.#header.see(left, right);
    const first = scale.firstRow(top);
    const there = windows.there(first, Math.min(first + scale.rowsInView, scale.rows));
    const isWaiting = this.#patience.holds(there, this.#body.drawn === windows);
    this.#element.classList.toggle('is-waiting', isWaiting);
    if (!isWaiting) this.#body.render(left, right);
    this.#element.ariaBusy = there === 'all' ? null : 'true';
    this.#describeActive();
    this.#profiles.want(this.#body.columns);
    if (scale.rows > 0) windows.show(first, first + scale.rowsInView, direction);
  }

  #describeActive(): void {
    const { active } = this.#model.selection;
    const id = active.row === headerRow ? titleId(active.place) : cellId(active.row, active.place);
    if (document.getElementById(id) === null) this.#element.removeAttribute('aria-activedescendant');
    else this.#element.setAttribute('aria-activedescendant', id);
  }

  #activate(cell: CellPlace, isExtending: boolean): void {
    this.#scroller.showPlace(cell.place);
    if (cell.row !== headerRow) this.#scroller.showRow(cell.row);
    this.#select(cell, isExtending);
  }

  #select(cell: CellPlace, isExtending: boolean): void {
    this.#model.selection.moveTo(cell, isExtending);
    this.#selectionChanged();
  }

  #selectionChanged(): void {
    this.#body.invalidate();
    this.#header.showActive();
    this.#render(0);
    this.#cells.tellSelection();
  }

  #layoutChanged(isFinal: boolean): void {
    const { layout, selection, windows } = this.#model;
    selection.fit({ rows: windows.rows, places: layout.count });
    this.#body.invalidate();
    this.#resize();
    if (!isFinal) return;
    this.#events.onLayout(layout.kept);
    // The selected rectangle may contain other columns now.
    this.#cells.tellSelection();
  }
}
