import type { ChartFigure } from '../../contract/pages/chartFigure.ts';
import { including, indexOf, nearest, panned, step, zoomed } from './chartMarks.ts';
import type { Mark, MarkRow, Span, Step } from './chartMarks.ts';
import { markText, spanText } from './chartText.ts';
import type { ChartDrawing } from './chartDrawing.ts';
import { say } from '../shared/liveRegion.ts';
import * as l10n from '../../l10n/l10n.ts';

type Drawing = Pick<ChartDrawing, 'boxOf' | 'showTip' | 'hideTip' | 'span' | 'showSpan' | 'zoomToPart'>;

const steps: Readonly<Record<string, Step>> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  Home: 'first',
  End: 'last',
  ArrowUp: 'rowAbove',
  ArrowDown: 'rowBelow',
};

/** Moves through a chart by keys: marks its active value with a frame, and announces it. */
export class ChartKeys {
  readonly #drawing: Drawing;
  readonly #frame: HTMLElement;
  #figure: ChartFigure | undefined;
  #rows: readonly MarkRow[] = [];
  #mark: Mark | undefined;
  #hasFocus = false;

  /** @param frame the element that marks the active value. */
  constructor(drawing: Drawing, frame: HTMLElement) {
    this.#drawing = drawing;
    this.#frame = frame;
  }

  /** The chart shows other values. The active one stays where it was, if there is one. */
  show(figure: ChartFigure, rows: readonly MarkRow[]): void {
    this.#figure = figure;
    this.#rows = rows;
    const last = (rows[this.#mark?.row ?? 0]?.places.length ?? 0) - 1;
    if (this.#mark !== undefined)
      this.#mark = last < 0 ? undefined : { ...this.#mark, at: Math.min(this.#mark.at, last) };
    this.place();
  }

  /** The chart has got or lost the focus. */
  focus(hasFocus: boolean): void {
    this.#hasFocus = hasFocus;
    if (hasFocus) return this.#point();
    this.#drawing.hideTip();
    this.place();
  }

  /** Handles a key. Returns false for keys of others. */
  press({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey || this.#rows.length === 0) return false;
    const isPan = shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight');
    const to = steps[key];
    if (isPan) this.#pan(key === 'ArrowRight');
    else if (to !== undefined && !shiftKey) this.#step(to);
    else if (key === '+' || key === '=') this.#zoom('in');
    else if (key === '-') this.#zoom('out');
    else if (key === '0') this.#zoom('whole');
    else return false;
    return true;
  }

  /** Puts the frame around the active value, wherever it is drawn now. */
  place(): void {
    const active = this.#active;
    this.#frame.hidden = !this.#hasFocus || active === undefined;
    if (active === undefined || this.#frame.hidden) return;
    const box = this.#drawing.boxOf(active.row, active.index);
    // A value that has no place of its own: the frame is around the chart.
    const edge = (pixels: number | undefined) => (pixels === undefined ? '' : `${pixels}px`);
    this.#frame.classList.toggle('is-whole', box === undefined);
    for (const side of ['left', 'top', 'width', 'height'] as const) this.#frame.style[side] = edge(box?.[side]);
  }

  #step(to: Step): void {
    this.#mark = step(this.#rows, this.#mark, to);
    const { span } = this.#drawing;
    const index = this.#active?.index;
    if (span !== undefined && index !== undefined) this.#see(including(span, index), span);
    this.#point();
    if (this.#figure !== undefined && this.#mark !== undefined) say(markText(this.#figure, this.#rows, this.#mark));
  }

  #zoom(to: 'in' | 'out' | 'whole'): void {
    if (this.#figure?.kind === 'tree') return this.#zoomPart(to);
    const { span } = this.#drawing;
    if (span === undefined) return say(l10n.t('This chart has no zoom.'));
    const { length } = this.#labels;
    const around = this.#active?.index ?? span.first;
    this.#move(to === 'whole' ? { first: 0, last: length - 1 } : zoomed(span, length, around, to === 'in'), span);
  }

  #zoomPart(to: 'in' | 'out' | 'whole'): void {
    const active = to === 'in' ? this.#active : undefined;
    this.#drawing.zoomToPart(active && active.row.offset + active.index);
    this.#point();
    say(active === undefined ? l10n.t('Shows all parts') : l10n.t('Shows {0}', active.row.labels[active.index] ?? ''));
  }

  #pan(isForward: boolean): void {
    const { span } = this.#drawing;
    if (span === undefined) return say(l10n.t('This chart has no zoom.'));
    this.#move(panned(span, this.#labels.length, isForward), span);
  }

  /** Shows other categories and says which. The active value stays among them. */
  #move(to: Span, from: Span): void {
    this.#see(to, from);
    const active = this.#active;
    if (this.#mark !== undefined && active !== undefined) {
      const inView = Math.min(Math.max(active.index, to.first), to.last);
      if (inView !== active.index) this.#mark = { ...this.#mark, at: nearest(active.row.places, inView) };
    }
    this.#point();
    say(spanText(this.#labels, to));
  }

  #see(to: Span, from: Span): void {
    if (to.first !== from.first || to.last !== from.last) this.#drawing.showSpan(to);
  }

  /** Marks the active value, and shows what the mouse would show above it. */
  #point(): void {
    const active = this.#active;
    if (active !== undefined) this.#drawing.showTip(active.row, active.index);
    this.place();
  }

  get #active(): { row: MarkRow; index: number } | undefined {
    const row = this.#mark && this.#rows[this.#mark.row];
    return this.#mark && row && { row, index: indexOf(this.#rows, this.#mark) };
  }

  get #labels(): readonly string[] {
    return this.#figure?.kind === 'axes' ? this.#figure.category.labels : [];
  }
}
