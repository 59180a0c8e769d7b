import { describe, expect, it } from 'vitest';
import { ariaKeys, keyLabels } from '../../../../src/webview/shared/keyLabels.ts';

describe('the keys that a menu names', () => {
  it.each([
    ['Ctrl+C', 'Ctrl+C', '⌘C'],
    ['Ctrl+Shift+C', 'Ctrl+Shift+C', '⇧⌘C'],
    ['Ctrl+Alt+C', 'Ctrl+Alt+C', '⌥⌘C'],
    ['Alt+Left', 'Alt+Left', '⌥←'],
    ['Delete', 'Delete', '⌫'],
    ['F2', 'F2', 'F2'],
  ])('are those of the keyboard: %s', (keys, elsewhere, onMac) => {
    expect([keyLabels(keys, false), keyLabels(keys, true)]).toEqual([elsewhere, onMac]);
  });

  it('have the names that screen readers know', () => {
    expect(ariaKeys('Ctrl+Shift+C', false)).toBe('Control+Shift+C');
    expect(ariaKeys('Ctrl+Shift+C', true)).toBe('Meta+Shift+C');
    expect(ariaKeys('Alt+Left', false)).toBe('Alt+ArrowLeft');
  });
});
