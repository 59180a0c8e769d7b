import type { GridColumn, GridShape } from '../../protocol/resultsPage.ts';
import type { ResultsStrings } from '../../protocol/resultsStrings.ts';
import { ColumnLayout } from './columnLayout.ts';
import { GridBody } from './gridBody.ts';
import { GridHeader, rowCountOf } from './gridHeader.ts';
import { cellId, emptyModel, make, rowHeight, titleId } from './gridModel.ts';
import type { GridModel } from './gridModel.ts';
import { headerRow } from './gridSelection.ts';
import type { CellPlace, CellRange, GridExtent } from './gridSelection.ts';
import { trackSelection } from './gridPointer.ts';
import type { RowWindows } from './rowWindows.ts';
import { GridScroller } from './gridScroller.ts';
import { pressKey } from './gridKeyboard.ts';
import type { KeyTarget } from './gridKeyboard.ts';

/** How the user arranged the columns; kept by the page. */
export interface KeptLayout {
  order: number[];
  widths: number[];
}

/** What the grid reports. Columns are named by their number in the result. */
export interface GridEvents {
  onSort(column: number, isAdding: boolean): void;
  onFilter(column: number, text: string): void;
  /** Copy a rectangle: its columns in the order shown. */
  onCopy(range: CellRange, columns: number[], withHeaders: boolean): void;
  onOpenLink(row: number, column: number): void;
  /** Open the report that a cell leads to. */
  onDrill(row: number, column: number): void;
  /** Copy a rectangle in a form that the user is asked for. */
  onCopyAs(range: CellRange, columns: number[]): void;
  /** Cells are selected: how many, and the rectangle with its columns in the order shown. */
  onSelect(cells: number, range: CellRange | undefined, columns: number[]): void;
  /** Show the whole cell. */
  onOpenCell(row: number, column: number): void;
  onLayout(layout: KeptLayout): void;
}

const resizeStep = 16;

/**
 * A grid over rows that lie in the extension host: only the rows in view exist as elements, whatever their number. It
 * follows the ARIA grid pattern: the grid itself has the focus and names the active cell.
 */
export class DataGrid {
  readonly #element = make('div', 'grid', 'grid');
  readonly #surface = make('div', 'grid-surface', 'presentation');
  readonly #events: GridEvents;
  readonly #model: GridModel;
  readonly #header: GridHeader;
  readonly #body: GridBody;
  readonly #scroller: GridScroller;
  readonly #stop = new AbortController();
  readonly #observer = new ResizeObserver(() => this.#resize());

