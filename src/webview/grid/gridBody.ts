import { linkAddress } from '../../contract/pages/resultCells.ts';
import type { ColumnSpan } from './columns/columnLayout.ts';
import { cellId, headRows, make, rowHeight, type GridModel } from './gridModel.ts';
import type { RowWindows } from './rowWindows.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Rows per pane. A pane moves as a whole, so that rows that stay visible are neither updated nor repainted. */
const paneRows = 1024;

/** Characters of right-to-left scripts, or that change the text direction. */
const turning =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Elements and content of a cell, so that only differences are written. */
interface CellSlot {
  element: HTMLElement;
  text: HTMLElement;
  /** The text node: changing it is faster than replacing the element's text. */
  node: Text;
  shown: string;
  /** Whether the text may be right-to-left. */
  isTurning: boolean;
  className: string;
  width: number;
  place: number;
  isSelected: boolean;
  role: string;
  /** Name for screen readers where it is more than the text; empty if not. */
  label: string;
}

/** Elements of a row, reused for other rows. */
interface RowSlot {
  element: HTMLElement;
  number: HTMLElement;
  gap: HTMLElement;
  cells: CellSlot[];
  row: number;
  version: number;
  className: string;
  /** Distance from the top of the pane. */
  y: number;
  /** Left edge of the scrollable columns, as a style. */
  start: string;
}

/**
 * The visible rows. There are only as many row elements as fit on the screen, in the order of their rows; each is reused
 * when its row scrolls out.
 * Cells are text nodes: their content is never parsed as markup.
 */
export class GridBody {
  readonly element = make('div', 'grid-body', 'rowgroup');
  readonly #pane = make('div', 'grid-pane', 'presentation');
  readonly #model: GridModel;
  readonly #slots: RowSlot[] = [];
  readonly #numbers: Intl.NumberFormat;
  #version = 0;
  #span: ColumnSpan = { first: 0, last: -1 };
  /** Horizontal scroll position. */
  #left = 0;
  #drawn: RowWindows | undefined;
  /** Row of the first element. */
  #first = 0;

