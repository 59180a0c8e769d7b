import { describe, expect, it } from 'vitest';
import type { GridColumn } from '../../../../../../src/contract/pages/resultsPage.ts';
import { ColumnLayout } from '../../../../../../src/webview/grid/columns/columnLayout.ts';
import { areLayouts, layoutFor, withLayout } from '../../../../../../src/features/reports/view/page/keyedLayout.ts';

function columnsOf(...keys: string[]): GridColumn[] {
  return keys.map((key, column) => ({
    key,
    title: key,
    kind: 'text',
    ofResult: column,
    leadsOn: false,
    typeName: '',
    width: 100,
  }));
}

describe('arrangements of columns that are kept', () => {
  const columns = columnsOf('city', 'state', 'delay', 'day');
  const kept = withLayout([], 'delays', columns, {
    order: [2, 0, 1, 3],
    widths: [101, 102, 103, 104],
    hidden: [0],
    frozen: 2,
  });

  it('come back as they were, for their own report alone', () => {
    expect(layoutFor(kept, 'delays', columns)).toEqual({
      order: [2, 0, 1, 3],
      widths: [101, 102, 103, 104],
      hidden: [0],
      frozen: 2,
    });
    expect(layoutFor(kept, 'flights', columns)).toBeUndefined();
  });

  it('follow the columns by key when the report has others', () => {
    const layout = layoutFor(kept, 'delays', columnsOf('gate', 'day', 'city', 'delay'));
    expect(layout).toEqual({ order: [3, 2, 1, 0], widths: [undefined, 104, 101, 103], hidden: [2], frozen: 1 });
    const shown = new ColumnLayout([100, 100, 100, 100], layout).shown;
    expect(shown).toEqual([3, 1, 0]);
  });

  it('are those of the reports that were arranged last', () => {
    let layouts = kept;
    for (let report = 0; report < 20; report++) {
      layouts = withLayout(layouts, `r${report}`, columns, { order: [0, 1, 2, 3], widths: [1, 2, 3, 4] });
    }
    expect(layouts).toHaveLength(20);
    expect(layoutFor(layouts, 'delays', columns)).toBeUndefined();
    expect(layoutFor(layouts, 'r19', columns)?.widths).toEqual([1, 2, 3, 4]);
  });

  it('are recognised', () => {
    expect(areLayouts(kept)).toBe(true);
    expect([{}, [null], [{ report: 'a' }], [{ ...kept[0], widths: ['1'] }]].map(areLayouts)).toEqual(
      Array.from({ length: 4 }, () => false),
    );
  });
});
