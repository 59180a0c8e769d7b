import { linkAddress } from '../../contract/pages/resultCells.ts';
import { openMenu, type MenuEntry } from './gridMenu.ts';
import type { GridModel } from './gridModel.ts';
import { headerRow, type CellPlace, type CellRange } from './gridSelection.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Actions on cells. Columns are identified by their number in the result. */
export interface CellEvents {
  /** Copy a rectangle, with its columns in the order shown. */
  onCopy(range: CellRange, columns: number[], withHeaders: boolean): void;
  /** Copy a rectangle in a format that the user is asked for. */
  onCopyAs(range: CellRange, columns: number[]): void;
  onOpenLink(row: number, column: number): void;
  /** Open the drill-down report of a cell. */
  onDrill(row: number, column: number): void;
  /** Selection changed: number of cells, and the rectangle with its columns in the order shown. */
  onSelect(cells: number, range: CellRange | undefined, columns: number[]): void;
  /** Show the full content of a cell. */
  onOpenCell(row: number, column: number): void;
}

/** The user's actions on cells, reported with the column numbers. */
export class CellActions {
  readonly #model: GridModel;
  readonly #events: CellEvents;

  constructor(model: GridModel, events: CellEvents) {
    this.#model = model;
    this.#events = events;
  }

  tellSelection(): void {
    const { selection } = this.#model;
    this.#events.onSelect(selection.count, selection.range, this.#selectedColumns());
  }

  copy(withHeaders: boolean): void {
    const { range } = this.#model.selection;
    if (range !== undefined) this.#events.onCopy(range, this.#selectedColumns(), withHeaders);
  }

  copyAs(): void {
    const { range } = this.#model.selection;
    if (range !== undefined) this.#events.onCopyAs(range, this.#selectedColumns());
  }

  /** Shows the full content of a cell. */
  open({ row, place }: CellPlace): void {
    if (row !== headerRow) this.#events.onOpenCell(row, this.#model.layout.columnAt(place));
  }

  /** Follows the link or drill-down of a cell. */
  follow(cell: CellPlace): void {
    const column = this.#model.layout.columnAt(cell.place);
    const leads = this.#leadsTo(cell);
    if (leads === 'link') this.#events.onOpenLink(cell.row, column);
    if (leads === 'report') this.#events.onDrill(cell.row, column);
  }

  /** Opens the menu of the selected cells at a position. */
  openMenu({ x, y }: { x: number; y: number }): void {
    openMenu(l10n.t('Selected cells'), this.#entries(), x, y);
  }

  #entries(): MenuEntry[] {
    const { selection } = this.#model;
    const { active } = selection;
    const leads = this.#leadsTo(active);
    const entries: MenuEntry[] = [
      { label: l10n.t('Copy'), keys: 'Ctrl+C', run: () => this.copy(false) },
      { label: l10n.t('Copy with Headers'), keys: 'Ctrl+Shift+C', run: () => this.copy(true) },
      { label: l10n.t('Copy As…'), keys: 'Ctrl+Alt+C', run: () => this.copyAs() },
      { label: l10n.t('Show Whole Cell'), keys: 'F2', isFirst: true, run: () => this.open(active) },
    ];
    if (leads !== undefined) {
      const label = leads === 'link' ? l10n.t('Open Link') : l10n.t('Open Linked Report');
      entries.push({ label, keys: 'Enter', run: () => this.follow(active) });
    }
    return entries;
  }

  #leadsTo({ row, place }: CellPlace): 'link' | 'report' | undefined {
    const { layout, columns, windows } = this.#model;
    const column = layout.columnAt(place);
    // Headings and totals do not represent a row.
    const cells = windows.row(row);
    if (cells === undefined || windows.level(row) !== 0) return undefined;
    const text = cells[column] ?? '';
    if (columns[column]?.kind === 'link' && linkAddress(text)) return 'link';
    // Rows without a value can be drilled down too: to the rows that have none.
    return columns[column]?.leadsOn ? 'report' : undefined;
  }

  #selectedColumns(): number[] {
    const { selection, layout } = this.#model;
    const { range } = selection;
    return range === undefined ? [] : layout.shown.slice(range.firstPlace, range.lastPlace + 1);
  }
}
