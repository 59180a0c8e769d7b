import { fill } from '../../protocol/resultsStrings.ts';
import { narrowestColumn } from './columnLayout.ts';
import { headRows, make, titleId } from './gridModel.ts';
import type { GridModel } from './gridModel.ts';
import { profileBars, profileText } from './profileBars.ts';
import { trackDrag } from './trackDrag.ts';
import { headerRow } from './gridSelection.ts';

/** What the header reports. Columns are named by number, places by where they are shown. */
export interface HeaderEvents {
  onSort(column: number, isAdding: boolean): void;
  onFilter(column: number, text: string): void;
  onResize(column: number, width: number, isFinal: boolean): void;
  onFitWidth(place: number): void;
  onMove(from: number, to: number): void;
  /** The menu of a title is wanted at a place of the page. */
  onMenu(place: number, at: { x: number; y: number }): void;
  /** The user pressed a key that leaves a filter for the rows. */
  onLeaveFilter(): void;
}

const sortIcons = { ascending: 'codicon-arrow-up', descending: 'codicon-arrow-down' } as const;
const dragThreshold = 5;

/** The column titles, their sort marks, resize handles and filter boxes. */
export class GridHeader {
  readonly element = make('div', 'grid-head', 'rowgroup');
  readonly #model: GridModel;
  readonly #events: HeaderEvents;
  readonly #titles = make('div', 'grid-titles', 'row');
  readonly #filters = make('div', 'grid-filters', 'row');
  readonly #marker = make('div', 'grid-drop', 'presentation');
  #boxes = new Map<number, HTMLInputElement>();

