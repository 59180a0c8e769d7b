import { ariaKeys, keyLabels } from '../shared/keyLabels.ts';
import { make } from './gridModel.ts';

/** One entry of a menu. */
export interface MenuEntry {
  label: string;
  /** Shortcut to show, such as `Ctrl+C`; ⌘C on a Mac. */
  keys?: string;
  /** Whether a separator precedes the entry. */
  isFirst?: boolean;
  /** Why the entry is disabled; undefined if it is enabled. */
  whyNot?: string;
  run: () => void;
}

/**
 * Opens a menu at a position of the page, following the ARIA menu pattern: arrows, Home and End move, Enter or Space
 * selects, Escape and Tab close. The focus returns to where it was.
 */
export function openMenu(label: string, entries: readonly MenuEntry[], x: number, y: number): void {
  const before = document.activeElement;
  const stop = new AbortController();
  const { signal } = stop;
  const menu = make('div', 'grid-menu', 'menu');
  menu.setAttribute('aria-label', label);
  const close = () => {
    if (signal.aborted) return;
    stop.abort();
    if (before instanceof HTMLElement) before.focus();
    menu.remove();
  };
  const items = entries.map((entry) => itemOf(entry, close));
  menu.append(...items);
  menu.addEventListener('keydown', (event) => press(event, items, close), { signal });
  document.addEventListener(
    'pointerdown',
    (event) => {
      if (!(event.target instanceof Node) || !menu.contains(event.target)) close();
    },
    { signal, capture: true },
  );
  window.addEventListener('blur', close, { signal });
  // The editor's menu would cover it.
  menu.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
  // In the landmark of the page's work.
  (document.querySelector('main') ?? document.body).append(menu);
  menu.style.left = `${Math.max(0, Math.min(x, window.innerWidth - menu.offsetWidth))}px`;
  menu.style.top = `${Math.max(0, Math.min(y, window.innerHeight - menu.offsetHeight))}px`;
  items[0]?.focus();
}

function itemOf({ label, keys, isFirst, whyNot, run }: MenuEntry, close: () => void): HTMLElement {
  const item = make('div', `grid-menu-item${isFirst === true ? ' is-first' : ''}`, 'menuitem');
  item.tabIndex = -1;
  const text = make('span', 'grid-menu-label');
  text.textContent = label;
  item.append(text);
  if (keys !== undefined) {
    const hint = make('span', 'grid-menu-keys');
    hint.textContent = keyLabels(keys);
    hint.setAttribute('aria-hidden', 'true');
    item.setAttribute('aria-keyshortcuts', ariaKeys(keys));
    item.append(hint);
  }
  item.addEventListener('pointermove', () => item.focus());
  if (whyNot !== undefined) {
    item.setAttribute('aria-disabled', 'true');
    item.setAttribute('aria-description', whyNot);
    item.title = whyNot;
    return item;
  }
  item.addEventListener('click', () => {
    close();
    run();
  });
  return item;
}

function press(event: KeyboardEvent, items: readonly HTMLElement[], close: () => void): void {
  const at = items.findIndex((item) => item === document.activeElement);
  const to: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const next = to[event.key];
  if (next !== undefined) items[next]?.focus();
  else if (event.key === 'Enter' || event.key === ' ') items[at]?.click();
  else if (event.key === 'Escape' || event.key === 'Tab') close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
