import { describe, expect, it } from 'vitest';
import { FlatRows } from '../../../../src/editor/nodes/flatRows.ts';

interface Run {
  id: string;
  rows: number;
}

describe('FlatRows', () => {
  const first: Run = { id: 'a', rows: 1 };
  const second: Run = { id: 'b', rows: 1 };

  it('has only those rows drawn anew that are other than before', () => {
    const rows = new FlatRows<Run>(({ id }) => id);
    rows.give([first, second]);
    expect(rows.changed([{ ...first }, { ...second }])).toEqual([]);
    const [changed] = rows.changed([first, { ...second, rows: 2 }]) ?? [];
    expect(changed).toBe(second);
    expect(rows.current(second)).toEqual({ id: 'b', rows: 2 });
    expect(rows.give([first, { ...second, rows: 3 }])[1]).toBe(second);
  });

  it('has everything drawn anew where a row came, went or moved', () => {
    const rows = new FlatRows<Run>(({ id }) => id);
    rows.give([first, second]);
    expect(rows.changed([second, first])).toBeUndefined();
    expect(rows.changed([first])).toBeUndefined();
    expect(rows.changed([first, second, { id: 'c', rows: 1 }])).toBeUndefined();
  });
});
