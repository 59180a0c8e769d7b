import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useKeptFocus } from './keptFocus.ts';

/** Buttons in a row as one stop of the Tab key; arrows, Home and End lead from one to the next (ARIA toolbar). */
export function ActionBar({ label, children }: { label: string; children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const buttons = () => [...(place.current?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])];
  useKeptFocus(place, () => buttons()[0]);
  // Which buttons there are changes with every state of a run: one of them is always the stop.
  useLayoutEffect(() => stopAt(buttons(), document.activeElement));
  return (
    <div
      ref={place}
      class="actions"
      role="toolbar"
      aria-label={label}
      onFocusIn={({ target }) => stopAt(buttons(), target instanceof Element ? target : null)}
      onKeyDown={(event) => {
        const next = nextButton(buttons(), event);
        if (next === undefined) return;
        event.preventDefault();
        next.focus();
      }}
    >
      {children}
    </div>
  );
}

/** Makes `wanted` the stop of the Tab key, or else the one there was, or the first. */
function stopAt(buttons: readonly HTMLButtonElement[], wanted: Element | null): void {
  const stop = buttons.find((each) => each === wanted) ?? buttons.find((each) => each.tabIndex === 0) ?? buttons[0];
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
}

function nextButton(buttons: readonly HTMLButtonElement[], { key, target }: KeyboardEvent): HTMLElement | undefined {
  const place = buttons.findIndex((each) => each === target);
  if (place < 0) return undefined;
  switch (key) {
    case 'ArrowRight':
      return buttons[(place + 1) % buttons.length];
    case 'ArrowLeft':
      return buttons.at(place - 1);
    case 'Home':
      return buttons[0];
    case 'End':
      return buttons.at(-1);
    default:
      return undefined;
  }
}
