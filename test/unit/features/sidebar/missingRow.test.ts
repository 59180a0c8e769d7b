import { describe, expect, it } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { inTitles, isMissingRow } from '../../../../src/features/sidebar/missingRow.ts';

describe('a command that is called', () => {
  const [row, other] = [{ kind: 'user' }, { kind: 'group' }];
  const isLost = (...given: readonly unknown[]) => isMissingRow('analytics.object.delete', given);

  it('on a row that the editor was reading again has lost it', () => {
    expect(isLost(undefined, undefined)).toBe(true);
    expect(isLost(undefined, null)).toBe(true);
    expect(isLost(undefined, [row])).toBe(true);
  });

  it('on several rows may have lost one of them', () => {
    expect(isLost(row, [row, undefined])).toBe(true);
    expect(isLost(row, [row, other])).toBe(false);
  });

  it('from the palette, a key, an editor or a row has all that it needs', () => {
    for (const given of [[], [undefined], ['focused'], [row], [row, null], [undefined, { groupId: 0 }]]) {
      expect(isLost(...given)).toBe(false);
    }
  });

  it('by the title of a view needs no row', () => {
    const called = new Set(manifest.contributes.menus['view/title'].map(({ command }) => command));
    expect([...inTitles].sort()).toEqual([...called].sort());
    for (const command of called) expect(isMissingRow(command, [undefined, undefined])).toBe(false);
    const onRows = manifest.contributes.menus['view/item/context'].map(({ command }) => command);
    expect(onRows.filter((command) => called.has(command))).toEqual([]);
  });
});
