import { pressKey } from './gridKeyboard.ts';
import type { KeyTarget } from './gridKeyboard.ts';
import type { GridModel } from './gridModel.ts';
import { cellAt, rowAt } from './gridPlaces.ts';
import { trackSelection } from './gridPointer.ts';
import { headerRow } from './gridSelection.ts';
import type { CellPlace } from './gridSelection.ts';

/** What keys and the pointer do. */
export interface GridInput extends KeyTarget {
  /** Selects whole rows. */
  selectRows(from: number, to: number): void;
  /** Opens the menu of the selected cells, or of the one pointed at if it is not among them. */
  cellMenu(cell: CellPlace, at: { x: number; y: number }): void;
}

/** Lets the grid follow keys, pointer, focus and the clipboard until the signal fires. */
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
    select: (place, isExtending) => input.activate(place, isExtending),
    selectRows: (from, to) => input.selectRows(from, to),
    anchorRow: () => selection.range?.firstRow ?? 0,
  });
  // The menu key opens a menu by itself; the editor's would cover it.
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
  // Copying from a menu reaches the page as an event of its own.
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

/** The first focus goes to the first cell, so that arrows and copying work at once. */
function focusFirst({ relatedTarget }: FocusEvent, { selection, scale, top }: GridModel, input: GridInput): void {
  // A menu that closes gives the focus back to its title.
  if (relatedTarget instanceof Element && relatedTarget.closest('.grid-menu') !== null) return;
  if (selection.active.row === headerRow && scale.rows > 0) {
    input.activate({ row: scale.firstRow(top), place: selection.active.place }, false);
  }
}

/** Whether a click follows a link: on its text, alone, without selecting. */
function isFollowed({ target, shiftKey }: MouseEvent, { selection }: GridModel): boolean {
  const isLink =
    target instanceof Element && target.matches('.grid-cell:is(.is-link:not(.is-null), .is-drill) > .grid-text');
  return isLink && !shiftKey && selection.count <= 1;
}