  constructor(parent: HTMLElement, strings: ResultsStrings, events: GridEvents) {
    this.#events = events;
    this.#model = emptyModel(strings);
    this.#header = new GridHeader(this.#model, {
      ...events,
      onResize: (column, width, isFinal) => this.#resizeColumn(column, width, isFinal),
      onFitWidth: (place) => this.#fitWidth(place),
      onMove: (from, to) => this.#moveColumn(from, to),
      onLeaveFilter: () => this.focus(),
    });
    this.#body = new GridBody(this.#model);
    const { signal } = this.#stop;
    const moved = (distance: number) => this.#render(distance);
    this.#scroller = new GridScroller(this.#element, this.#surface, this.#model, moved, signal);
    this.#element.tabIndex = 0;
    this.#element.setAttribute('aria-label', strings.gridLabel);
    this.#element.setAttribute('aria-multiselectable', 'true');
    this.#surface.append(this.#body.element);
    this.#element.append(this.#header.element, this.#surface);
    parent.append(this.#element);
    this.#listen();
    this.#observer.observe(this.#element);
  }

  /** Shows another view. The arrangement of the columns and the place stay if the columns are the same. */
  show(shape: GridShape, windows: RowWindows, kept?: KeptLayout): void {
    const model = this.#model;
    if (model.isSortable === shape.isDerived || !hasSameColumns(model.columns, shape.columns)) {
      const widths = shape.columns.map(({ width }, column) => kept?.widths[column] ?? width);
      model.layout = new ColumnLayout(widths, kept?.order);
      model.selection.reset();
      model.top = 0;
      this.#element.scrollLeft = 0;
    }
    model.columns = shape.columns;
    model.isSortable = !shape.isDerived;
    model.sort = shape.arrangement.sort;
    model.filters = shape.arrangement.filters;
    model.windows.close();
    model.windows = windows;
    if (model.selection.active.row >= shape.rows) model.selection.reset();
    this.#tellSelection();
    this.#element.setAttribute('aria-colcount', String(shape.columns.length + 1));
    this.#measureGutter();
    this.#header.render();
    this.#body.invalidate();
    this.#resize();
  }

  /** More rows of the same view have come. */
  grow(rows: number): void {
    this.#model.windows.rows = rows;
    if (this.#measureGutter()) {
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

  /** Shows or hides the filter boxes. */
  showFilterRow(isShown: boolean): void {
    if (this.#model.hasFilterRow === isShown) return;
    this.#model.hasFilterRow = isShown;
    this.#header.render();
    this.#body.invalidate();
    this.#resize();
    if (isShown) this.#header.focusFilter(Math.max(0, this.#model.selection.active.place));
  }

  /** Marks filters that the host could not read. */
  showFilterProblems(problems: Readonly<Record<number, string>>): void {
    this.#model.filterProblems = problems;
    this.#header.showProblems();
  }

  focus(): void {
    this.#element.focus();
  }

  dispose(): void {
    this.#stop.abort();
    this.#observer.disconnect();
    this.#model.windows.close();
    this.#element.remove();
  }

  #listen(): void {
    const { signal } = this.#stop;
    const { selection } = this.#model;
    this.#element.addEventListener('focus', () => this.#focused(), { signal });
    this.#body.element.addEventListener('click', (event) => this.#click(event), { signal });
    this.#body.element.addEventListener('dblclick', () => this.#open(selection.active), { signal });
    trackSelection(this.#body.element, signal, {
      cellAt: (x, y) => this.#cellAt(x, y),
      rowAt: (y) => this.#rowAt(y),
      select: (cell, isExtending) => this.#activate(cell, isExtending),
      selectRows: (from, to) => {
        selection.selectRows(from, to, this.#model.layout.count);
        this.#selectionChanged();
      },
      anchorRow: () => selection.range?.firstRow ?? 0,
    });
    const keys: KeyTarget = {
      active: () => selection.active,
      target: (key, isJump) => selection.target(key, isJump, this.#extent),
      activate: (cell, isExtending) => this.#activate(cell, isExtending),
      selectAll: () => {
        selection.selectAll(this.#extent);
        this.#selectionChanged();
      },
      copy: (withHeaders) => this.#copy(withHeaders),
      sort: (place, isAdding) => {
        if (this.#model.isSortable) this.#events.onSort(this.#model.layout.columnAt(place), isAdding);
      },
      copyAs: () => {
        const { range } = selection;
        if (range !== undefined) this.#events.onCopyAs(range, this.#selectedColumns());
      },
      open: (cell) => this.#open(cell),
      follow: (cell) => this.#follow(cell),
      arrange: (place, step, isResizing) => this.#arrangeColumn(place, step, isResizing),
    };
    // Copying from a menu reaches the page as an event of its own.
    document.addEventListener(
      'copy',
      (event) => {
        if (document.activeElement !== this.#element) return;
        event.preventDefault();
        this.#copy(false);
      },
      { signal },
    );
    this.#element.addEventListener(
      'keydown',
      (event) => {
        if (!pressKey(event, keys)) return;
        event.preventDefault();
        event.stopPropagation();
      },
      { signal },
    );
  }

  get #extent(): GridExtent {
    const { scale, layout } = this.#model;
    return { rows: scale.rows, places: layout.count, pageRows: scale.pageRows };
  }

  #resize(): void {
    const { height } = this.#header;
    const bodyHeight = Math.max(0, this.#element.clientHeight - height);
    this.#body.element.style.height = `${bodyHeight}px`;
    this.#body.element.style.top = `${height}px`;
    this.#scroller.fit(bodyHeight);
    this.#element.setAttribute('aria-rowcount', String(rowCountOf(this.#model)));
  }

  #render(direction: number): void {
    const { scale, top, gutter, windows } = this.#model;
    const left = this.#element.scrollLeft;
    this.#body.render(left, left + this.#element.clientWidth - gutter);
    this.#describeActive();
    if (scale.rows === 0) return;
    const first = scale.firstRow(top);
    windows.show(first, first + scale.rowsInView, direction);
  }

  #describeActive(): void {
    const { active } = this.#model.selection;
    const id = active.row === headerRow ? titleId(active.place) : cellId(active.row, active.place);
    if (document.getElementById(id) === null) this.#element.removeAttribute('aria-activedescendant');
    else this.#element.setAttribute('aria-activedescendant', id);
  }

  /** The first focus goes to the first cell, so that arrows and copying work at once. */
  #focused(): void {
    const { selection, scale, top } = this.#model;
    if (selection.active.row === headerRow && scale.rows > 0) {
      this.#activate({ row: scale.firstRow(top), place: selection.active.place }, false);
    }
  }

  /** Moves the column at `place` by one step, or makes it wider or narrower. */
  #arrangeColumn(place: number, step: 1 | -1, isResizing: boolean): void {
    const { layout } = this.#model;
    if (isResizing) {
      this.#resizeColumn(layout.columnAt(place), layout.widthAt(place) + step * resizeStep, true);
      return;
    }
    const to = Math.min(Math.max(0, place + step), layout.count - 1);
    this.#moveColumn(place, to);
    this.#activate({ row: headerRow, place: to }, false);
  }

  #activate(cell: CellPlace, isExtending: boolean): void {
    this.#model.selection.moveTo(cell, isExtending);
    this.#scroller.showPlace(cell.place);
    if (cell.row !== headerRow) this.#scroller.showRow(cell.row);
    this.#selectionChanged();
  }

  #selectionChanged(): void {
    this.#body.invalidate();
    this.#header.showActive();
    this.#render(0);
    this.#tellSelection();
  }

  #tellSelection(): void {
    const { selection } = this.#model;
    this.#events.onSelect(selection.count, selection.range, this.#selectedColumns());
  }

  #selectedColumns(): number[] {
    const { selection, layout } = this.#model;
    const { range } = selection;
    return range === undefined ? [] : layout.order.slice(range.firstPlace, range.lastPlace + 1);
  }

  #copy(withHeaders: boolean): void {
    const { range } = this.#model.selection;
    if (range !== undefined) this.#events.onCopy(range, this.#selectedColumns(), withHeaders);
  }

  /** Shows the whole active cell. */
  #open({ row, place }: CellPlace): void {
    if (row !== headerRow) this.#events.onOpenCell(row, this.#model.layout.columnAt(place));
  }

  /** Follows what a cell leads to: a link, or a report. */
  #follow({ row, place }: CellPlace): void {
    const { layout, columns, windows } = this.#model;
    const column = layout.columnAt(place);
    if (windows.row(row)?.[column] == null) return;
    if (columns[column]?.kind === 'link') this.#events.onOpenLink(row, column);
    if (columns[column]?.kind === 'drill') this.#events.onDrill(row, column);
  }

  #click(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : undefined;
    if (target?.matches('.grid-cell:is(.is-link, .is-drill):not(.is-null) > .grid-text') !== true) return;
    if (event.shiftKey || this.#model.selection.count > 1) return;
    const cell = this.#cellAt(event.clientX, event.clientY);
    if (cell !== undefined) this.#follow(cell);
  }

  #rowAt(y: number): number {
    const { scale, top } = this.#model;
    const row = Math.floor((y - this.#body.element.getBoundingClientRect().top + top) / rowHeight);
    return Math.min(Math.max(0, row), scale.rows - 1);
  }

  #cellAt(x: number, y: number): CellPlace | undefined {
    const { scale, layout, gutter } = this.#model;
    if (scale.rows === 0 || layout.count === 0) return undefined;
    const left = x - this.#element.getBoundingClientRect().left - gutter + this.#element.scrollLeft;
    return { row: this.#rowAt(y), place: layout.spanOf(left, left).first };
  }

  #resizeColumn(column: number, width: number, isFinal: boolean): void {
    const { layout } = this.#model;
    layout.resize(column, width);
    if (isFinal) this.#header.render();
    else this.#header.resizeTitle(layout.placeOf(column));
    this.#layoutChanged(isFinal);
  }

  #fitWidth(place: number): void {
    const { layout } = this.#model;
    const widest = Math.max(this.#body.widestText(place), this.#header.titleWidth(place));
    this.#resizeColumn(layout.columnAt(place), widest + 24, true);
  }

  #moveColumn(from: number, to: number): void {
    this.#model.layout.move(from, to);
    this.#header.render();
    this.#layoutChanged(true);
  }

  #layoutChanged(isFinal: boolean): void {
    const { layout } = this.#model;
    this.#body.invalidate();
    this.#resize();
    if (isFinal) this.#events.onLayout({ order: [...layout.order], widths: [...layout.widths] });
  }

  /** Fits the row numbers to their longest; true when that changed. */
  #measureGutter(): boolean {
    const { windows, gutter } = this.#model;
    const digits = windows.rows.toLocaleString(this.#model.strings.locale).length;
    this.#model.gutter = Math.max(40, digits * 8 + 20);
    return this.#model.gutter !== gutter;
  }
}

function hasSameColumns(a: readonly GridColumn[], b: readonly GridColumn[]): boolean {
  return (
    a.length === b.length &&
    a.every((column, index) => column.title === b[index]?.title && column.kind === b[index]?.kind)
  );
}
