import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps the keyboard focus when the focused element is removed, such as a button that removes itself.
 * @param place contains the element.
 * @param heir receives the focus.
 */
export function useKeptFocus(
  place: { readonly current: HTMLElement | null },
  heir: () => HTMLElement | null | undefined,
): void {
  const last = useRef<HTMLElement | undefined>(undefined);
  useEffect(() => {
    const element = place.current;
    const note = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) last.current = target;
    };
    element?.addEventListener('focusin', note);
    return () => element?.removeEventListener('focusin', note);
  }, []);
  useLayoutEffect(() => {
    const lost = last.current;
    if (lost === undefined || (lost.isConnected && !lost.matches(':disabled'))) return;
    last.current = undefined;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || activeElement === lost) heir()?.focus();
  });
}