  constructor(model: GridModel, events: HeaderEvents) {
    this.#model = model;
    this.#events = events;
    this.#titles.setAttribute('aria-rowindex', '1');
    this.#filters.setAttribute('aria-rowindex', '2');
    this.element.append(this.#titles, this.#filters, this.#marker);
    this.#marker.hidden = true;
  }

  /** Draws the titles and filter boxes anew: columns, order, sorting or row numbers changed. */
  render(): void {
    const { layout, gutter, hasFilterRow } = this.#model;
    const typing = [...this.#boxes].find(([, box]) => box === document.activeElement);
    this.#boxes = new Map();
    this.element.style.width = `${gutter + layout.total}px`;
    this.#titles.replaceChildren(this.#corner('columnheader'), ...layout.shown.map((_, place) => this.#title(place)));
    this.#filters.hidden = !hasFilterRow;
    this.#filters.replaceChildren(
      ...(hasFilterRow ? [this.#corner('gridcell'), ...layout.shown.map((_, place) => this.#filter(place))] : []),
    );
    if (typing !== undefined) this.#resumeTyping(typing[0], typing[1]);
    this.showProblems();
    this.showActive();
  }

  /** Height in pixels of what stands above the first row. */
  get height(): number {
    return this.element.offsetHeight;
  }

  /** Marks the title that the keyboard is on. */
  showActive(): void {
    const { active } = this.#model.selection;
    for (const [index, title] of [...this.#titles.children].entries()) {
      title.classList.toggle('is-active', active.row === headerRow && index - 1 === active.place);
    }
  }

  /** Shows what is wrong with the filters, without touching what is being typed. */
  showProblems(): void {
    for (const [column, box] of this.#boxes) {
      const problem = this.#model.filterProblems[column] ?? '';
      box.setAttribute('aria-invalid', String(problem !== ''));
      box.title = problem || this.#model.strings.filterHint;
    }
  }

  /** Gives the title and the filter box at `place` their column's width, while it is being dragged. */
  resizeTitle(place: number): void {
    const width = `${this.#model.layout.widthAt(place)}px`;
    for (const row of [this.#titles, this.#filters]) {
      const cell = row.children[place + 1];
      if (cell instanceof HTMLElement) cell.style.width = width;
    }
    this.element.style.width = `${this.#model.gutter + this.#model.layout.total}px`;
  }

  /** Draws the distribution of a column, if it is shown. */
  showProfile(column: number): void {
    const place = this.#model.layout.placeOf(column);
    const title = this.#titles.children[place + 1];
    if (place >= 0 && title instanceof HTMLElement) this.#describe(title, column);
  }

  /** Width in pixels that the title at `place` needs. */
  titleWidth(place: number): number {
    const text = this.#titles.children[place + 1]?.querySelector('.grid-title-text');
    return (text?.scrollWidth ?? 0) + 20;
  }

  focusFilter(place: number): void {
    this.#boxes.get(this.#model.layout.columnAt(place))?.focus();
  }

  /** Rows may come while a filter is being typed: the new box goes on where the old one was. */
  #resumeTyping(column: number, old: HTMLInputElement): void {
    const box = this.#boxes.get(column);
    if (box === undefined) return;
    box.value = old.value;
    box.focus();
    box.setSelectionRange(old.selectionStart, old.selectionEnd);
  }

  #corner(role: string): HTMLElement {
    const corner = make('div', 'grid-number', role);
    corner.style.width = `${this.#model.gutter}px`;
    corner.setAttribute('aria-colindex', '1');
    corner.setAttribute('aria-label', this.#model.strings.rowNumber);
    return corner;
  }

  #title(place: number): HTMLElement {
    const { layout, columns, sort } = this.#model;
    const column = layout.columnAt(place);
    const shape = columns[column];
    const title = make('div', `grid-title is-${shape?.kind ?? 'text'}`, 'columnheader');
    title.id = titleId(place);
    this.#place(title, place);
    title.setAttribute('aria-haspopup', 'menu');
    const text = make('span', 'grid-title-text');
    text.textContent = shape?.title ?? '';
    title.append(text);
    const level = sort.findIndex((key) => key.column === column);
    const key = sort[level];
    const direction = key === undefined ? 'none' : key.isDescending ? 'descending' : 'ascending';
    title.setAttribute('aria-sort', direction);
    if (direction !== 'none') {
      const mark = make('span', `grid-sort codicon ${sortIcons[direction]}`);
      mark.setAttribute('aria-hidden', 'true');
      title.append(mark);
      if (sort.length > 1) {
        const number = make('span', 'grid-sort-level');
        number.textContent = String(level + 1);
        number.setAttribute('aria-hidden', 'true');
        title.append(number);
      }
    }
    this.#describe(title, column);
    title.append(this.#handle(title, place));
    title.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.#events.onMenu(place, { x: event.clientX, y: event.clientY });
    });
    title.addEventListener('pointerdown', (event) => this.#press(event, title, place));
    return title;
  }

  /** Width and place of a title or filter box; those of columns that stay at the left do not scroll. */
  #place(cell: HTMLElement, place: number): void {
    const { layout, gutter } = this.#model;
    cell.style.width = `${layout.widthAt(place)}px`;
    cell.setAttribute('aria-colindex', String(place + 2));
    const isFrozen = place < layout.frozen;
    cell.classList.toggle('is-frozen', isFrozen);
    cell.classList.toggle('is-frozen-last', place === layout.frozen - 1);
    cell.style.left = isFrozen ? `${gutter + layout.leftOf(place)}px` : '';
  }

  /** Tooltip, words for a screen reader, and the distribution of a title's column as far as it is known. */
  #describe(title: HTMLElement, column: number): void {
    const { columns, sort, strings, profiles } = this.#model;
    const { title: name = '', typeName = '' } = columns[column] ?? {};
    const profile = profiles.get(column);
    const figures = profile === undefined ? '' : profileText(profile, strings);
    title.title = [`${name} (${typeName})`, figures, strings.columnHint].filter((line) => line !== '').join('\n');
    const level = sort.findIndex((key) => key.column === column);
    const words = [level >= 0 && sort.length > 1 ? fill(strings.sortLevel, level + 1) : '', figures];
    const description = words.filter((text) => text !== '').join(', ');
    if (description === '') title.removeAttribute('aria-description');
    else title.setAttribute('aria-description', description);
    title.querySelector('.grid-profile')?.remove();
    if (profile !== undefined) title.append(profileBars(profile));
  }

  /** Width handle: dragging resizes, double click fits the column to what it shows. */
  #handle(title: HTMLElement, place: number): HTMLElement {
    const handle = make('div', 'grid-handle', 'presentation');
    const column = this.#model.layout.columnAt(place);
    handle.addEventListener('pointerdown', (event) => {
      event.stopPropagation();
      const startX = event.clientX;
      const startWidth = title.offsetWidth;
      const widthAt = (x: number) => Math.max(narrowestColumn, startWidth + x - startX);
      // A press that moves nothing may be half of a double click, which is lost when the title is drawn anew.
      let isMoved = false;
      trackDrag(handle, event, {
        move: ({ clientX }) => {
          isMoved ||= clientX !== startX;
          if (isMoved) this.#events.onResize(column, widthAt(clientX), false);
        },
        end: ({ clientX }) => {
          if (isMoved) this.#events.onResize(column, widthAt(clientX), true);
        },
      });
    });
    handle.addEventListener('dblclick', (event) => {
      event.stopPropagation();
      this.#events.onFitWidth(place);
    });
    return handle;
  }

