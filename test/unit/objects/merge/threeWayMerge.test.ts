import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/objects/json.ts';
import type { ObjectShape } from '../../../../src/objects/kinds/objectShape.ts';
import { threeWayMerge } from '../../../../src/objects/merge/threeWayMerge.ts';

const shape: ObjectShape = {
  readOnly: ['Created'],
  fields: {
    Groups: { key: 'Id', isRestriction: true },
    Types: { key: 'Id', readOnly: ['Id'] },
  },
};

/** What comes of a merge, as a person reads it. */
function merged(base: JsonObject, mine: JsonObject, theirs: JsonObject) {
  const { view, conflicts, theirChanges, myChanges, readOnlyEdits } = threeWayMerge(base, mine, theirs, shape);
  return { view, conflicts: conflicts.map(({ path }) => path), theirChanges, myChanges, readOnlyEdits };
}

const none = { conflicts: [], theirChanges: [], myChanges: [], readOnlyEdits: [] };

describe('fields that only the server sets', () => {
  it.each([
    ['was edited', 'old', 'mine', 'old', ['Created']],
    ['was edited while the server changed it', 'old', 'mine', 'theirs', ['Created']],
    ['was changed by the server alone', 'old', 'old', 'theirs', []],
    ['was edited to what the server has by now', 'old', 'theirs', 'theirs', []],
  ])('one that %s keeps the value of the server', (_what, base, mine, theirs, readOnlyEdits) => {
    const of = (Created: string) => ({ Created });
    expect(merged(of(base), of(mine), of(theirs))).toEqual({ ...none, view: of(theirs), readOnlyEdits });
  });
});

describe('entries that only the server adds and removes', () => {
  const [one, two] = [
    { Id: '1', on: true },
    { Id: '2', on: true },
  ];
  const types = (...Types: JsonObject[]) => ({ Types });

  it.each([
    ['added here', types(one), types(one, two), types(one), types(one), ['Types/2']],
    ['removed here', types(one, two), types(one), types(one, two), types(one, two), ['Types/2']],
    ['removed by the server', types(one, two), types(one, two), types(one), types(one), []],
    ['added by the server', types(one), types(one), types(one, two), types(one, two), []],
    ['removed on both sides', types(one, two), types(one), types(one), types(one), []],
    ['added on both sides', types(one), types(one, two), types(one, two), types(one, two), []],
  ])('one that was %s is as the server has it', (_what, base, mine, theirs, view, readOnlyEdits) => {
    expect(merged(base, mine, theirs)).toMatchObject({ view, readOnlyEdits, conflicts: [] });
  });

  it('one that is on both sides can be changed', () => {
    const off = { Id: '1', on: false };
    expect(merged(types(one, two), types(off, two), types(one, two))).toEqual({
      ...none,
      view: types(off, two),
      myChanges: ['Types/1/on'],
    });
  });
});

describe('entries of a list that restricts access', () => {
  const groups = (...ids: string[]) => ({ Groups: ids.map((Id) => ({ Id })) });

  it('that each side removed one of are a conflict where none would be left', () => {
    expect(merged(groups('1', '2'), groups('1'), groups('2'))).toMatchObject({ conflicts: ['Groups'] });
    expect(merged(groups('1', '2', '3'), groups('1', '3'), groups('2', '3'))).toMatchObject({
      view: groups('3'),
      conflicts: [],
    });
  });

  it('that one side emptied on purpose are none', () => {
    expect(merged(groups('1'), groups(), groups('1'))).toMatchObject({ view: groups(), conflicts: [] });
  });
});

describe('other fields', () => {
  it('are merged where each side changed another one, and conflict where both changed one', () => {
    const base = { a: 1, b: 1, c: 1, d: { e: 1, f: 1 } };
    const mine = { a: 2, b: 1, c: 2, d: { e: 2, f: 1 } };
    const theirs = { a: 1, b: 3, c: 3, d: { e: 1, f: 3 } };
    expect(merged(base, mine, theirs)).toEqual({
      view: { a: 2, b: 3, c: 3, d: { e: 2, f: 3 } },
      conflicts: ['c'],
      theirChanges: ['b', 'd/f'],
      myChanges: ['a', 'd/e'],
      readOnlyEdits: [],
    });
  });

  it('are the same where both sides changed them alike', () => {
    expect(merged({ a: 1 }, { a: 2 }, { a: 2 })).toEqual({ ...none, view: { a: 2 } });
  });
});
