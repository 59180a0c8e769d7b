import { describe, expect, it } from 'vitest';
import { isRowLost } from '../../../src/commands/isRowLost.ts';

describe('a command that is called', () => {
  const [row, other] = [{ kind: 'user' }, { kind: 'group' }];

  it('on a row that the editor was reading again has lost it', () => {
    expect(isRowLost([undefined, undefined])).toBe(true);
    expect(isRowLost([undefined, null])).toBe(true);
    expect(isRowLost([undefined, [row]])).toBe(true);
  });

  it('on several rows may have lost one of them', () => {
    expect(isRowLost([row, [row, undefined]])).toBe(true);
    expect(isRowLost([row, [row, other]])).toBe(false);
  });

  it('from the palette, a key, a title, an editor or a row has all that it needs', () => {
    const title = { groupId: 0 };
    for (const given of [[], [undefined], ['focused'], [row], [row, null], [undefined, title]]) {
      expect(isRowLost(given)).toBe(false);
    }
  });
});
