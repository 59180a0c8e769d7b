import { describe, expect, it } from 'vitest';
import { countOf, TagDrafts, withDraft } from '../../../../src/features/tagValues/tagDrafts.ts';

const row = (id: string, value: string | null) => ({ id, name: `Name ${id}`, detail: '', value });
const groups = [row('1', 'NV'), row('2', null)];
const table = { title: 'Values', defaultValue: 'WA', groups, users: [row('1', 'CA')] };
const draft = {
  defaultValue: { from: 'OR', to: 'ID' },
  groups: [
    { id: '2', from: 'UT', to: null },
    { id: '9', from: null, to: 'TX' },
  ],
  users: [],
};

describe('the drafts of tag values', () => {
  it('are kept until they are let go of, each tag by itself', async () => {
    const held = new Map<string, unknown>();
    const drafts = new TagDrafts({
      keys: () => [...held.keys()],
      get: <T>(key: string) => held.get(key) as T | undefined,
      update: async (key: string, value: unknown) => void held.set(key, structuredClone(value)),
    });
    await drafts.keep('local/1', draft);
    expect(drafts.get('local/1')).toEqual(draft);
    expect(drafts.get('local/2')).toBeUndefined();
    await drafts.keep('local/1', undefined);
    expect(drafts.get('local/1')).toBeUndefined();
  });

  it('show the table that they were typed in, so that a save still sees what others changed since', () => {
    const shown = withDraft(table, draft);
    expect(shown.table.defaultValue).toBe('OR');
    expect(shown.table.groups).toEqual([row('1', 'NV'), row('2', 'UT')]);
    expect(shown.table.users).toEqual(table.users);
  });

  it('leave out who is gone', () => {
    const shown = withDraft(table, draft);
    expect(shown.draft.groups.map(({ id }) => id)).toEqual(['2']);
    expect([countOf(draft), countOf(shown.draft)]).toEqual([3, 2]);
  });
});
