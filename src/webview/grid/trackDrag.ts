/** Follows a pointer from press to release, also outside the element. Escape gives up. */
export function trackDrag(
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
