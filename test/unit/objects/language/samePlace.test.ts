import { describe, expect, it } from 'vitest';
import { samePlaces } from '../../../../src/objects/language/samePlace.ts';

const text = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

/** The line of `after` on which a cursor is that was on the line of `before` that says `words`. */
function lineAfter(before: string, after: string, words: string, character = 4): string | undefined {
  const line = before.split('\n').findIndex((each) => each.includes(words));
  const [place] = samePlaces(before, after, [{ line, character }]);
  return after.split('\n')[place?.line ?? -1];
}

describe('the place of a cursor in a text that was replaced', () => {
  const before = text({
    Changed: 'one',
    Fields: [
      { id: 1, Name: 'Origin' },
      { id: 2, Name: 'Miles' },
    ],
    Last: true,
  });

  it('is the same property after lines came before it', () => {
    const after = text({
      Changed: 'two',
      By: 'me',
      On: 'today',
      Fields: [
        { id: 1, Name: 'Origin' },
        { id: 2, Name: 'Miles!' },
      ],
    });
    expect(lineAfter(before, after, '"Miles"')?.trim()).toBe('"Name": "Miles!"');
    expect(lineAfter(before, after, '"Changed"')?.trim()).toBe('"Changed": "two",');
  });

  it('keeps the character, as far as the line reaches', () => {
    const after = text({ New: 1, Changed: '', Fields: [], Last: true });
    const [inside, beyond] = samePlaces(before, after, [
      { line: 1, character: 6 },
      { line: 1, character: 16 },
    ]);
    expect(inside).toEqual({ line: 2, character: 6 });
    expect(beyond).toEqual({ line: 2, character: '  "Changed": "",'.length });
  });

  it('is what enclosed it, where it is gone', () => {
    const after = text({ Changed: 'two', More: 1, Fields: [{ id: 1 }], Last: true });
    expect(lineAfter(before, after, '"Origin"')?.trim()).toBe('{');
    expect(lineAfter(before, after, '"Miles"')?.trim()).toBe('"Fields": [');
  });

  it('is the closing bracket of the same list', () => {
    const after = text({ New: 1, Changed: 'one', Fields: [{ id: 1, Name: 'Origin', Extra: 2 }], Last: true });
    expect(lineAfter(before, after, '],')?.trim()).toBe('],');
  });

  it('is the same line of text that is no JSON', () => {
    expect(
      samePlaces('a\nb\nc', 'a\nx', [
        { line: 1, character: 1 },
        { line: 2, character: 1 },
      ]),
    ).toEqual([
      { line: 1, character: 1 },
      { line: 1, character: 1 },
    ]);
    expect(samePlaces('', text({ a: 1 }), [{ line: 0, character: 0 }])).toEqual([{ line: 0, character: 0 }]);
  });

  it('is the same property with the line ends of Windows', () => {
    const after = text({ New: 1, Changed: 'one', Last: true }).replaceAll('\n', '\r\n');
    expect(lineAfter(before, after, '"Last"')?.trim()).toBe('"Last": true');
  });
});
