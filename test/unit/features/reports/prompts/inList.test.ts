import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInList, writeInList } from '../../../../../src/features/reports/prompts/promptFields.ts';

describe('lists in a prompt', () => {
  it('writes plain values plainly and quotes what a comma would tear apart', () => {
    expect(writeInList(['CA', 'TX'])).toBe('CA,TX');
    expect(writeInList(['Oslo, NO', 'the "Big" one', "O'Hare", ' x '])).toBe(
      '"Oslo, NO","the ""Big"" one","O\'Hare"," x "',
    );
  });

  it('reads what it wrote', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (values) => {
        expect(readInList(writeInList(values))).toEqual(values);
      }),
    );
  });

  it('reads lists that others wrote', () => {
    expect(readInList("'CA', 'TX'")).toEqual(['CA', 'TX']);
    expect(readInList(' CA , TX ,, NY ')).toEqual(['CA', 'TX', 'NY']);
    expect(readInList('')).toEqual([]);
  });

  it('does not give up on a quote that is never closed', () => {
    expect(readInList('"a, b')).toEqual(['"a', 'b']);
  });
});
