import { combinedColumnText, filterProblemId, headRows, make, type GridModel } from './gridModel.ts';
import { headerRow } from './gridSelection.ts';
import { describeTitle, columnTitle } from './columns/columnTitle.ts';
import { TitlePointer, type TitleEvents } from './columns/titlePointer.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Gap between the parts of a title in pixels; must match the style sheet. */
const titleGap = 4;

/** Events of the header. */
interface HeaderEvents extends TitleEvents, FilterBoxEvents {}

/** A drawn column title with its filter box. */
interface DrawnColumn {
  title: HTMLElement;
  filter: HTMLElement | undefined;
  box: HTMLInputElement | undefined;
}

/**
 * The column titles with sort marks, resize handles and filter boxes. Only the visible ones and one more on either side
 * exist, so that Tab moves from one filter to the next.
 */
export class GridHeader {
  readonly element = make('div', 'grid-head', 'rowgroup');
  readonly #model: GridModel;
  readonly #events: HeaderEvents;
  readonly #titles = make('div', 'grid-titles', 'row');
  readonly #filters = make('div', 'grid-filters', 'row');
  readonly #pointer: TitlePointer;
  /** By position, in order. */
  #drawn = new Map<number, DrawnColumn>();
  /** The visible part of the columns, and the drawn positions. */
  #left = 0;
  #right = 0;
  #places = '';

