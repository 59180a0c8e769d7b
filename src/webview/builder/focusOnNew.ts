import { useEffect, useRef } from 'preact/hooks';

/**
 * Hands the focus to a new row of a list, so that who added it goes on there.
 * @param find the control that is asked first of the new row.
 */
export function useFocusOnNew(count: number, find: () => HTMLElement | null | undefined): void {
  const before = useRef(count);
  useEffect(() => {
    // Not when rows come from another editor, or by undo: the focus is elsewhere then.
    const isAsked = document.activeElement?.closest('.add-row') != null;
    if (count > before.current && isAsked) find()?.focus();
    before.current = count;
  }, [count]);
}
