import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useKeptFocus } from './pageFocus.ts';

/** A row of buttons with a single tab stop; arrows, Home and End move between them (ARIA toolbar). */
export function ActionBar({ label, children }: { label: string; children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const buttons = () => [...(place.current?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])];
  useKeptFocus(place, () => buttons()[0]);
  // The buttons change with every state of a run: one of them is always the tab stop.
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

/** Makes `wanted` the tab stop, or else the current one, or the first. */
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
