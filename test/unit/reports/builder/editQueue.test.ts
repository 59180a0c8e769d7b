import { applyEdits, type Edit } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import type { BuilderDocument } from '../../../../src/protocol/builderPage.ts';
import { EditQueue } from '../../../../src/reports/builder/editQueue.ts';
import { UndoBursts } from '../../../../src/reports/builder/undoBursts.ts';

/** A text that somebody else changes under the first edits. */
function open(interferences = 0) {
  const held = { text: 'a', version: 1, refused: 0, now: 0, takes: 0 };
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
    bursts: new UndoBursts(),
    document: (): BuilderDocument => ({ version: held.version, report: null, problem: '' }),
    now: () => new Date(held.now),
    words: { stale: () => 'stale', notTaken: () => 'not taken' },
  });
  return { held, queue };
}

const append =
  (word: string) =>
  (text: string): Edit[] => [{ offset: text.length, length: 0, content: word }];

describe('a queue of edits', () => {
  it('works an edit out anew when the text changed while the editor was to take it', async () => {
    const { held, queue } = open(1);
    await queue.edit(1, append('b'));
    expect(held.text).toBe('a!b');
  });

  it('takes for one burst what was typed without a pause, however long the editor takes for each letter', async () => {
    const { held, queue } = open();
    held.takes = 10_000;
    await Promise.all([...'bcd'].map((letter) => queue.edit(1, append(letter), 'box')));
    expect([held.text, queue.isInsideTyping]).toEqual(['abcd', false]);
    held.text = 'abc';
    expect(queue.isInsideTyping).toBe(true);
  });

  it('gives up on a text that never takes a change, and goes on with the next', async () => {
    const { queue, held } = open(3);
    const first = queue.edit(1, append('b'));
    const second = queue.edit(1, append('c'));
    await expect(first).rejects.toThrow('not taken');
    await second;
    expect(held.text).toBe('a!!!c');
  });

  it('does not work an edit out anew for another document than it was thought up in', async () => {
    const { held, queue } = open(1);
    const make = (text: string) => {
      held.version += 1;
      return append('b')(text);
    };
    await expect(queue.edit(1, make)).rejects.toThrow('stale');
    expect(held.text).toBe('a!');
  });

  it('lets what comes after edits wait for them', async () => {
    const { held, queue } = open();
    const seen: string[] = [];
    const edits = [queue.edit(1, append('b')), queue.edit(1, append('c'))];
    const after = queue.after(async () => void seen.push(held.text));
    await Promise.all([...edits, after, queue.edit(1, append('d'))]);
    expect(seen).toEqual(['abc']);
  });
});
