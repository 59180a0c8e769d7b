import { describe, expect, it } from 'vitest';
import { burstPauseMs, typedBox, UndoBursts } from '../../../../src/features/builder/edits/editQueue.ts';

/** Types words into a box, a letter every 100 ms, and gives the time after it. */
function type(bursts: UndoBursts, box: string, from: string, word: string, start: number): number {
  let [text, now] = [from, start];
  for (const letter of word) {
    bursts.changed(box, text, text + letter, now);
    text += letter;
    now += 100;
  }
  return now;
}

describe('bursts of typing', () => {
  it('have an inside where undo does not stop, and two ends where it does', () => {
    const bursts = new UndoBursts();
    type(bursts, 'name', '', 'abc', 0);
    expect(['', 'a', 'ab', 'abc'].filter((text) => bursts.isInside(text))).toEqual(['a', 'ab']);
  });

  it('end with a pause, in another box, and where another editor changed the text', () => {
    const bursts = new UndoBursts();
    const now = type(bursts, 'name', '', 'ab', 0);
    bursts.changed('name', 'ab', 'abc', now + burstPauseMs);
    bursts.changed('formula', 'abc', 'abcd', now + burstPauseMs + 1);
    bursts.changed('formula', 'other', 'other!', now + burstPauseMs + 2);
    expect(['', 'a', 'ab', 'abc', 'abcd', 'other'].filter((text) => bursts.isInside(text))).toEqual(['a']);
  });

  it('do not hold what was clicked, nor a state where another burst began', () => {
    const bursts = new UndoBursts();
    const now = type(bursts, 'name', '', 'abc', 0);
    bursts.changed(undefined, 'abc', 'abc+', now);
    type(bursts, 'formula', 'ab', 'x', now);
    expect(['a', 'ab', 'abc', 'abc+'].filter((text) => bursts.isInside(text))).toEqual(['a']);
  });
});

describe('the box of an edit', () => {
  it('is the same for what is typed into one box, and none for what is chosen', () => {
    const typed = (value1: string) =>
      typedBox({ kind: 'setCriterion', field: 1, row: 0, change: { value1 } }) ?? expect.fail('no box');
    expect(typed('C')).toBe(typed('CA'));
    expect(typedBox({ kind: 'setCriterion', field: 1, row: 0, change: { value2: 'C' } })).not.toBe(typed('C'));
    expect(typedBox({ kind: 'setCriterion', field: 1, row: 0, change: { operator: '=' } })).toBeUndefined();
    expect(typedBox({ kind: 'removeField', field: 1 })).toBeUndefined();
  });
});
