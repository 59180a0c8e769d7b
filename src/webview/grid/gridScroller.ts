import { rowHeight } from './gridModel.ts';
import type { GridModel } from './gridModel.ts';
import { ScrollScale } from './scrollScale.ts';

/**
 * Keeps the scroll bar and the rows in step. The model's `top` is the truth; where the surface is too short for all rows,
 * the bar stands for it on a smaller scale.
 */
export class GridScroller {
  readonly #element: HTMLElement;
  readonly #surface: HTMLElement;
  readonly #model: GridModel;
  readonly #moved: (distance: number) => void;
  /** Where we put the bar, to tell the user's scrolling from ours. */
  #ownScroll = 0;

  /** @param moved called whenever something scrolled, in either direction, with how far the rows moved. */
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

  /** Takes in that the number of rows, the columns or the size changed; the first row in view stays. */
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

  /** Scrolls as little as needed until `row` is wholly visible. */
  showRow(row: number): void {
    const { scale, top } = this.#model;
    const target = scale.topShowing(row, top);
    if (target !== top) this.scrollTo(target);
  }

  /** Scrolls sideways as little as needed until the column at `place` is wholly visible. */
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
    // A scaled bar is coarser than a row: keep the exact place when the bar is where we put it.
    const next = scale.isScaled && Math.abs(scrollTop - this.#ownScroll) < 1 ? top : scale.topAt(scrollTop);
    this.#ownScroll = scrollTop;
    this.#model.top = next;
    this.#moved(next - top);
  }

  /** Where the bar is scaled, a turn of the wheel would skip rows: it moves the rows, and the bar follows. */
  #wheel(event: WheelEvent): void {
    const { scale, top } = this.#model;
    if (!scale.isScaled || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight : 1;
    this.#element.scrollLeft += event.deltaX * unit;
    this.scrollTo(top + event.deltaY * unit);
  }
}
