import type { FindParams, FoundCell } from '../../../../contract/pages/resultCells.ts';

/** What the find bar shows. */
export interface FindState {
  text: string;
  /** Rows that contain the text; undefined while that is not known. */
  rows: number | undefined;
  /** Grows whenever the bar is opened, also while it is open. */
  opened: number;
}

/** The grid that is looked into. */
interface FoundGrid {
  /** The active cell, and the columns in the order shown. */
  readonly place: Pick<FindParams, 'row' | 'place' | 'columns'>;
  /** Makes a cell active and brings it into view. */
  goTo(row: number, place: number): void;
  /** Marks the cells in view that contain a text; none for an empty one. */
  mark(text: string): void;
  focus(): void;
}

/** What a step of finding asks the host. */
export type FindStep = Omit<FindParams, 'view'>;

/** Finds text in the cells of the grid, from one to the next. */
export class GridFind {
  /** The grid on the page. */
  grid: FoundGrid | undefined;
  readonly #ask: (step: FindStep) => Promise<FoundCell | null | undefined>;
  readonly #changed: (state: FindState | undefined) => void;
  #text = '';
  #opened = 0;
  #isOpen = false;
  #asked = 0;
  /** The step that is not answered yet. */
  #underWay: { isBackward: boolean; isFromHere: boolean } | undefined;

  /**
   * @param ask asks the host for the next cell.
   * @param changed is told what the bar shows; undefined when it is closed.
   */
  constructor(
    ask: (step: FindStep) => Promise<FoundCell | null | undefined>,
    changed: (state: FindState | undefined) => void,
  ) {
    this.#ask = ask;
    this.#changed = changed;
  }

  /** Opens the bar with what was looked for last. */
  open(): void {
    this.#isOpen = true;
    this.#opened++;
    this.#tell(undefined);
    this.grid?.mark(this.#text);
  }

  /** Closes the bar; the grid has the focus again. */
  close(): void {
    this.#isOpen = false;
    this.#asked++;
    this.#underWay = undefined;
    this.#changed(undefined);
    this.grid?.mark('');
    this.grid?.focus();
  }

  /** Looks for another text, from the active cell on, which counts itself. */
  type(text: string): void {
    this.#text = text;
    this.grid?.mark(text);
    this.#tell(undefined);
    void this.#find(false, true);
  }

  /** Goes to the next cell, or to the one before. Opens the bar where nothing was looked for yet. */
  step(isBackward: boolean): void {
    if (!this.#isOpen || this.#text === '') this.open();
    if (this.#text !== '') void this.#find(isBackward, false);
  }

  /** Other rows are shown, or in another order: a step under way is taken anew, as the host looks into one view; else the rows are counted. */
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
    // Another step, or another text, has taken its place.
    if (asked !== this.#asked) return;
    this.#underWay = undefined;
    if (found === undefined) return;
    this.#tell(found?.rows ?? 0);
    if (found !== null && isMoving) grid.goTo(found.row, found.place);
  }

  #tell(rows: number | undefined): void {
    if (this.#isOpen) this.#changed({ text: this.#text, rows, opened: this.#opened });
  }
}
