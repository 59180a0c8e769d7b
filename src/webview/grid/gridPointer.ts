import type { CellPlace } from './gridSelection.ts';

/** What selecting with the mouse needs from the grid. Places are in client pixels. */
export interface PointerTarget {
  cellAt(x: number, y: number): CellPlace | undefined;
  rowAt(y: number): number;
  select(cell: CellPlace, isExtending: boolean): void;
  selectRows(from: number, to: number): void;
  /** Row from which a shift-click on a row number selects. */
  anchorRow(): number;
}

/**
 * Selects cells by pressing and dragging, rows by their numbers. While the pointer is held outside the body, the
 * selection keeps growing and the grid scrolls after it.
 */
export function trackSelection(body: HTMLElement, signal: AbortSignal, target: PointerTarget): void {
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
  target.select(cell, press.shiftKey);
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

/** Reports the pointer's place on every frame until it is released. */
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
