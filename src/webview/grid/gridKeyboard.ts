import { headerRow } from './gridSelection.ts';
import type { CellPlace } from './gridSelection.ts';

/** What keys do to the grid. */
export interface KeyTarget {
  /** The active cell. */
  active(): CellPlace;
  /** Where a key leads; undefined for keys that do not move. */
  target(key: string, isJump: boolean): CellPlace | undefined;
  activate(cell: CellPlace, isExtending: boolean): void;
  selectAll(): void;
  copy(withHeaders: boolean): void;
  /** Copy in a form that is asked for. */
  copyAs(): void;
  /** Show a cell whole. */
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
  /** Shows how a column's values are distributed. */
  profile(place: number): void;
}

/** Does what a key asks for; false when it means nothing to the grid. */
export function pressKey(event: KeyboardEvent, grid: KeyTarget): boolean {
  const { key, altKey, shiftKey } = event;
  const isJump = event.ctrlKey || event.metaKey;
  const active = grid.active();
  const isOnTitle = active.row === headerRow;
  // With ⌥ held, Macs type another letter.
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
