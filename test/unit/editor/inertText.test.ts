import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMarkdown, inertText } from '../../../src/editor/displayText.ts';
import { hostileMarkup } from '../../support/workbench/hostileMarkup.ts';

/** What VS Code 1.139 reads as a link in notifications, prompts and messages of input boxes, for any address. */
const drawnLink = /\[([^\]]+)\]\((\S[^)\s]*)(?: (["'])(.+?)(\3))?\)/i;
/** What it draws as an icon; a backslash before it does not count. */
const drawnIcon = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;
const texts = hostileMarkup('http://127.0.0.1:9');

/** Texts made of what links and icons are made of, and of what is dropped between it. */
const pieces = [
  '[',
  ']',
  '(',
  ')',
  '](',
  '$(',
  '$',
  'command:x',
  'https://x',
  '"t"',
  ' ',
  '\n',
  '\r',
  '\t',
  'trash',
  '~spin',
];
const dropped = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u202e',
  '\u00ad',
  '\ufeff',
  '\u0000',
  '\ud800',
  '\u{e0001}',
  '\u2028',
  '\v',
];
const anything = fc.oneof(
  fc.array(fc.constantFrom(...pieces, ...dropped), { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(...texts),
);

/** As the editor cuts and joins the text of a notification before it looks for links. */
const inNotification = (text: string) =>
  text
    .slice(0, 1_000)
    .replace(/\r\n|\n|\r/gm, ' ')
    .trim();

describe('text on its way to the editor', () => {
  it('is of links and icons before', () => {
    const drawn = texts.filter((text) => drawnLink.test(text) || drawnIcon.test(text));
    expect(drawn.length).toBeGreaterThan(20);
    expect(texts).toHaveLength(40);
  });

  it.each(texts.map((text, index) => [index, text]))('holds none afterwards: %i', (_, text) => {
    expect(inertText(text)).not.toMatch(drawnLink);
    expect(inertText(text)).not.toMatch(drawnIcon);
  });

  it('holds no link and no icon, whatever it is made of, nor after it is cut, joined or cleaned again', () => {
    fc.assert(
      fc.property(anything, fc.nat(300), (text, end) => {
        const inert = inertText(text);
        for (const shown of [
          inert,
          inert.slice(end),
          inNotification(inert),
          inertText(inert),
          inert.replace(/\s+/g, ' '),
        ]) {
          expect(shown).not.toMatch(drawnLink);
          expect(shown).not.toMatch(drawnIcon);
        }
        expect(inertText(inert)).toBe(inert);
      }),
      { numRuns: 5_000 },
    );
  });

  it('holds none where texts meet: they are made inert as one', () => {
    expect(inertText(`${'[open]'}${'(command:x)'}`)).not.toMatch(drawnLink);
  });

  it('reads as before', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const ink = (shown: string) => shown.replace(/[\s\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/gu, '');
        if (text.length <= 4_000) expect(ink(inertText(text))).toBe(ink(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'Delays by airport',
    'Could not save data tag "territory" on North: 3 of 7 [rows] (of 12) cost $ 5.',
    'First line.\n\nSecond line.',
    'Überfällige Flüge 航班 👨‍👩‍👧 نامه‌ای',
  ])('is unchanged where it could be no link: %s', (text) => expect(inertText(text)).toBe(text));

  it('is cut where it is endless, and not within a character', () => {
    expect(inertText('x'.repeat(100_000))).toHaveLength(4_001);
    expect(inertText(`${'x'.repeat(3_999)}😀x`)).toBe(`${'x'.repeat(3_999)}…`);
  });
});

describe('text as Markdown', () => {
  it('holds nothing that Markdown reads, and stands for the very text', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const markdown = asMarkdown(text);
        // Letters, figures, lone spaces within, and characters by number: no construct of Markdown is made of these.
        expect(markdown).toMatch(/^(?! )(?:[\p{L}\p{M}\p{N}]|&#\d+;| (?! ))*$/u);
        const read = markdown.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
        expect(read).toBe(inertText(text));
      }),
      { numRuns: 3_000 },
    );
  });
});
