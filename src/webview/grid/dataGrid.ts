import type { GridColumn, GridShape } from '../../protocol/resultsPage.ts';
import type { ResultsStrings } from '../../protocol/resultsStrings.ts';
import { ColumnLayout } from './columnLayout.ts';
import { GridBody } from './gridBody.ts';
import { GridHeader, rowCountOf } from './gridHeader.ts';
import { cellId, make, rowHeight, titleId } from './gridModel.ts';
import type { GridModel } from './gridModel.ts';
import { headerRow, GridSelection } from './gridSelection.ts';
import type { CellPlace, CellRange, GridExtent } from './gridSelection.ts';
import { trackSelection } from './gridPointer.ts';
import { RowWindows } from './rowWindows.ts';
import { ScrollScale } from './scrollScale.ts';

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
  onSelect(cells: number): void;
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
  readonly #stop = new AbortController();
  readonly #observer = new ResizeObserver(() => this.#resize());
  /** Where we put the scroll bar, to tell the user's scrolling from ours. */
  #ownScroll = 0;
  #viewportHeight = 0;

  constructor(parent: HTMLElement, strings: ResultsStrings, events: GridEvents) {
    this.#events = events;
    this.#model = {
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
      hasFilterRow: false,
      top: 0,
      gutter: 48,
    };
    this.#header = new GridHeader(this.#model, {
      ...events,
      onResize: (column, width, isFinal) => this.#resizeColumn(column, width, isFinal),
      onFitWidth: (place) => this.#fitWidth(place),
      onMove: (from, to) => this.#moveColumn(from, to),
      onLeaveFilter: () => this.#leaveFilter(),
    });
    this.#body = new GridBody(this.#model);
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
    if (!hasSameColumns(model.columns, shape.columns)) {
      const widths = shape.columns.map(({ width }, column) => kept?.widths[column] ?? width);
      model.layout = new ColumnLayout(widths, kept?.order);
      model.selection.reset();
      model.top = 0;
      this.#element.scrollLeft = 0;
    }
    model.columns = shape.columns;
    model.sort = shape.arrangement.sort;
    model.filters = shape.arrangement.filters;
    model.windows.close();
    model.windows = windows;
    if (model.selection.active.row >= shape.rows) model.selection.reset();
    this.#events.onSelect(model.selection.count);
    this.#element.setAttribute('aria-colcount', String(shape.columns.length + 1));
    this.#measureGutter();
    this.#header.render();
    this.#body.invalidate();
    this.#resize();
  }

  /** More rows of the same view have come. */
  grow(rows: number): void {
    this.#model.windows.rows = rows;
    if (this.#measureGutter()) this.#header.render();
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
    this.#element.addEventListener('scroll', () => this.#scrolled(), { signal, passive: true });
    this.#element.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    this.#element.addEventListener('keydown', (event) => this.#key(event), { signal });
    this.#element.addEventListener('focus', () => this.#focused(), { signal });
    this.#body.element.addEventListener('click', (event) => this.#click(event), { signal });
    trackSelection(this.#body.element, signal, {
      cellAt: (x, y) => this.#cellAt(x, y),
      rowAt: (y) => this.#rowAt(y),
      select: (cell, isExtending) => this.#activate(cell, isExtending),
      selectRows: (from, to) => {
        this.#model.selection.selectRows(from, to, this.#model.layout.count);
        this.#selectionChanged();
      },
      anchorRow: () => this.#model.selection.range?.firstRow ?? 0,
    });
  }

  get #extent(): GridExtent {
    const { scale, layout } = this.#model;
    return { rows: scale.rows, places: layout.count, pageRows: scale.pageRows };
  }

  #scrolled(): void {
    const { scale, top } = this.#model;
    const { scrollTop } = this.#element;
    // A scaled bar is coarser than a row: keep the exact place when the bar is where we put it.
    const next = scale.isScaled && Math.abs(scrollTop - this.#ownScroll) < 1 ? top : scale.topAt(scrollTop);
    this.#ownScroll = scrollTop;
    this.#model.top = next;
    this.#render(next - top);
  }

  /** Where the bar is scaled, a turn of the wheel would skip rows: it moves the rows and the bar follows. */
  #wheel(event: WheelEvent): void {
    const { scale, top } = this.#model;
    if (!scale.isScaled || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight : 1;
    this.#element.scrollLeft += event.deltaX * unit;
    this.#scrollTo(top + event.deltaY * unit);
  }

  #scrollTo(top: number): void {
    const { scale } = this.#model;
    const before = this.#model.top;
    this.#model.top = scale.clamp(top);
    this.#element.scrollTop = scale.scrollAt(this.#model.top);
    this.#ownScroll = this.#element.scrollTop;
    this.#render(this.#model.top - before);
  }

  #resize(): void {
    const { windows, top } = this.#model;
    this.#viewportHeight = this.#element.clientHeight;
    const bodyHeight = Math.max(0, this.#viewportHeight - this.#header.height);
    const scale = new ScrollScale(rowHeight, windows.rows, bodyHeight);
    this.#model.scale = scale;
    const width = `${this.#model.gutter + this.#model.layout.total}px`;
    this.#surface.style.width = width;
    this.#surface.style.height = `${scale.surface}px`;
    this.#body.element.style.height = `${bodyHeight}px`;
    this.#body.element.style.top = `${this.#header.height}px`;
    this.#element.setAttribute('aria-rowcount', String(rowCountOf(this.#model)));
    this.#scrollTo(top);
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

  #leaveFilter(): void {
    this.#element.focus();
  }

  #key(event: KeyboardEvent): void {
    const { selection, layout } = this.#model;
    const isJump = event.ctrlKey || event.metaKey;
    const { active } = selection;
    if (isJump && event.key.toLowerCase() === 'c') this.#copy(event.shiftKey);
    else if (isJump && event.key.toLowerCase() === 'a') {
      selection.selectAll(this.#extent);
      this.#selectionChanged();
    } else if (event.altKey && active.row === headerRow && event.key.startsWith('Arrow')) {
      this.#arrangeColumn(event.key, event.shiftKey);
    } else if (event.key === 'Enter' || (event.key === ' ' && active.row === headerRow)) {
      if (active.row === headerRow) this.#events.onSort(layout.columnAt(active.place), event.shiftKey);
      else this.#follow(active);
    } else {
      const target = event.altKey ? undefined : selection.target(event.key, isJump, this.#extent);
      if (target === undefined) return;
      this.#activate(target, event.shiftKey);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Alt and an arrow on a title: move the column, or with Shift make it wider or narrower. */
  #arrangeColumn(key: string, isResizing: boolean): void {
    const { layout, selection } = this.#model;
    const { place } = selection.active;
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    if (isResizing) {
      this.#resizeColumn(layout.columnAt(place), layout.widthAt(place) + step * resizeStep, true);
      return;
    }
    const to = Math.min(Math.max(0, place + step), layout.count - 1);
    this.#moveColumn(place, to);
    this.#activate({ row: headerRow, place: to }, false);
  }

  #activate(cell: CellPlace, isExtending: boolean): void {
    const { selection, scale, top } = this.#model;
    selection.moveTo(cell, isExtending);
    this.#showPlace(cell.place);
    if (cell.row !== headerRow) {
      const target = scale.topShowing(cell.row, top);
      if (target !== top) this.#scrollTo(target);
    }
    this.#selectionChanged();
  }

  #selectionChanged(): void {
    this.#body.invalidate();
    this.#header.showActive();
    this.#render(0);
    this.#events.onSelect(this.#model.selection.count);
  }

  /** Scrolls sideways until the column at `place` is wholly visible. */
  #showPlace(place: number): void {
    const { layout, gutter } = this.#model;
    const left = layout.leftOf(place);
    const right = left + layout.widthAt(place);
    const visible = this.#element.clientWidth - gutter;
    if (left < this.#element.scrollLeft) this.#element.scrollLeft = left;
    else if (right > this.#element.scrollLeft + visible) {
      this.#element.scrollLeft = Math.min(left, right - visible);
    }
  }

  #copy(withHeaders: boolean): void {
    const { selection, layout } = this.#model;
    const { range } = selection;
    if (range === undefined) return;
    this.#events.onCopy(range, layout.order.slice(range.firstPlace, range.lastPlace + 1), withHeaders);
  }

  /** Follows the link in a cell, if it holds one. */
  #follow({ row, place }: CellPlace): void {
    const { layout, columns, windows } = this.#model;
    const column = layout.columnAt(place);
    if (columns[column]?.kind !== 'link' || windows.row(row)?.[column] == null) return;
    this.#events.onOpenLink(row, column);
  }

  #click(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : undefined;
    if (target?.matches('.grid-cell.is-link:not(.is-null) > .grid-text') !== true) return;
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
