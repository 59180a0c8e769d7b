import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayText } from '../../src/editor/displayText.ts';

const words = ['می‌خواهم', 'نامه‌ای', 'क्‍ष', 'क्‌ष', 'র‍্যাব', 'ශ්‍රී', '👨‍👩‍👧‍👦', '❤️‍🔥', '🏴‍☠️', '👩🏽‍🚀', 'Report', 'Überfällig', '航班'];
const pieces = [...new Set(words.flatMap((word) => [...word]))];
const signs = ['\u200B', '\u200C', '\u200D', '\u202E', '\u2066', '\uFEFF', '\u0000', 'а', 'ا', 'ر', 'ب', '1', ' '];
const anything = fc.string({ unit: fc.constantFrom(...pieces, ...signs), maxLength: 100 });
const joiners = /[\u200C\u200D]/gu;
const usesJoiners = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Sinhala}]/u;

/** Whether a joiner belongs where it stands, looked at character by character. */
function belongs(text: string, at: number): boolean {
  const { segment } = new Intl.Segmenter().segment(text).containing(at) ?? { segment: '' };
  if (text[at] === '\u200D' && /^\p{RGI_Emoji}$/v.test(segment)) return true;
  return [text[at - 1], text[at + 1]].every((beside) => usesJoiners.test(beside ?? ''));
}

describe('text of a server as the interface shows it', () => {
  it('keeps words whole that are written with joiners', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 20 }), (chosen) => {
        expect(displayText(chosen.join(' '))).toBe(chosen.join(' '));
      }),
    );
  });

  it('keeps no joiner elsewhere, and nothing else that is not seen', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const shown = displayText(text);
        const misplaced = [...shown.matchAll(joiners)].filter(({ index }) => !belongs(shown, index));
        expect(misplaced).toEqual([]);
        expect(shown).not.toMatch(/[\u0000\u200B\u202E\u2066\uFEFF]/u);
        expect(displayText(shown)).toBe(shown);
        expect(shown.replace(joiners, '')).toBe(displayText(text.replace(joiners, '')));
      }),
      { numRuns: 5_000 },
    );
  });
});
