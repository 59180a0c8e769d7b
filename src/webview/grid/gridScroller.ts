import { rowHeight } from './gridModel.ts';
import type { GridModel } from './gridModel.ts';
import { ScrollScale } from './scrollScale.ts';

/**
 * Synchronizes scroll bar and rows. The model's `top` is authoritative; if the surface is too short for all rows, the
 * scroll bar represents it on a smaller scale.
 */
export class GridScroller {
  readonly #element: HTMLElement;
  readonly #surface: HTMLElement;
  readonly #model: GridModel;
  readonly #moved: (distance: number) => void;
  /** Scroll position that was set here, to detect scrolling by the user. */
  #ownScroll = 0;

  /** @param moved called on any scrolling, in either direction, with the distance that the rows moved. */
  constructor(
    element: HTMLElement,
    surface: HTMLElement,
    model: GridModel,
    moved: (distance: number) => void,
    signal: AbortSignal,
  ) {
    this.#element = element;
    this.#surface = surface;
    this.#model = model;
    this.#moved = moved;
    element.addEventListener('scroll', () => this.#scrolled(), { signal, passive: true });
    element.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
  }

  /** Updates after a change of the number of rows, the columns or the size; keeps the first visible row. */
  fit(bodyHeight: number): void {
    const { windows, gutter, layout, top } = this.#model;
    this.#model.scale = new ScrollScale(rowHeight, windows.rows, bodyHeight);
    this.#surface.style.width = `${gutter + layout.total}px`;
    this.#surface.style.height = `${this.#model.scale.surface}px`;
    this.scrollTo(top);
  }

  scrollTo(top: number): void {
    const before = this.#model.top;
    this.#model.top = this.#model.scale.clamp(top);
    this.#element.scrollTop = this.#model.scale.scrollAt(this.#model.top);
    this.#ownScroll = this.#element.scrollTop;
    this.#moved(this.#model.top - before);
  }

  /** Scrolls as little as possible to make `row` fully visible. */
  showRow(row: number): void {
    const { scale, top } = this.#model;
    const target = scale.topShowing(row, top);
    if (target !== top) this.scrollTo(target);
  }

  /** Scrolls horizontally as little as possible to make the column at `place` fully visible. */
  showPlace(place: number): void {
    const { layout, gutter } = this.#model;
    if (place < layout.frozen) return;
    const left = layout.leftOf(place);
    const right = left + layout.widthAt(place);
    const visible = this.#element.clientWidth - gutter;
    const { frozenWidth } = layout;
    if (left - frozenWidth < this.#element.scrollLeft) this.#element.scrollLeft = left - frozenWidth;
    else if (right > this.#element.scrollLeft + visible) {
      this.#element.scrollLeft = Math.min(left - frozenWidth, right - visible);
    }
  }

  #scrolled(): void {
    const { scale, top } = this.#model;
    const { scrollTop } = this.#element;
    // A scaled scroll bar is coarser than a row: keep the exact position if the user has not moved it.
    const next = scale.isScaled && Math.abs(scrollTop - this.#ownScroll) < 1 ? top : scale.topAt(scrollTop);
    this.#ownScroll = scrollTop;
    this.#model.top = next;
    this.#moved(next - top);
  }

  /** With a scaled scroll bar, the mouse wheel would skip rows: moves the rows instead, and the bar follows. */
  #wheel(event: WheelEvent): void {
    const { scale, top } = this.#model;
    if (!scale.isScaled || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight : 1;
    this.#element.scrollLeft += event.deltaX * unit;
    this.scrollTo(top + event.deltaY * unit);
  }
}
