import type { GridModel } from './gridModel.ts';
import { cellAt, rowAt } from './gridPlaces.ts';
import { headerRow, type CellPlace } from './gridSelection.ts';

/** Actions for keys and pointer. */
export interface GridInput extends KeyTarget {
  /** Selects whole rows. */
  /** Makes a cell the active one where it is, without scrolling. */
  press(cell: CellPlace, isExtending: boolean): void;
  selectRows(from: number, to: number): void;
  /** Opens the menu of the selected cells, or of the cell pointed at if it is not selected. */
  cellMenu(cell: CellPlace, at: { x: number; y: number }): void;
}

/** Handles keys, pointer, focus and clipboard until the signal fires. */
export function listenToGrid(
  element: HTMLElement,
  body: HTMLElement,
  model: GridModel,
  input: GridInput,
  signal: AbortSignal,
): void {
  const { selection } = model;
  element.addEventListener('focus', (event) => focusFirst(event, model, input), { signal });
  body.addEventListener('dblclick', () => input.open(selection.active), { signal });
  const cell = (x: number, y: number) => cellAt(model, element, body, x, y);
  body.addEventListener(
    'click',
    (event) => {
      const target = isFollowed(event, model) ? cell(event.clientX, event.clientY) : undefined;
      if (target !== undefined) input.follow(target);
    },
    { signal },
  );
  trackSelection(body, signal, {
    cellAt: cell,
    rowAt: (y) => rowAt(model, body, y),
    press: (place, isExtending) => input.press(place, isExtending),
    select: (place, isExtending) => input.activate(place, isExtending),
    selectRows: (from, to) => input.selectRows(from, to),
    anchorRow: () => selection.range?.firstRow ?? 0,
  });
  // The menu key opens a menu itself; the editor's menu would cover it.
  element.addEventListener(
    'contextmenu',
    (event) => {
      if (event.target === element) event.preventDefault();
    },
    { signal },
  );
  body.addEventListener(
    'contextmenu',
    (event) => {
      const { clientX: x, clientY: y } = event;
      const target = cell(x, y);
      if (target === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      input.cellMenu(target, { x, y });
    },
    { signal },
  );
  // Copying from a menu is a separate event of the page.
  document.addEventListener(
    'copy',
    (event) => {
      if (document.activeElement !== element) return;
      event.preventDefault();
      input.copy(false);
    },
    { signal },
  );
  element.addEventListener(
    'keydown',
    (event) => {
      if (!pressKey(event, input)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal },
  );
}

/** The first focus activates the first cell, so that arrow keys and copying work immediately. */
function focusFirst({ relatedTarget }: FocusEvent, { selection, scale, top }: GridModel, input: GridInput): void {
  // Closing a menu returns the focus to its title.
  if (relatedTarget instanceof Element && relatedTarget.closest('.grid-menu') !== null) return;
  if (selection.active.row === headerRow && scale.rows > 0) {
    input.activate({ row: scale.firstRow(top), place: selection.active.place }, false);
  }
}

/** Whether a click follows a link: on its text, as a single click, without selecting. */
function isFollowed({ target, shiftKey }: MouseEvent, { selection }: GridModel): boolean {
  const isLink =
    target instanceof Element && target.matches('.grid-cell:is(.is-link:not(.is-null), .is-drill) > .grid-text');
  return isLink && !shiftKey && selection.count <= 1;
}

/** Effects of keys on the grid. */
interface KeyTarget {
  /** The active cell. */
  active(): CellPlace;
  /** Target of a key; undefined for keys that do not move. */
  target(key: string, isJump: boolean): CellPlace | undefined;
  activate(cell: CellPlace, isExtending: boolean): void;
  selectAll(): void;
  copy(withHeaders: boolean): void;
  /** Copy in a format that the user chooses. */
  copyAs(): void;
  /** Show the full content of a cell. */
  open(cell: CellPlace): void;
  /** Enter on a title. */
  sort(place: number, isAdding: boolean): void;
  /** Enter on a cell. */
  follow(cell: CellPlace): void;
  /** Moves the column at `place` by one, or makes it wider or narrower. */
  arrange(place: number, step: 1 | -1, isResizing: boolean): void;
  hide(place: number): void;
  /** Opens the menu of a title, or of the selected cells. */
  menu(cell: CellPlace): void;
  /** Shows the value distribution of a column. */
  profile(place: number): void;
}

/** Handles a key; returns false if it has no meaning for the grid. */
function pressKey(event: KeyboardEvent, grid: KeyTarget): boolean {
  const { key, altKey, shiftKey } = event;
  const isJump = event.ctrlKey || event.metaKey;
  const active = grid.active();
  const isOnTitle = active.row === headerRow;
  // With ⌥ pressed, Macs type another letter.
  if (isJump && altKey && (event.code === 'KeyC' || key.toLowerCase() === 'c')) grid.copyAs();
  else if (isJump && key.toLowerCase() === 'c') grid.copy(shiftKey);
  else if (isJump && key.toLowerCase() === 'a') grid.selectAll();
  else if (altKey && isOnTitle && key === 'ArrowRight') grid.arrange(active.place, 1, shiftKey);
  else if (altKey && isOnTitle && key === 'ArrowLeft') grid.arrange(active.place, -1, shiftKey);
  else if (isMenuKey(event) || (isOnTitle && altKey && key === 'ArrowDown')) grid.menu(active);
  else if (isOnTitle && (key === 'Delete' || key === 'Backspace')) grid.hide(active.place);
  else if (isOnTitle && key === 'F2') grid.profile(active.place);
  else if (isOnTitle && (key === 'Enter' || key === ' ')) grid.sort(active.place, shiftKey);
  else if (key === 'Enter') grid.follow(active);
  else if (key === ' ' || key === 'F2') grid.open(active);
  else {
    const cell = altKey ? undefined : grid.target(key, isJump);
    if (cell === undefined) return false;
    grid.activate(cell, shiftKey);
  }
  return true;
}

function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
  return key === 'ContextMenu' || (shiftKey && key === 'F10');
}

/** Operations for selecting with the mouse. Positions are in client pixels. */
interface PointerTarget {
  cellAt(x: number, y: number): CellPlace | undefined;
  rowAt(y: number): number;
  /** Selects the cell under the pointer where it is: what moves between press and release gets no click. */
  press(cell: CellPlace, isExtending: boolean): void;
  select(cell: CellPlace, isExtending: boolean): void;
  selectRows(from: number, to: number): void;
  /** Row from which Shift+click on a row number selects. */
  anchorRow(): number;
}

/**
 * Selects cells by dragging, and rows by dragging over their numbers. While the pointer is held outside the body, the
 * grid keeps scrolling and the selection keeps growing.
 */
function trackSelection(body: HTMLElement, signal: AbortSignal, target: PointerTarget): void {
  body.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      const isOnNumber = event.target instanceof Element && event.target.closest('.grid-number') !== null;
      if (isOnNumber) dragRows(body, event, target);
      else dragCells(body, event, target);
    },
    { signal },
  );
}