  /** A press on a title sorts; dragged further than a few pixels it moves the column. */
  #press(event: PointerEvent, title: HTMLElement, place: number): void {
    if (event.button !== 0) return;
    const { layout, gutter } = this.#model;
    const startX = event.clientX;
    let gap: number | undefined;
    trackDrag(title, event, {
      move: ({ clientX }) => {
        if (gap === undefined && Math.abs(clientX - startX) < dragThreshold) return;
        const scrolled = this.element.parentElement?.scrollLeft ?? 0;
        const x = clientX - this.element.getBoundingClientRect().left - scrolled - gutter;
        gap = layout.gapAt(layout.distanceAt(x, scrolled));
        this.#marker.hidden = false;
        const shift = gap < layout.frozen ? scrolled : 0;
        this.#marker.style.left = `${gutter + layout.leftOf(gap) + shift - 1}px`;
        title.classList.add('is-dragged');
      },
      end: ({ shiftKey, ctrlKey, metaKey }) => {
        this.#marker.hidden = true;
        title.classList.remove('is-dragged');
        if (gap !== undefined) this.#events.onMove(place, gap > place ? gap - 1 : gap);
        else if (this.#model.isSortable) this.#events.onSort(layout.columnAt(place), shiftKey || ctrlKey || metaKey);
      },
      cancel: () => {
        this.#marker.hidden = true;
        title.classList.remove('is-dragged');
      },
    });
  }

  #filter(place: number): HTMLElement {
    const { layout, columns, filters, strings } = this.#model;
    const column = layout.columnAt(place);
    const cell = make('div', 'grid-filter', 'gridcell');
    this.#place(cell, place);
    const box = make('input', 'grid-filter-box');
    box.type = 'text';
    box.value = filters[column] ?? '';
    box.spellcheck = false;
    box.placeholder = strings.filterColumns;
    box.setAttribute('aria-label', fill(strings.filterOf, columns[column]?.title ?? ''));
    box.addEventListener('input', () => this.#events.onFilter(column, box.value));
    box.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape' && box.value !== '') {
        box.value = '';
        this.#events.onFilter(column, '');
      } else if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') {
        event.preventDefault();
        this.#events.onLeaveFilter();
      }
    });
    this.#boxes.set(column, box);
    cell.append(box);
    return cell;
  }
}

/** Rows of the accessibility tree: those of data and those of the header. */
export function rowCountOf(model: GridModel): number {
  return model.scale.rows + headRows(model);
}
