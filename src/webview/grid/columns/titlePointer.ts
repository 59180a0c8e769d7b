import { narrowestColumn } from './columnLayout.ts';
import { make, type GridModel } from '../gridModel.ts';

const dragThreshold = 5;

/** Pointer actions on titles. Columns are identified by number, places are shown positions. */
export interface TitleEvents {
  onSort(column: number, isAdding: boolean): void;
  onResize(column: number, width: number, isFinal: boolean): void;
  onFitWidth(place: number): void;
  onMove(from: number, to: number): void;
  /** Opens the title's menu at a position of the page. */
  onMenu(place: number, at: { x: number; y: number }): void;
}

/** Handles sorting, moving and resizing by pointer on titles. */
export class TitlePointer {
  readonly #model: GridModel;
  readonly #events: TitleEvents;
  readonly #head: HTMLElement;
  readonly #marker = make('div', 'grid-drop', 'presentation');
  /** The column being dragged: its title stays in the DOM even when scrolled out of view. */
  #held: number | undefined;

  /** @param head parent of the titles, in which the drop position is marked. */
  constructor(model: GridModel, head: HTMLElement, events: TitleEvents) {
    this.#model = model;
    this.#events = events;
    this.#head = head;
    this.#marker.hidden = true;
    head.append(this.#marker);
  }

  /** @see #held */
  get held(): number | undefined {
    return this.#held;
  }

  /** Listens to the title at `place` and adds its resize handle. */
  attach(title: HTMLElement, place: number): void {
    title.append(this.#handle(title, place));
    title.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.#events.onMenu(place, { x: event.clientX, y: event.clientY });
    });
    title.addEventListener('pointerdown', (event) => this.#press(event, title, place));
  }

  /** Resize handle: dragging resizes, double click fits the column to its content. */
  #handle(title: HTMLElement, place: number): HTMLElement {
    const handle = make('div', 'grid-handle', 'presentation');
    const column = this.#model.layout.columnAt(place);
    handle.addEventListener('pointerdown', (event) => {
      event.stopPropagation();
      const startX = event.clientX;
      const startWidth = title.offsetWidth;
      const widthAt = (x: number) => Math.max(narrowestColumn, startWidth + x - startX);
      // A press without movement may be half of a double click, which would be lost if the title were redrawn.
      let isMoved = false;
      this.#held = column;
      trackDrag(handle, event, {
        move: ({ clientX }) => {
          isMoved ||= clientX !== startX;
          if (isMoved) this.#events.onResize(column, widthAt(clientX), false);
        },
        end: ({ clientX }) => {
          this.#held = undefined;
          if (isMoved) this.#events.onResize(column, widthAt(clientX), true);
        },
        cancel: () => (this.#held = undefined),
      });
    });
    handle.addEventListener('dblclick', (event) => {
      event.stopPropagation();
      this.#events.onFitWidth(place);
    });
    return handle;
  }

  /** A press on a title sorts; dragging it more than a few pixels moves the column. */
  #press(event: PointerEvent, title: HTMLElement, place: number): void {
    if (event.button !== 0) return;
    const { layout } = this.#model;
    const startX = event.clientX;
    let gap: number | undefined;
    this.#held = layout.columnAt(place);
    const over = () => {
      this.#held = undefined;
      this.#marker.hidden = true;
      title.classList.remove('is-dragged');
    };
    trackDrag(title, event, {
      move: ({ clientX }) => {
        if (gap === undefined && Math.abs(clientX - startX) < dragThreshold) return;
        gap = this.#showGap(clientX);
        title.classList.add('is-dragged');
      },
      end: ({ shiftKey, ctrlKey, metaKey }) => {
        over();
        if (gap !== undefined) this.#events.onMove(place, gap > place ? gap - 1 : gap);
        else this.#events.onSort(layout.columnAt(place), shiftKey || ctrlKey || metaKey);
      },
      cancel: over,
    });
  }

  /** Marks the drop position for a column released at `clientX`; returns the position after it. */
  #showGap(clientX: number): number {
    const { layout, gutter } = this.#model;
    const scrolled = this.#head.parentElement?.scrollLeft ?? 0;
    const x = clientX - this.#head.getBoundingClientRect().left - gutter;
    const gap = layout.gapAt(layout.distanceAt(x, scrolled));
    this.#marker.hidden = false;
    this.#marker.style.left = `${gutter + layout.seenAt(gap, scrolled) - 1}px`;
    return gap;
  }
}

/** Tracks a pointer from press to release, also outside the element. Escape cancels. */
function trackDrag(
  element: HTMLElement,
  press: PointerEvent,
  steps: { move(event: PointerEvent): void; end(event: PointerEvent): void; cancel?(): void },
): void {
  element.setPointerCapture(press.pointerId);
  const stop = new AbortController();
  const { signal } = stop;
  const giveUp = () => {
    stop.abort();
    steps.cancel?.();
  };
  element.addEventListener('pointermove', (event) => steps.move(event), { signal });
  element.addEventListener('pointercancel', giveUp, { signal });
  element.addEventListener(
    'pointerup',
    (event) => {
      stop.abort();
      steps.end(event);
    },
    { signal },
  );
  window.addEventListener('keydown', (event) => event.key === 'Escape' && giveUp(), { signal, capture: true });
}
