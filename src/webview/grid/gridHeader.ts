import { headRows, make, type GridModel } from './gridModel.ts';
import { headerRow } from './gridSelection.ts';
import { describeTitle, columnTitle } from './columns/columnTitle.ts';
import { TitlePointer, type TitleEvents } from './columns/titlePointer.ts';
import { fill } from '../../contract/pages/resultsStrings.ts';

/** What the header reports. */
interface HeaderEvents extends TitleEvents, FilterBoxEvents {}

/** A column as its title and its filter box are drawn. */
interface DrawnColumn {
  title: HTMLElement;
  filter: HTMLElement | undefined;
  box: HTMLInputElement | undefined;
}

/**
 * The column titles, their sort marks, resize handles and filter boxes. Only those in view exist, and one more at either
 * side, so that Tab leads on from one filter to the next.
 */
export class GridHeader {
  readonly element = make('div', 'grid-head', 'rowgroup');
  readonly #model: GridModel;
  readonly #events: HeaderEvents;
  readonly #titles = make('div', 'grid-titles', 'row');
  readonly #filters = make('div', 'grid-filters', 'row');
  readonly #pointer: TitlePointer;
  /** By place, in order. */
  #drawn = new Map<number, DrawnColumn>();
  /** The part of the columns that is seen, and the places drawn for it. */
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
    // At once: the next Tab may come before the grid was scrolled there.
    this.#filters.addEventListener('focusin', () => this.#draw(this.#typing()?.column));
  }

  /** Draws the titles and filter boxes anew: columns, order, sorting or row numbers changed. */
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

  /** Says which part of the columns is seen, as distances from the left edge of the first. */
  see(left: number, right: number): void {
    const isMoved = left !== this.#left;
    this.#left = left;
    this.#right = right;
    if (!this.#draw(this.#typing()?.column) && isMoved) this.resize();
  }

  /** Height in pixels of what stands above the first row. */
  get height(): number {
    return this.element.offsetHeight;
  }

  /** Marks the title that the keyboard is on. */
  showActive(): void {
    const { active } = this.#model.selection;
    for (const [place, { title }] of this.#drawn) {
      title.classList.toggle('is-active', active.row === headerRow && place === active.place);
    }
  }

  /** Shows what is wrong with the filters, without touching what is being typed. */
  showProblems(): void {
    for (const [place, { box }] of this.#drawn) {
      const ofResult = this.#model.columns[this.#model.layout.columnAt(place)]?.ofResult ?? null;
      if (box !== undefined && ofResult !== null) showProblem(box, this.#model, ofResult);
    }
  }

  /** Gives titles and filter boxes their columns' widths and places, also while one is being dragged. */
  resize(): void {
    const { layout } = this.#model;
    let edge = 0;
    for (const [place, { title, filter }] of this.#drawn) {
      const left = layout.seenAt(place, this.#left);
      for (const cell of filter === undefined ? [title] : [title, filter]) this.#place(cell, place, left - edge);
      edge = left + layout.widthAt(place);
    }
  }

  /** Draws the distribution of a column, if it is shown. */
  showProfile(column: number): void {
    const title = this.#drawn.get(this.#model.layout.placeOf(column))?.title;
    if (title !== undefined) describeTitle(title, this.#model, column);
  }

  /** Width in pixels that the title at `place` needs; it is in view. */
  titleWidth(place: number): number {
    const text = this.#drawn.get(place)?.title.querySelector('.grid-title-text');
    return (text?.scrollWidth ?? 0) + 20;
  }

  /** Puts the keyboard into the filter box at `place`, which is in view. */
  focusFilter(place: number): void {
    this.#drawn.get(place)?.box?.focus();
  }

  /** The filter box that has the focus, and its column. */
  #typing(): { column: number; box: HTMLInputElement } | undefined {
    const { activeElement } = document;
    if (activeElement === null || !this.#filters.contains(activeElement)) return undefined;
    for (const [place, { box }] of this.#drawn) {
      if (box === activeElement) return { column: this.#model.layout.columnAt(place), box };
    }
    return undefined;
  }

  /** Rows may come while a filter is being typed: the new box goes on where the old one was. */
  #resumeTyping(column: number, old: HTMLInputElement): void {
    const box = this.#drawn.get(this.#model.layout.placeOf(column))?.box;
    if (box === undefined) return;
    box.value = old.value;
    box.focus({ preventScroll: true });
    box.setSelectionRange(old.selectionStart, old.selectionEnd);
  }

  /** Draws what is missing of the columns in view, and takes away what is not in view any more; false when that is nothing. */
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

  /** The places that are to be drawn, in order. What is typed into stays, with the boxes that Tab leads to, and what the pointer holds. */
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

  /** Puts those that are new in their place; the others are not touched, as moving an element takes its focus away. */
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
    corner.setAttribute('aria-label', this.#model.strings.rowNumber);
    return corner;
  }

  /** Width and place of a title or filter box, `gap` behind the one before. */
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

/** Rows of the accessibility tree: those of data and those of the header. */
export function rowCountOf(model: GridModel): number {
  return model.scale.rows + headRows(model);
}

/** What a filter box reports. */
interface FilterBoxEvents {
  onFilter(column: number, text: string): void;
  /** The user pressed a key that leaves a filter for the rows. */
  onLeaveFilter(): void;
}

/** The box that a column is filtered with; one that several columns of the result make says why it is none. */
function filterBox(model: GridModel, column: number, events: FilterBoxEvents): HTMLInputElement {
  const { columns, filters, strings } = model;
  const { title = '', ofResult = null } = columns[column] ?? {};
  const box = make('input', 'grid-filter-box');
  box.type = 'text';
  box.spellcheck = false;
  box.setAttribute('aria-label', fill(strings.filterOf, title));
  if (ofResult === null) {
    box.readOnly = true;
    box.title = strings.madeColumn;
    box.setAttribute('aria-description', strings.madeColumn);
  } else {
    box.value = filters[ofResult] ?? '';
    box.placeholder = strings.filterColumns;
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

/** Shows what is wrong with a filter, without touching what is being typed. `ofResult` is the column of the result. */
function showProblem(box: HTMLInputElement, { filterProblems, strings }: GridModel, ofResult: number): void {
  const problem = filterProblems[ofResult] ?? '';
  box.setAttribute('aria-invalid', String(problem !== ''));
  box.title = problem || strings.filterHint;
}
