import { useRef, useEffect } from 'preact/hooks';
import { say } from '../../../webview/shared/liveRegion.ts';
import * as l10n from '../../../l10n/l10n.ts';
import { useKeptFocus } from '../../../webview/shared/pageFocus.ts';

/** How to move entries of a list. */
interface MoveOptions {
  /** First and last index that an entry may move to. */
  range: (at: number) => readonly [number, number];
  /** What the entry is called. */
  name: (at: number) => string;
  /** Moves an entry. @returns whether it was moved, once the change is visible. */
  send: (at: number, to: number) => Promise<boolean>;
  /** Called when an entry has moved up (-1) or down (1). */
  arrived: (at: number, step: number) => void;
}

/**
 * Moves entries one at a time. Requests made during a move are added up and run afterwards, so that a key can be held
 * down and always applies to the same entry.
 */
export class Reorder {
  readonly #options: () => MoveOptions;
  #way: { steps: number } | undefined;

  /** @param options called for each step, because the list changes. */
  constructor(options: () => MoveOptions) {
    this.#options = options;
  }

  /** Moves an entry by a number of steps, at most to the ends of its range. */
  move(at: number, steps: number): void {
    if (this.#way) this.#way.steps += steps;
    else void this.#go(at, steps);
  }

  async #go(at: number, steps: number): Promise<void> {
    const { range, name, send } = this.#options();
    const [first, last] = range(at);
    const to = Math.max(first, Math.min(last, at + steps));
    if (to === at) return;
    const way = (this.#way = { steps: 0 });
    const moved = l10n.t('{0} moved to position {1} of {2}', name(at), to - first + 1, last - first + 1);
    const isDone = await send(at, to);
    this.#way = undefined;
    if (!isDone) return;
    say(moved);
    this.#options().arrived(to, Math.sign(steps));
    if (way.steps !== 0) await this.#go(to, way.steps);
  }
}

/** {@link Reorder} for a rendered list. */
export function useReorder(options: MoveOptions): Reorder {
  const latest = useRef(options);
  latest.current = options;
  const moves = useRef<Reorder | undefined>(undefined);
  return (moves.current ??= new Reorder(() => latest.current));
}

/**
 * Keeps the focus in a list when rows are added or removed: moves it to a new row, so that the user can continue there,
 * or to the row after a removed one, so that the next key is not lost.
 * @param find returns the control of the new row to focus first.
 */
export function useListFocus(
  list: { readonly current: HTMLElement | null },
  count: number,
  find?: () => HTMLElement | null | undefined,
): void {
  const before = useRef(count);
  const last = useRef(-1);
  useEffect(() => {
    const element = list.current;
    const note = ({ target }: Event) => {
      last.current = rowsOf(element).findIndex((row) => target instanceof Node && row.contains(target));
    };
    element?.addEventListener('focusin', note);
    return () => element?.removeEventListener('focusin', note);
  }, []);
  useEffect(() => {
    // Not for rows from another editor or from undo, when the focus is elsewhere.
    if (count > before.current && document.activeElement?.closest('.add-row') != null) find?.()?.focus();
    before.current = count;
  }, [count]);
  useKeptFocus(list, () => (last.current < 0 ? undefined : afterRemoval(list.current, last.current)));
}

/** The remove button of the next or last row; if none is left, the control after the list. */
function afterRemoval(list: HTMLElement | null, place: number): HTMLElement | null | undefined {
  const rows = rowsOf(list);
  const next = rows[Math.min(place, rows.length - 1)];
  if (next) return next.querySelector<HTMLElement>('button:has(> .codicon-close)');
  const around = list?.parentElement;
  return around?.querySelector<HTMLElement>('.add-row button, .drop-end button') ?? around?.querySelector('button');
}

function rowsOf(list: HTMLElement | null): Element[] {
  return [...(list?.children ?? [])];
}

/** What is being dragged: entries of the field tree, or a field of the report. */
type DragState = { kind: 'entries'; entries: number[] } | { kind: 'field'; field: number };

const type = 'application/x-analytics-builder';

/** Stores the dragged data. Other pages and windows cannot use it. */
export function startDrag(event: DragEvent, dragged: DragState): void {
  event.dataTransfer?.setData(type, JSON.stringify(dragged));
  if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = 'copyMove';
}

/** Whether a drag started on this page. */
export function isOwnDrag(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes(type) === true;
}

/** The dropped data; undefined if the drag started elsewhere. */
export function droppedOf(event: DragEvent): DragState | undefined {
  const text = event.dataTransfer?.getData(type) ?? '';
  if (text === '') return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  if (value.kind === 'field' && 'field' in value && typeof value.field === 'number') {
    return { kind: 'field', field: value.field };
  }
  if (value.kind === 'entries' && 'entries' in value && Array.isArray(value.entries)) {
    return { kind: 'entries', entries: value.entries.filter((entry) => typeof entry === 'number') };
  }
  return undefined;
}