function dragCells(body: HTMLElement, press: PointerEvent, target: PointerTarget): void {
  const cell = target.cellAt(press.clientX, press.clientY);
  if (cell === undefined) return;
  target.press(cell, press.shiftKey);
  let last = cell;
  follow(body, press, (x, y) => {
    const next = target.cellAt(x, y);
    if (next === undefined || (next.row === last.row && next.place === last.place)) return;
    last = next;
    target.select(next, true);
  });
}

function dragRows(body: HTMLElement, press: PointerEvent, target: PointerTarget): void {
  const from = press.shiftKey ? target.anchorRow() : target.rowAt(press.clientY);
  target.selectRows(from, target.rowAt(press.clientY));
  follow(body, press, (_x, y) => target.selectRows(from, target.rowAt(y)));
}

/** Reports the pointer position on every frame until it is released. */
function follow(body: HTMLElement, press: PointerEvent, report: (x: number, y: number) => void): void {
  const stop = new AbortController();
  let [x, y] = [press.clientX, press.clientY];
  let hasMoved = false;
  const note = (event: PointerEvent) => {
    [x, y] = [event.clientX, event.clientY];
    if (!hasMoved) body.setPointerCapture(press.pointerId);
    hasMoved = true;
  };
  const frame = () => {
    if (stop.signal.aborted) return;
    if (hasMoved) report(x, y);
    requestAnimationFrame(frame);
  };
  const end = () => stop.abort();
  body.addEventListener('pointermove', note, { signal: stop.signal });
  window.addEventListener('pointerup', end, { signal: stop.signal });
  window.addEventListener('pointercancel', end, { signal: stop.signal });
  requestAnimationFrame(frame);
}
