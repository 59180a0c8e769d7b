import { openMenu } from '../gridMenu.ts';
import type { MenuEntry } from '../gridMenu.ts';
import type { GridBody } from '../gridBody.ts';
import type { GridHeader } from '../gridHeader.ts';
import { combinedColumnText, titleId } from '../gridModel.ts';
import type { GridModel } from '../gridModel.ts';
import { say } from '../../shared/liveRegion.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** Effects of arranging columns on the rest of the grid. */
export interface ArrangerEvents {
  /** Columns were moved or resized; `isFinal` unless still dragging. */
  changed(isFinal: boolean): void;
  /** Moves the keyboard focus to a title. */
  activateTitle(place: number): void;
  sort(column: number, isDescending: boolean): void;
  profile(column: number): void;
}

const resizeStep = 16;
const fitSpace = 24;

/** Changes the arrangement of the columns by pointer, by keys, and by a title's menu. */
export class ColumnArranger {
  readonly #model: GridModel;
  readonly #header: GridHeader;
  readonly #body: GridBody;
  readonly #events: ArrangerEvents;

  constructor(model: GridModel, header: GridHeader, body: GridBody, events: ArrangerEvents) {
    this.#model = model;
    this.#header = header;
    this.#body = body;
    this.#events = events;
  }

  resize(column: number, width: number, isFinal: boolean): void {
    const { layout } = this.#model;
    layout.resize(column, width);
    if (isFinal) this.#header.render();
    else this.#header.resize();
    this.#events.changed(isFinal);
    if (!isFinal) return;
    const place = layout.placeOf(column);
    say(l10n.t('{0} is {1} pixels wide', this.#nameAt(place), layout.widthAt(place)));
  }

  /** Fits a column to its title and the visible cells. */
  fitWidth(place: number): void {
    const widest = Math.max(this.#body.widestText(place), this.#header.titleWidth(place));
    this.resize(this.#model.layout.columnAt(place), widest + fitSpace, true);
  }

  move(from: number, to: number): void {
    const { layout } = this.#model;
    if (from !== to) say(l10n.t('{0} moved to position {1} of {2}', this.#nameAt(from), to + 1, layout.count));
    layout.move(from, to);
    this.#redraw();
  }

  /** Moves the column at `place` by one step, or makes it wider or narrower. */
  step(place: number, step: 1 | -1, isResizing: boolean): void {
    const { layout } = this.#model;
    if (isResizing) return this.resize(layout.columnAt(place), layout.widthAt(place) + step * resizeStep, true);
    const to = Math.min(Math.max(0, place + step), layout.count - 1);
    this.move(place, to);
    this.#events.activateTitle(to);
  }

  hide(place: number): void {
    const { layout } = this.#model;
    const name = this.#nameAt(place);
    const before = layout.count;
    layout.hide(place);
    if (layout.count < before) say(l10n.t('{0} hidden', name));
    this.#redraw();
    this.#events.activateTitle(Math.min(place, layout.count - 1));
  }

  show(columns: readonly number[]): void {
    this.#model.layout.show(columns);
    say(l10n.t('{0} shown', columns.map((column) => this.#model.columns[column]?.title ?? '').join(', ')));
    this.#redraw();
    const place = this.#model.layout.placeOf(columns[0] ?? -1);
    if (place >= 0) this.#events.activateTitle(place);
  }

  freeze(count: number): void {
    this.#model.layout.freeze(count);
    say(
      count === 0 ? l10n.t('No columns are frozen') : l10n.t('Columns up to {0} are frozen', this.#nameAt(count - 1)),
    );
    this.#redraw();
  }

  /** Opens the menu of the title at `place`: at a position, or below the title, after scrolling it into view. */
  openMenu(place: number, at?: { x: number; y: number }): void {
    if (at === undefined) this.#events.activateTitle(place);
    const title = document.getElementById(titleId(place))?.getBoundingClientRect();
    openMenu(this.#nameAt(place), this.#entries(place), at?.x ?? title?.left ?? 0, at?.y ?? title?.bottom ?? 0);
  }

  #entries(place: number): MenuEntry[] {
    const { layout, columns } = this.#model;
    const column = layout.columnAt(place);
    const entries: MenuEntry[] = [
      { label: l10n.t('Sort Ascending'), run: () => this.#events.sort(column, false) },
      { label: l10n.t('Sort Descending'), run: () => this.#events.sort(column, true) },
      {
        label: l10n.t('Show Distribution'),
        keys: 'F2',
        isFirst: true,
        ...(columns[column]?.ofResult == null && {
          whyNot: combinedColumnText(),
        }),
        run: () => this.#events.profile(column),
      },
    ];
    const isEdge = layout.frozen === place + 1;
    entries.push({
      label: isEdge ? l10n.t('Unfreeze Columns') : l10n.t('Freeze up to This Column'),
      isFirst: true,
      run: () => this.freeze(isEdge ? 0 : place + 1),
    });
    if (place > 0) {
      entries.push({ label: l10n.t('Move Left'), keys: 'Alt+Left', run: () => this.step(place, -1, false) });
    }
    if (place < layout.count - 1) {
      entries.push({ label: l10n.t('Move Right'), keys: 'Alt+Right', run: () => this.step(place, 1, false) });
    }
    entries.push({ label: l10n.t('Fit Width'), run: () => this.fitWidth(place) });
    if (layout.count > 1) {
      entries.push({ label: l10n.t('Hide Column'), keys: 'Delete', isFirst: true, run: () => this.hide(place) });
    }
    return [...entries, ...this.#hiddenEntries(layout.count === 1)];
  }

  /** One entry per hidden column, and one for all if there are several. */
  #hiddenEntries(isFirst: boolean): MenuEntry[] {
    const { layout, columns } = this.#model;
    const { hidden } = layout;
    const entries = hidden.map((column, index): MenuEntry => ({
      label: l10n.t('Show "{0}"', columns[column]?.title ?? ''),
      isFirst: isFirst && index === 0,
      run: () => this.show([column]),
    }));
    if (hidden.length > 1) entries.push({ label: l10n.t('Show All Columns'), run: () => this.show(hidden) });
    return entries;
  }

  #nameAt(place: number): string {
    const { columns, layout } = this.#model;
    return columns[layout.columnAt(place)]?.title ?? '';
  }

  #redraw(): void {
    this.#header.render();
    this.#events.changed(true);
  }
}
