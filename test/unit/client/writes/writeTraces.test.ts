import { describe, expect, it } from 'vitest';
import { SeenTraces, type Traces } from '../../../../src/client/writes/writeTraces.ts';

interface Entry {
  id: string;
  text: string;
}

/** What a look shows of a write, where the server has these entries now and had `known` before. */
async function look(kind: Traces<Entry>['kind'], known: readonly string[], now: Readonly<Record<string, string>>) {
  const traces = new SeenTraces<Entry>(
    {
      kind,
      object: 'entry "West"',
      read: async () => Object.entries(now).map(([id, text]) => ({ id, text })),
      idOf: ({ id }) => id,
      hasContent: ({ text }) => text === 'mine',
    },
    new Set(known),
  );
  const found = await traces.look();
  return { isFound: found !== undefined, id: found?.found?.id, isUntouched: traces.isUntouched };
}

describe('a write whose reply was lost', () => {
  it.each([
    ['that was there is gone', ['1'], {}, { isFound: true, isUntouched: false }],
    ['that was there still is', ['1'], { 1: 'old' }, { isFound: false, isUntouched: true }],
    ['that was never seen proves nothing by its absence', [], {}, { isFound: false, isUntouched: false }],
    ['is gone though another took its name', ['1'], { 2: 'old' }, { isFound: true, isUntouched: false }],
  ])('is a deletion of an entry: one %s', async (_what, known, now, expected) => {
    expect(await look('delete', known, now)).toMatchObject(expected);
  });

  it.each([
    ['came with its content', ['1'], { 1: 'old', 2: 'mine' }, { isFound: true, id: '2' }],
    ['did not come', ['1'], { 1: 'old' }, { isFound: false, isUntouched: true }],
    ['was there before, with the same content', ['1'], { 1: 'mine' }, { isFound: false, isUntouched: true }],
    ['came with other content', [], { 2: 'theirs' }, { isFound: false, isUntouched: false }],
    ['came twice, one of them by another user', [], { 2: 'mine', 3: 'mine' }, { isFound: false, isUntouched: false }],
  ])('is a new entry: one %s', async (_what, known, now, expected) => {
    expect(await look('create', known, now)).toMatchObject(expected);
  });

  it.each([
    ['has the content', { 1: 'mine' }, { isFound: true, id: '1', isUntouched: false }],
    ['has other content', { 1: 'old' }, { isFound: false, isUntouched: true }],
    ['is gone', {}, { isFound: false, isUntouched: true }],
  ])('is a change: the entry %s', async (_what, now, expected) => {
    expect(await look('change', [], now)).toMatchObject(expected);
  });
});
