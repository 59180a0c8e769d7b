import { describe, expect, it } from 'vitest';
import { displayText } from '../../../src/editor/displayText.ts';

describe('displayText', () => {
  it.each([
    ['plain', 'Delays by airport', 'Delays by airport'],
    ['accents and other scripts', 'Überfällige Flüge 航班', 'Überfällige Flüge 航班'],
    ['direction marks', 'report\u202Egpj.exe\u2066', 'reportgpj.exe'],
    ['zero-width characters', 'ad\u200Bmin\uFEFF', 'admin'],
    ['a space on either side of one that goes', 'Ada \u200B Lovelace', 'Ada Lovelace'],
    ['joiners that nobody sees', 'ad\u200Dmin \u0631\u200C\u0636\u0627 👍\u200D👍', 'admin \u0631\u0636\u0627 👍👍'],
    ['joiners that writing needs', '👨‍👩‍👧 نامه‌ای র‍্যাব ශ්‍රී', '👨‍👩‍👧 نامه‌ای র‍্যাব ශ්‍රී'],
    ['terminal escapes', '\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['line breaks', 'one\r\n\ttwo', 'one two'],
    ['halves of characters', 'a\uD83Db\uDE00 😀', 'ab 😀'],
  ])('%s', (_, text, shown) => expect(displayText(text)).toBe(shown));

  it('shows nothing for nothing and cuts very long text', () => {
    expect(displayText(null)).toBe('');
    expect(displayText(undefined)).toBe('');
    expect(displayText('x'.repeat(1_000))).toHaveLength(301);
    expect(displayText(`${'x'.repeat(299)}😀x`)).toBe(`${'x'.repeat(299)}…`);
    expect(encodeURIComponent(displayText('x😀'.repeat(300)))).toMatch(/^x/);
  });
});
