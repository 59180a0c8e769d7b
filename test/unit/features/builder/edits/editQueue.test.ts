import { applyEdits, type Edit } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import {
  EditQueue,
  UndoGroups,
  undoGroupPauseMs,
  typedBox,
} from '../../../../../src/features/builder/edits/editQueue.ts';

/** A text that somebody else changes under the first edits. */
function open(interferences = 0) {
  const held = { text: 'a', refused: 0, now: 0, takes: 0 };
  const queue = new EditQueue({
    text: {
      read: () => held.text,
      change: async (edits) => {
        if (held.refused < interferences) {
          held.refused += 1;
          held.text = `${held.text}!`;
          return false;
        }
        held.text = applyEdits(held.text, [...edits]);
        held.now += held.takes;
        return true;
      },
    },
    bursts: new UndoGroups(),
    problem: () => '',
    now: () => new Date(held.now),
    words: { notTaken: () => 'not taken' },
  });
  return { held, queue };
}

const append =
  (word: string) =>
  (text: string): Edit[] => [{ offset: text.length, length: 0, content: word }];

describe('a queue of edits', () => {
  it('works an edit out anew when the text changed while the editor was to take it', async () => {
    const { held, queue } = open(1);
    await queue.edit(append('b'));
    expect(held.text).toBe('a!b');
  });

  it('takes for one burst what was typed without a pause, however long the editor takes for each letter', async () => {
    const { held, queue } = open();
    held.takes = 10_000;
    await Promise.all([...'bcd'].map((letter) => queue.edit(append(letter), 'box')));
    expect([held.text, queue.isInsideTyping]).toEqual(['abcd', false]);
    held.text = 'abc';
    expect(queue.isInsideTyping).toBe(true);
  });

  it('gives up on a text that never takes a change, and goes on with the next', async () => {
    const { queue, held } = open(3);
    const first = queue.edit(append('b'));
    const second = queue.edit(append('c'));
    await expect(first).rejects.toThrow('not taken');
    await second;
    expect(held.text).toBe('a!!!c');
  });

  it('asks again whether an edit can be made, in the text as it stands by then', async () => {
    const { held, queue } = open(1);
    const make = (text: string) => {
      if (text !== 'a') throw new Error('gone');
      return append('b')(text);
    };
    await expect(queue.edit(make)).rejects.toThrow('gone');
    expect(held.text).toBe('a!');
  });

  it('lets what comes after edits wait for them', async () => {
    const { held, queue } = open();
    const seen: string[] = [];
    const edits = [queue.edit(append('b')), queue.edit(append('c'))];
    const after = queue.after(async () => void seen.push(held.text));
    await Promise.all([...edits, after, queue.edit(append('d'))]);
    expect(seen).toEqual(['abc']);
  });
});

/** Types words into a box, a letter every 100 ms, and gives the time after it. */
function type(bursts: UndoGroups, box: string, from: string, word: string, start: number): number {
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
    const bursts = new UndoGroups();
    type(bursts, 'name', '', 'abc', 0);
    expect(['', 'a', 'ab', 'abc'].filter((text) => bursts.isInside(text))).toEqual(['a', 'ab']);
  });

  it('end with a pause, in another box, and where another editor changed the text', () => {
    const bursts = new UndoGroups();
    const now = type(bursts, 'name', '', 'ab', 0);
    bursts.changed('name', 'ab', 'abc', now + undoGroupPauseMs);
    bursts.changed('formula', 'abc', 'abcd', now + undoGroupPauseMs + 1);
    bursts.changed('formula', 'other', 'other!', now + undoGroupPauseMs + 2);
    expect(['', 'a', 'ab', 'abc', 'abcd', 'other'].filter((text) => bursts.isInside(text))).toEqual(['a']);
  });

  it('do not hold what was clicked, nor a state where another burst began', () => {
    const bursts = new UndoGroups();
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
