import './texts.ts';
import { render, type ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { KeyboardHelp, isHelpKey } from './KeyboardHelp.tsx';
import type { KeyHelp } from './keyLabels.ts';
import { openLiveRegion } from './liveRegion.ts';
import { keepPageFocus, type FindElement } from './pageFocus.ts';

/** The part of a page's model that its start needs. */
interface StartedModel<V> {
  /** What to render; undefined until the host has answered. */
  readonly view: V | undefined;
  /** Notifies the host that the page has loaded, and calls `listener` on every change. */
  open(listener: () => void): Promise<void>;
}

/** What makes a page. */
interface PageParts<V> {
  draw(view: V): ComponentChildren;
  /** Called after the first drawing. */
  drawn?(): void;
  /** Finds the place where the work goes on in the present state, for the focus. */
  home: FindElement;
  help: KeyHelp;
}

/** Draws a page whenever its model changes, with what all pages have: focus, announcements, and help on keys. */
export function startPage<V>(model: StartedModel<V>, parts: PageParts<V>): void {
  const root = document.getElementById('page');
  if (root === null) return;
  openLiveRegion();
  keepPageFocus(parts.home);
  render(<Page model={model} parts={parts} />, root);
}

function Page<V>({ model, parts }: { model: StartedModel<V>; parts: PageParts<V> }) {
  const [view, setView] = useState(model.view);
  const [isHelpShown, setHelpShown] = useState(false);
  useEffect(() => void model.open(() => setView(() => model.view)), []);
  const isDrawn = view !== undefined;
  useEffect(() => {
    if (isDrawn) parts.drawn?.();
  }, [isDrawn]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isHelpKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setHelpShown(true);
    };
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, []);
  if (!isDrawn) return null;
  return (
    <>
      {parts.draw(view)}
      {isHelpShown && <KeyboardHelp help={parts.help} onClose={() => setHelpShown(false)} />}
    </>
  );
}
