/** Signs of the keys on the keyboards of Macs; what Ctrl does elsewhere, ⌘ does there. */
const macSigns: Readonly<Record<string, string>> = {
  Ctrl: '⌘',
  Alt: '⌥',
  Shift: '⇧',
  Left: '←',
  Right: '→',
  Delete: '⌫',
};
/** The order in which Macs write the keys that are held. */
const macOrder = ['Alt', 'Shift', 'Ctrl'];
/** Names that screen readers know keys by, after ARIA. */
const ariaNames: Readonly<Record<string, string>> = { Ctrl: 'Control', Left: 'ArrowLeft', Right: 'ArrowRight' };

/** Whether the page is shown on a Mac, wherever its extension runs. */
export function isOnMac(): boolean {
  return navigator.userAgent.includes('Macintosh');
}

/** Keys as the keyboard before the user names them, given as `Ctrl+Shift+C`. */
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
