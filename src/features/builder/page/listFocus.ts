import { useEffect, useRef } from 'preact/hooks';

/**
 * Keeps the focus in a list whose rows come and go: a new row gets it, so that who added it goes on there; the row after
 * one that was removed, so that the next key is not lost.
 * @param find the control that is asked first of the new row.
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
    const active = document.activeElement;
    // Not when rows come from another editor, or by undo: the focus is elsewhere then.
    if (count > before.current && active?.closest('.add-row') != null) find?.()?.focus();
    const isLost = active === null || active === document.body;
    if (count < before.current && isLost && last.current >= 0) afterRemoval(list.current, last.current)?.focus();
    before.current = count;
  }, [count]);
}

/** The button that removes the next row, or the last one; where none is left, what follows the list. */
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
