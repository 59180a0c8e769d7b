/** Symbols of keys on Mac keyboards; ⌘ takes the role of Ctrl. */
const macSigns: Readonly<Record<string, string>> = {
  Ctrl: '⌘',
  Alt: '⌥',
  Shift: '⇧',
  Left: '←',
  Right: '→',
  Delete: '⌫',
};
/** Order of modifier keys on Macs. */
const macOrder = ['Alt', 'Shift', 'Ctrl'];
/** ARIA names of keys for screen readers. */
const ariaNames: Readonly<Record<string, string>> = { Ctrl: 'Control', Left: 'ArrowLeft', Right: 'ArrowRight' };

/** Keys of a page, as `Ctrl+C`, with what they do; read when the help opens. */
export interface KeyHelp {
  title: () => string;
  keys: () => readonly (readonly [keys: string, effect: string])[];
}

/** Whether the page is shown on a Mac, wherever the extension runs. */
export function isOnMac(): boolean {
  return navigator.userAgent.includes('Macintosh');
}

/** Keys, given as `Ctrl+Shift+C`, with the labels of the user's keyboard. */
export function keyLabels(keys: string, isMac = isOnMac()): string {
  if (!isMac) return keys;
  const rank = (part: string) => (macOrder.includes(part) ? macOrder.indexOf(part) : macOrder.length);
  const parts = keys.split('+').sort((a, b) => rank(a) - rank(b));
  return parts.map((part) => macSigns[part] ?? part).join('');
}

/** The same keys for `aria-keyshortcuts`. */
export function ariaKeys(keys: string, isMac = isOnMac()): string {
  const names = isMac ? { ...ariaNames, Ctrl: 'Meta', Delete: 'Backspace' } : ariaNames;
  return keys
    .split('+')
    .map((part) => names[part] ?? part)
    .join('+');
}