  constructor(model: GridModel) {
    this.#model = model;
    this.#pane.style.height = `${2 * paneRows * rowHeight}px`;
    this.element.append(this.#pane);
    this.#numbers = new Intl.NumberFormat(l10n.language());
  }

  /** Marks all visible rows to be redrawn because cells, columns or the selection changed. */
  invalidate(): void {
    this.#version++;
  }

  /** Draws the visible rows and columns. `left` and `right` bound the visible part of the columns. */
  render(left: number, right: number): void {
    const { scale, top, layout } = this.#model;
    this.#drawn = this.#model.windows;
    const span = layout.scrolledSpan(left, right);
    if (span.first !== this.#span.first || span.last !== this.#span.last) this.#version++;
    this.#span = span;
    this.#left = left;
    this.#fit(Math.min(scale.rowsInView, scale.rows));
    const first = scale.firstRow(top);
    const paneTop = (first - (first % paneRows)) * rowHeight;
    // A 3D transform gives the pane its own compositing layer.
    this.#pane.style.transform = `translate3d(0, ${paneTop - top}px, 0)`;
    this.#reuse(first);
    for (const [i, slot] of this.#slots.entries()) {
      const row = first + i;
      const isShown = row < scale.rows;
      slot.element.hidden = !isShown;
      if (!isShown) slot.row = -1;
      else this.#place(slot, row, row * rowHeight - paneTop);
    }
  }

  /** Moves the elements of rows that have scrolled out to the other end, so that their order stays that of the rows. */
  #reuse(first: number): void {
    const step = first - this.#first;
    this.#first = first;
    if (step === 0 || Math.abs(step) >= this.#slots.length) return;
    if (step > 0) {
      const free = this.#slots.splice(0, step);
      this.#slots.push(...free);
      this.#pane.append(...free.map(({ element }) => element));
    } else {
      const free = this.#slots.splice(step);
      this.#slots.unshift(...free);
      this.#pane.prepend(...free.map(({ element }) => element));
    }
  }

  /** Source of the rows drawn last. */
  get drawn(): RowWindows | undefined {
    return this.#drawn;
  }

  /** Numbers of the visible columns. */
  get columns(): number[] {
    const { shown, frozen } = this.#model.layout;
    const { first, last } = this.#span;
    return [...shown.slice(0, frozen), ...shown.slice(first, last + 1)];
  }

  /** Text widths of the visible cells at `place`, in pixels, to fit the column to its content. */
  widestText(place: number): number {
    const { frozen } = this.#model.layout;
    const index = place < frozen ? place : place - this.#span.first + frozen;
    const widths = this.#slots.map((slot) => slot.cells[index]?.text.offsetWidth ?? 0);
    return Math.max(0, ...widths);
  }

  #place(slot: RowSlot, row: number, y: number): void {
    if (slot.y !== y) {
      slot.y = y;
      slot.element.style.transform = `translateY(${y}px)`;
    }
    this.#shift(slot);
    if (slot.row === row && slot.version === this.#version) return;
    const { layout, windows, gutter } = this.#model;
    if (slot.row !== row) {
      slot.element.dataset.row = String(row);
      slot.number.textContent = this.#numbers.format(row + 1);
    }
    slot.row = row;
    slot.version = this.#version;
    slot.element.setAttribute('aria-rowindex', String(row + 1 + headRows(this.#model)));
    const cells = windows.row(row);
    const level = windows.level(row);
    const className = rowClass(row, cells === undefined, level);
    const drawn = { row, isRow: level === 0, cells };
    if (slot.className !== className) {
      slot.className = className;
      slot.element.className = className;
    }
    this.#placeInTree(slot, level);
    slot.number.style.width = `${gutter}px`;
    const { frozen } = layout;
    const { first, last } = this.#span;
    this.#fitCells(slot, frozen + last - first + 1);
    const behindGap = slot.cells[frozen]?.element ?? null;
    if (slot.gap.nextElementSibling !== behindGap) slot.element.insertBefore(slot.gap, behindGap);
    for (const [index, cell] of slot.cells.entries()) {
      this.#draw(cell, drawn, index < frozen ? index : first + index - frozen);
    }
  }

  /** Tells the level of a row in a tree of groups: headings are its branches, and always open. */
  #placeInTree({ element, number }: RowSlot, level: number): void {
    const { groupDepth } = this.#model;
    const depth = groupDepth === 0 ? 0 : level > 0 ? level : level < 0 ? 1 : groupDepth + 1;
    setOrRemove(element, 'aria-level', depth === 0 ? '' : String(depth));
    setOrRemove(element, 'aria-expanded', level > 0 ? 'true' : '');
    setOrRemove(number, 'aria-label', level < 0 ? l10n.t('Grand total') : '');
  }

  /** Moves the scrollable columns to their visible position, below the frozen ones. */
  #shift(slot: RowSlot): void {
    const { layout } = this.#model;
    const start = `${layout.seenAt(this.#span.first, this.#left) - layout.frozenWidth}px`;
    if (slot.start === start) return;
    slot.start = start;
    slot.gap.style.marginLeft = start;
  }

  #draw(slot: CellSlot, { row, isRow, cells }: DrawnRow, place: number): void {
    const { layout, columns, selection, marked } = this.#model;
    const column = layout.columnAt(place);
    const { kind = 'text', leadsOn = false } = columns[column] ?? {};
    const value = cells === undefined ? '' : (cells[column] ?? null);
    const shown = value ?? l10n.t('null');
    if (slot.shown !== shown) {
      slot.shown = shown;
      slot.node.data = shown;
      slot.isTurning = turning.test(shown);
    }
    const isActive = selection.isActive(row, place);
    const isPlain = kind === 'drill' || (kind === 'link' && !(isRow && value !== null && linkAddress(value)));
    let className = `grid-cell is-${isPlain ? 'text' : kind}`;
    if (leadsOn && isRow) className += ' is-drill';
    if (slot.isTurning) className += ' is-turning';
    if (value === null) className += ' is-null';
    else if (marked !== '' && value.toLowerCase().includes(marked)) className += ' is-found';
    const isSelected = selection.contains(row, place);
    if (isSelected) className += ` is-selected${edgesOf(selection, row, place)}`;
    if (isActive) className += ' is-active';
    if (place < layout.frozen) className += ' is-frozen';
    if (place === layout.frozen - 1) className += ' is-frozen-last';
    if (slot.className !== className) {
      slot.className = className;
      slot.element.className = className;
    }
    if (slot.isSelected !== isSelected) {
      slot.isSelected = isSelected;
      slot.element.setAttribute('aria-selected', String(isSelected));
    }
    const width = layout.widthAt(place);
    if (slot.width !== width) {
      slot.width = width;
      slot.element.style.width = `${width}px`;
    }
    if (slot.place !== place) {
      slot.place = place;
      slot.element.dataset.place = String(place);
      slot.element.setAttribute('aria-colindex', String(place + 2));
    }
    const id = isActive ? cellId(row, place) : '';
    if (slot.element.id !== id) {
      if (isActive) slot.element.id = id;
      else slot.element.removeAttribute('id');
    }
    // The first column of a pivot names its rows.
    const role = this.#model.isDerived && this.#model.groupDepth === 0 && column === 0 ? 'rowheader' : 'gridcell';
    if (slot.role !== role) {
      slot.role = role;
      slot.element.setAttribute('role', role);
    }
    const label = cells === undefined ? l10n.t('Loading') : leadsOn && isRow ? this.#drillLabel(shown) : '';
    if (slot.label === label) return;
    slot.label = label;
    setOrRemove(slot.element, 'aria-label', label);
  }

  /** Name of a cell that opens a report: its underline is for eyes only. */
  #drillLabel(shown: string): string {
    const { opens } = this.#model;
    return opens === '' ? l10n.t('{0}, opens a report', shown) : l10n.t('{0}, opens {1}', shown, opens);
  }

  #fit(count: number): void {
    while (this.#slots.length > count) this.#slots.pop()?.element.remove();
    if (this.#slots.length < count) for (const slot of this.#slots) slot.row = -1;
    while (this.#slots.length < count) {
      const slot: RowSlot = {
        element: make('div', 'grid-row', 'row'),
        number: make('div', 'grid-number', 'rowheader'),
        gap: make('div', 'grid-gap', 'presentation'),
        cells: [],
        row: -1,
        version: -1,
        className: '',
        y: -1,
        start: '',
      };
      slot.number.setAttribute('aria-colindex', '1');
      slot.element.append(slot.number, slot.gap);
      this.#pane.append(slot.element);
      this.#slots.push(slot);
    }
  }

  #fitCells(slot: RowSlot, count: number): void {
    while (slot.cells.length > count) slot.cells.pop()?.element.remove();
    while (slot.cells.length < count) {
      const element = make('div', '', 'gridcell');
      const text = make('span', 'grid-text');
      const node = document.createTextNode('');
      text.append(node);
      element.append(text);
      element.setAttribute('aria-selected', 'false');
      slot.element.append(element);
      const fresh = { shown: '', isTurning: false, className: '', width: -1, place: -1 };
      slot.cells.push({ element, text, node, ...fresh, isSelected: false, role: 'gridcell', label: '' });
    }
  }
}

/** A row for drawing its cells. */
interface DrawnRow {
  row: number;
  /** Whether it is a row of the result: headings and totals have no drill-down. */
  isRow: boolean;
  /** Undefined while loading. */
  cells: readonly (string | null)[] | undefined;
}

/** Sets an attribute; removes it if the value is empty. */
function setOrRemove(element: HTMLElement, name: string, value: string): void {
  if ((element.getAttribute(name) ?? '') === value) return;
  if (value === '') element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Classes of the sides on which a selected cell has none beside it. */
function edgesOf(selection: GridModel['selection'], row: number, place: number): string {
  let edges = '';
  if (!selection.contains(row - 1, place)) edges += ' is-edge-top';
  if (!selection.contains(row + 1, place)) edges += ' is-edge-bottom';
  if (!selection.contains(row, place - 1)) edges += ' is-edge-left';
  if (!selection.contains(row, place + 1)) edges += ' is-edge-right';
  return edges;
}

function rowClass(row: number, isLoading: boolean, level: number): string {
  const classes = ['grid-row'];
  if (row % 2 === 1) classes.push('is-odd');
  if (isLoading) classes.push('is-loading');
  if (level > 0) classes.push('is-heading', `is-level-${Math.min(level, 4)}`);
  if (level < 0) classes.push('is-total');
  return classes.join(' ');
}
