import type { FindParams, FoundCell } from '../../../../contract/pages/resultCells.ts';

/** State of the find bar. */
export interface FindState {
  text: string;
  /** Number of rows that contain the text; undefined while unknown. */
  rows: number | undefined;
  /** Increases whenever the bar is opened, even if it is already open. */
  opened: number;
}

/** The grid to search in. */
interface FoundGrid {
  /** The active cell, and the displayed order of the columns. */
  readonly place: Pick<FindParams, 'row' | 'place' | 'columns'>;
  /** Makes a cell active and reveals it. */
  goTo(row: number, place: number): void;
  /** Announces the active cell, unless the grid has the focus. */
  sayActive(): void;
  /** Highlights the cells in view that contain a text; none if it is empty. */
  mark(text: string): void;
  focus(): void;
}

/** A find request to the host. */
export type FindStep = Omit<FindParams, 'view'>;

/** Finds text in the cells of the grid, step by step. */
export class GridFind {
  /** The grid on the page. */
  grid: FoundGrid | undefined;
  readonly #ask: (step: FindStep) => Promise<FoundCell | null | undefined>;
  readonly #changed: (state: FindState | undefined) => void;
  #text = '';
  #opened = 0;
  #isOpen = false;
  #asked = 0;
  /** The step that is waiting for its answer. */
  #underWay: { isBackward: boolean; isFromHere: boolean } | undefined;

  /**
   * @param ask requests the next cell from the host.
   * @param changed receives the state of the bar; undefined when it is closed.
   */
  constructor(
    ask: (step: FindStep) => Promise<FoundCell | null | undefined>,
    changed: (state: FindState | undefined) => void,
  ) {
    this.#ask = ask;
    this.#changed = changed;
  }

  /** Opens the bar with the last search text. */
  open(): void {
    this.#isOpen = true;
    this.#opened++;
    this.#tell(undefined);
    this.grid?.mark(this.#text);
  }

  /** Closes the bar and focuses the grid. */
  close(): void {
    this.#isOpen = false;
    this.#asked++;
    this.#underWay = undefined;
    this.#changed(undefined);
    this.grid?.mark('');
    this.grid?.focus();
  }

  /** Searches for another text, starting with the active cell. */
  type(text: string): void {
    this.#text = text;
    this.grid?.mark(text);
    this.#tell(undefined);
    void this.#find(false, true);
  }

  /** Goes to the next or previous cell. Opens the bar if there is no search text yet. */
  step(isBackward: boolean): void {
    if (!this.#isOpen || this.#text === '') this.open();
    if (this.#text !== '') void this.#find(isBackward, false);
  }

  /**
   * The rows or their order have changed: repeats an active step, because the host searches a single view; otherwise
   * counts the matching rows.
   */
  viewChanged(): void {
    if (!this.#isOpen || this.#text === '') return;
    const step = this.#underWay;
    void this.#find(step?.isBackward ?? false, step?.isFromHere ?? true, step !== undefined);
  }

  async #find(isBackward: boolean, isFromHere: boolean, isMoving = true): Promise<void> {
    const { grid } = this;
    const asked = ++this.#asked;
    const text = this.#text;
    if (grid === undefined || text === '') return;
    const { row, place, columns } = grid.place;
    if (isMoving) this.#underWay = { isBackward, isFromHere };
    const found = await this.#ask({ text, row, place, columns, isBackward, isFromHere });
    // Another step or text has replaced this one.
    if (asked !== this.#asked) return;
    this.#underWay = undefined;
    if (found === undefined) return;
    this.#tell(found?.rows ?? 0);
    if (found === null || !isMoving) return;
    grid.goTo(found.row, found.place);
    if (!isFromHere) grid.sayActive();
  }

  #tell(rows: number | undefined): void {
    if (this.#isOpen) this.#changed({ text: this.#text, rows, opened: this.#opened });
  }
}