  constructor(model: GridModel, events: HeaderEvents) {
    this.#model = model;
    this.#events = events;
    this.#titles.setAttribute('aria-rowindex', '1');
    this.#filters.setAttribute('aria-rowindex', '2');
    this.element.append(this.#titles, this.#filters);
    this.#pointer = new TitlePointer(model, this.element, events);
    // Immediately: the next Tab may come before the grid has scrolled.
    this.#filters.addEventListener('focusin', () => {
      const typing = this.#typing();
      if (typing === undefined) return;
      this.#draw(typing.column);
      events.onFilterFocus(model.layout.placeOf(typing.column));
    });
  }

  /** Redraws the titles and filter boxes after columns, order, sorting or row numbers changed. */
  render(): void {
    const { hasFilterRow } = this.#model;
    const typing = this.#typing();
    this.#drawn = new Map();
    this.#places = '';
    this.#titles.replaceChildren(this.#corner('columnheader'));
    this.#filters.hidden = !hasFilterRow;
    this.#filters.replaceChildren(...(hasFilterRow ? [this.#corner('gridcell')] : []));
    this.#draw(typing?.column);
    if (typing !== undefined) this.#resumeTyping(typing.column, typing.box);
  }

  /** Sets the visible part of the columns, as distances from the left edge of the first. */
  see(left: number, right: number): void {
    const isMoved = left !== this.#left;
    this.#left = left;
    this.#right = right;
    if (!this.#draw(this.#typing()?.column) && isMoved) this.resize();
  }

  /** Height in pixels above the first row. */
  get height(): number {
    return this.element.offsetHeight;
  }

  /** Marks the title that has the keyboard focus. */
  showActive(): void {
    const { active } = this.#model.selection;
    for (const [place, { title }] of this.#drawn) {
      title.classList.toggle('is-active', active.row === headerRow && place === active.place);
    }
  }

  /** Shows the problems of the filters, without changing the text being typed. */
  showProblems(): void {
    for (const [place, { box }] of this.#drawn) {
      const ofResult = this.#model.columns[this.#model.layout.columnAt(place)]?.ofResult ?? null;
      if (box !== undefined && ofResult !== null) showProblem(box, this.#model, ofResult);
    }
  }

  /** Updates widths and positions of titles and filter boxes, also while dragging. */
  resize(): void {
    const { layout } = this.#model;
    let edge = 0;
    for (const [place, { title, filter }] of this.#drawn) {
      const left = layout.seenAt(place, this.#left);
      for (const cell of filter === undefined ? [title] : [title, filter]) this.#place(cell, place, left - edge);
      edge = left + layout.widthAt(place);
    }
  }

  /** Draws the value distribution of a column, if shown. */
  showProfile(column: number): void {
    const title = this.#drawn.get(this.#model.layout.placeOf(column))?.title;
    if (title !== undefined) describeTitle(title, this.#model, column);
  }

  /** Width in pixels that the visible title at `place` needs. */
  titleWidth(place: number): number {
    const texts = this.#drawn.get(place)?.title.querySelectorAll('.grid-title-text, .grid-title-zone') ?? [];
    return [...texts].reduce((width, { scrollWidth }) => width + scrollWidth + titleGap, 16);
  }

  /** Focuses the visible filter box at `place`. */
  focusFilter(place: number): void {
    this.#drawn.get(place)?.box?.focus();
  }

  /** The focused filter box, and its column. */
  #typing(): { column: number; box: HTMLInputElement } | undefined {
    const { activeElement } = document;
    if (activeElement === null || !this.#filters.contains(activeElement)) return undefined;
    for (const [place, { box }] of this.#drawn) {
      if (box === activeElement) return { column: this.#model.layout.columnAt(place), box };
    }
    return undefined;
  }

  /** Transfers focus and text to the new filter box: rows may arrive while a filter is being typed. */
  #resumeTyping(column: number, old: HTMLInputElement): void {
    const box = this.#drawn.get(this.#model.layout.placeOf(column))?.box;
    if (box === undefined) return;
    box.value = old.value;
    box.focus({ preventScroll: true });
    box.setSelectionRange(old.selectionStart, old.selectionEnd);
  }

  /** Draws missing visible columns and removes those no longer visible. Returns false if nothing changed. */
  #draw(typing: number | undefined): boolean {
    const wanted = this.#wanted(typing);
    const places = wanted.join();
    if (places === this.#places) return false;
    this.#places = places;
    const kept = new Set(wanted);
    for (const [place, { title, filter }] of this.#drawn) {
      if (kept.has(place)) continue;
      title.remove();
      filter?.remove();
    }
    const before = this.#drawn;
    this.#drawn = new Map(wanted.map((place) => [place, before.get(place) ?? this.#create(place)]));
    this.#insert();
    this.resize();
    this.showActive();
    return true;
  }

  /**
   * The positions to draw, in order. Includes the focused filter box with its neighbours for Tab, and a dragged column.
   */
  #wanted(typing: number | undefined): number[] {
    const { layout } = this.#model;
    if (layout.count === 0) return [];
    const { first, last } = layout.scrolledSpan(this.#left, this.#right);
    const places = new Set(Array.from({ length: layout.frozen }, (_, place) => place));
    for (let place = Math.max(0, first - 1); place <= Math.min(last + 1, layout.count - 1); place++) places.add(place);
    const placeOf = (column: number | undefined) => (column === undefined ? -1 : layout.placeOf(column));
    const typed = placeOf(typing);
    const beside = typed < 0 ? [] : [typed - 1, typed, typed + 1];
    for (const place of [placeOf(this.#pointer.held), ...beside]) {
      if (place >= 0 && place < layout.count) places.add(place);
    }
    return [...places].sort((one, other) => one - other);
  }

  /** Inserts new elements at their position without moving the others, because moving an element takes its focus. */
  #insert(): void {
    let title: Element | null = this.#titles.firstElementChild;
    let filter: Element | null = this.#filters.firstElementChild;
    for (const drawn of this.#drawn.values()) {
      if (title?.nextElementSibling !== drawn.title) title?.after(drawn.title);
      title = drawn.title;
      if (drawn.filter === undefined) continue;
      if (filter?.nextElementSibling !== drawn.filter) filter?.after(drawn.filter);
      filter = drawn.filter;
    }
  }

  #create(place: number): DrawnColumn {
    const title = columnTitle(this.#model, place);
    this.#pointer.attach(title, place);
    if (!this.#model.hasFilterRow) return { title, filter: undefined, box: undefined };
    const filter = make('div', 'grid-filter', 'gridcell');
    const box = filterBox(this.#model, this.#model.layout.columnAt(place), this.#events);
    filter.append(box);
    return { title, filter, box };
  }

  #corner(role: string): HTMLElement {
    const corner = make('div', 'grid-number', role);
    corner.style.width = `${this.#model.gutter}px`;
    corner.setAttribute('aria-colindex', '1');
    corner.setAttribute('aria-label', l10n.t('Row number'));
    // A header needs a visible text.
    corner.textContent = role === 'columnheader' ? '#' : '';
    return corner;
  }

  /** Sets width and position of a title or filter box, `gap` after the previous one. */
  #place(cell: HTMLElement, place: number, gap: number): void {
    const { layout } = this.#model;
    cell.style.width = `${layout.widthAt(place)}px`;
    cell.style.marginLeft = `${gap}px`;
    cell.setAttribute('aria-colindex', String(place + 2));
    cell.classList.toggle('is-frozen', place < layout.frozen);
    cell.classList.toggle('is-frozen-last', place === layout.frozen - 1);
    cell.classList.toggle('is-last', place === layout.count - 1);
  }
}

/** Number of rows in the accessibility tree: data and header. */
export function rowCountOf(model: GridModel): number {
  return model.scale.rows + headRows(model);
}

/** Events of a filter box. */
interface FilterBoxEvents {
  onFilter(column: number, text: string): void;
  /** The user pressed a key that moves from a filter to the rows. */
  onLeaveFilter(): void;
  /** The filter at `place` has the focus and must be in view: the browser does not know where it will be drawn. */
  onFilterFocus(place: number): void;
}

/** The filter box of a column; if several result columns make up the column, it explains why it cannot be filtered. */
function filterBox(model: GridModel, column: number, events: FilterBoxEvents): HTMLInputElement {
  const { columns, filters } = model;
  const { title = '', ofResult = null } = columns[column] ?? {};
  const box = make('input', 'grid-filter-box');
  box.type = 'text';
  box.spellcheck = false;
  box.setAttribute('aria-label', l10n.t('Filter of {0}', title));
  if (ofResult === null) {
    box.readOnly = true;
    box.title = combinedColumnText();
    box.setAttribute('aria-description', combinedColumnText());
  } else {
    box.value = filters[ofResult] ?? '';
    box.placeholder = l10n.t('Filter');
    showProblem(box, model, ofResult);
    box.addEventListener('input', () => events.onFilter(ofResult, box.value));
  }
  box.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape' && box.value !== '') {
      box.value = '';
      box.dispatchEvent(new Event('input'));
    } else if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      events.onLeaveFilter();
    }
  });
  return box;
}

/** Shows the problem of a filter, without changing the text being typed. `ofResult` is the column of the result. */
function showProblem(box: HTMLInputElement, { filterProblems }: GridModel, ofResult: number): void {
  const problem = filterProblems[ofResult] ?? '';
  box.setAttribute('aria-invalid', String(problem !== ''));
  if (problem === '') box.removeAttribute('aria-describedby');
  else box.setAttribute('aria-describedby', filterProblemId(ofResult));
  box.title = problem || l10n.t('Text the cell contains, or =text, <>text, >5, <=5, 1..5, null, !null');
}
