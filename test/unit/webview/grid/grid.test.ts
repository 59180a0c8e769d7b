import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ColumnLayout, narrowestColumn } from '../../../../src/webview/grid/columns/columnLayout.ts';
import { GridSelection, headerRow } from '../../../../src/webview/grid/gridSelection.ts';
import { ScrollScale, tallestSurface } from '../../../../src/webview/grid/scrollScale.ts';

describe('scrolling', () => {
  it('is plain while the rows fit a surface that browsers can lay out', () => {
    const scale = new ScrollScale(24, 1_000, 480);
    expect(scale).toMatchObject({ surface: 24_000, isScaled: false, lastTop: 23_520, rowsInView: 21, pageRows: 19 });
    expect([scale.topAt(100), scale.scrollAt(100), scale.firstRow(100)]).toEqual([100, 100, 4]);
  });

  it('reaches the first and the last of 5,000,000 rows on a surface of 8,000,000 pixels', () => {
    const scale = new ScrollScale(24, 5_000_000, 480);
    expect([scale.surface, scale.isScaled]).toEqual([tallestSurface, true]);
    expect(scale.topAt(0)).toBe(0);
    expect(scale.topAt(tallestSurface - 480)).toBe(5_000_000 * 24 - 480);
    expect(scale.firstRow(scale.lastTop)).toBe(5_000_000 - 20);
  });

  const scales = fc
    .record({ rows: fc.nat(10_000_000), body: fc.integer({ min: 1, max: 4_000 }) })
    .map(({ rows, body }) => new ScrollScale(24, rows, body));

  it('puts the bar where it stands for the same rows', () => {
    fc.assert(
      fc.property(scales, fc.double({ min: 0, max: 1, noNaN: true }), (scale, part) => {
        const top = part * scale.lastTop;
        expect(Math.abs(scale.topAt(scale.scrollAt(top)) - top)).toBeLessThan(0.001);
      }),
    );
  });

  it('brings every row wholly into view, moving as little as possible', () => {
    fc.assert(
      fc.property(scales, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (scale, at, part) => {
        fc.pre(scale.rows > 0 && scale.bodyHeight >= 24);
        const row = at % scale.rows;
        const top = scale.topShowing(row, part * scale.lastTop);
        expect(row * 24).toBeGreaterThanOrEqual(top - 0.001);
        expect(row * 24 + 24).toBeLessThanOrEqual(top + scale.bodyHeight + 0.001);
        expect(scale.topShowing(row, top)).toBe(top);
      }),
    );
  });

  it('has nowhere to go without rows', () => {
    const scale = new ScrollScale(24, 0, 300);
    expect([scale.surface, scale.lastTop, scale.topAt(50), scale.firstRow(0)]).toEqual([300, 0, 0, 0]);
  });
});

describe('columns', () => {
  it('lie side by side in the order shown', () => {
    const layout = new ColumnLayout([100, 200, 50]);
    layout.move(0, 2);
    expect([...layout.order]).toEqual([1, 2, 0]);
    expect([layout.leftOf(0), layout.leftOf(1), layout.leftOf(2), layout.total]).toEqual([0, 200, 250, 350]);
    layout.resize(2, 90);
    expect([layout.widthAt(1), layout.total]).toEqual([90, 390]);
  });

  it('keep within sensible widths', () => {
    const layout = new ColumnLayout([1, NaN, 99_999]);
    expect(layout.widths).toEqual([narrowestColumn, narrowestColumn, 1_200]);
  });

  it('take up an order that was kept only if it fits', () => {
    expect(new ColumnLayout([100, 100], { order: [1, 0] }).order).toEqual([1, 0]);
    for (const order of [[0], [0, 0], [0, 2], [0, 1, 2]]) {
      expect(new ColumnLayout([100, 100], { order }).order).toEqual([0, 1]);
    }
  });

  const layouts = fc.array(fc.integer({ min: narrowestColumn, max: 500 }), { minLength: 1, maxLength: 40 });

  it('are shown exactly where they are in view', () => {
    fc.assert(
      fc.property(layouts, fc.nat(8_000), fc.integer({ min: 1, max: 2_000 }), (widths, left, width) => {
        const layout = new ColumnLayout(widths);
        fc.pre(left < layout.total);
        const span = layout.spanOf(left, left + width);
        for (let place = 0; place < layout.count; place++) {
          const isInView = layout.leftOf(place) < left + width && layout.leftOf(place) + layout.widthAt(place) > left;
          expect(place >= span.first && place <= span.last, `column ${place}`).toBe(isInView);
        }
      }),
    );
  });

  it('drop into the gap nearest to the pointer', () => {
    const layout = new ColumnLayout([100, 100, 100]);
    expect([0, 49, 51, 149, 151, 251, 999].map((x) => layout.gapAt(x))).toEqual([0, 0, 1, 1, 2, 3, 3]);
  });
});

describe('hidden and frozen columns', () => {
  it('leave room for the others to scroll, and are wanted still when there is room again', () => {
    const layout = new ColumnLayout([100, 100, 100, 100]);
    layout.freeze(3);
    layout.room = 400;
    expect([layout.frozen, layout.kept.frozen]).toEqual([2, 3]);
    layout.room = 200;
    expect(layout.frozen).toBe(0);
    layout.hide(0);
    layout.room = 1_000;
    expect([layout.frozen, layout.kept.frozen]).toEqual([2, 2]);
  });

  it('give up their place when hidden, and come back where they were', () => {
    const layout = new ColumnLayout([100, 200, 300]);
    layout.hide(1);
    expect([layout.shown, layout.hidden, layout.total, layout.count]).toEqual([[0, 2], [1], 400, 2]);
    expect([layout.placeOf(1), layout.placeOf(2), layout.leftOf(1)]).toEqual([-1, 1, 100]);
    layout.show([1]);
    expect([layout.shown, layout.hidden, layout.total]).toEqual([[0, 1, 2], [], 600]);
  });

  it('never hide the last one', () => {
    const layout = new ColumnLayout([100, 200]);
    layout.hide(0);
    layout.hide(0);
    expect(layout.shown).toEqual([1]);
    expect(new ColumnLayout([100, 200], { hidden: [0, 1] }).shown).toEqual([0, 1]);
  });

  it('move past hidden ones as if these were not there', () => {
    const layout = new ColumnLayout([1, 2, 3, 4]);
    layout.hide(1);
    layout.move(0, 1);
    expect([layout.shown, layout.order]).toEqual([
      [2, 0, 3],
      [1, 2, 0, 3],
    ]);
    layout.move(2, 0);
    expect(layout.shown).toEqual([3, 2, 0]);
  });

  it('stay at the left, and count as many when one of them is hidden or shown', () => {
    const layout = new ColumnLayout([100, 100, 100, 100]);
    layout.freeze(2);
    expect([layout.frozen, layout.frozenWidth]).toEqual([2, 200]);
    expect(layout.scrolledSpan(100, 350)).toEqual({ first: 3, last: 3 });
    expect(layout.scrolledSpan(0, 200)).toEqual({ first: 2, last: 2 });
    expect([layout.distanceAt(150, 80), layout.distanceAt(250, 80)]).toEqual([150, 330]);
    layout.hide(0);
    expect(layout.frozen).toBe(1);
    layout.show([0]);
    expect(layout.frozen).toBe(2);
    layout.freeze(9);
    expect(layout.frozen).toBe(4);
    expect(layout.scrolledSpan(0, 300)).toEqual({ first: 4, last: 3 });
  });

  it('are kept, and taken up again', () => {
    const layout = new ColumnLayout([100, 100, 100]);
    layout.move(0, 2);
    layout.hide(1);
    layout.freeze(1);
    const again = new ColumnLayout([100, 100, 100], layout.kept);
    expect(again.kept).toEqual({ order: [1, 2, 0], widths: [100, 100, 100], hidden: [2], frozen: 1 });
  });
});

describe('selecting', () => {
  const extent = { rows: 100, places: 5, pageRows: 20 };
  const at = (row: number, place: number) => ({ row, place });

  it('grows a rectangle from where it began', () => {
    const selection = new GridSelection();
    selection.moveTo(at(10, 2), false);
    selection.moveTo(at(5, 4), true);
    expect(selection.range).toEqual({ firstRow: 5, lastRow: 10, firstPlace: 2, lastPlace: 4 });
    expect(selection.count).toBe(18);
    selection.moveTo(at(12, 1), true);
    expect(selection.range).toEqual({ firstRow: 10, lastRow: 12, firstPlace: 1, lastPlace: 2 });
    expect([selection.contains(11, 1), selection.contains(9, 1), selection.isActive(12, 1)]).toEqual([
      true,
      false,
      true,
    ]);
    selection.moveTo(at(0, 0), false);
    expect(selection.count).toBe(1);
  });

  it('holds nothing while the titles are active', () => {
    const selection = new GridSelection();
    selection.moveTo(at(3, 3), false);
    selection.moveTo(at(headerRow, 3), false);
    expect([selection.range, selection.count, selection.contains(0, 3)]).toEqual([undefined, 0, false]);
  });

  it('ends at the first row when a key that makes it grow is held', () => {
    const selection = new GridSelection();
    selection.moveTo(at(1, 3), false);
    for (let times = 0; times < 3; times++) {
      const cell = selection.target('ArrowUp', false, extent);
      if (cell !== undefined) selection.moveTo(cell, true);
    }
    expect(selection.range).toEqual({ firstRow: 0, lastRow: 1, firstPlace: 3, lastPlace: 3 });
    selection.reset();
    selection.moveTo(at(0, 3), true);
    expect(selection.count).toBe(1);
  });

  it('ends where the rows and columns end that are left', () => {
    const selection = new GridSelection();
    selection.selectAll(extent);
    selection.fit({ rows: 10, places: 2 });
    expect(selection.range).toEqual({ firstRow: 0, lastRow: 9, firstPlace: 0, lastPlace: 1 });
    selection.moveTo(at(8, 1), false);
    selection.fit({ rows: 8, places: 2 });
    expect(selection.range).toBeUndefined();
    selection.fit({ rows: 0, places: 0 });
    expect(selection.active).toEqual(at(headerRow, 0));
  });

  it('takes whole rows, and everything', () => {
    const selection = new GridSelection();
    selection.selectRows(7, 4, 5);
    expect(selection.range).toEqual({ firstRow: 4, lastRow: 7, firstPlace: 0, lastPlace: 4 });
    selection.selectAll({ ...extent, rows: 5_000_000 });
    expect([selection.count, selection.active]).toEqual([25_000_000, at(0, 0)]);
    selection.selectAll({ ...extent, rows: 0 });
    expect(selection.count).toBe(25_000_000);
  });

  it.each([
    ['ArrowDown', false, at(50, 2), at(51, 2)],
    ['ArrowDown', false, at(99, 2), at(99, 2)],
    ['ArrowDown', true, at(50, 2), at(99, 2)],
    ['ArrowUp', false, at(0, 2), at(headerRow, 2)],
    ['ArrowUp', true, at(50, 2), at(0, 2)],
    ['ArrowLeft', false, at(5, 0), at(5, 0)],
    ['ArrowRight', true, at(5, 0), at(5, 4)],
    ['Home', false, at(5, 3), at(5, 0)],
    ['Home', true, at(5, 3), at(0, 0)],
    ['End', true, at(5, 3), at(99, 4)],
    ['PageDown', false, at(5, 3), at(25, 3)],
    ['PageDown', false, at(95, 3), at(99, 3)],
    ['PageUp', false, at(5, 3), at(0, 3)],
    ['PageUp', false, at(headerRow, 3), at(headerRow, 3)],
  ] as const)('%s with jump %s leads from %j to %j', (key, isJump, from, to) => {
    const selection = new GridSelection();
    selection.moveTo(from, false);
    expect(selection.target(key, isJump, extent)).toEqual(to);
  });

  it('goes nowhere by other keys, and stays on the titles when there are no rows', () => {
    const selection = new GridSelection();
    expect(selection.target('a', true, extent)).toBeUndefined();
    expect(selection.target('ArrowDown', false, { ...extent, rows: 0 })).toEqual(at(headerRow, 0));
  });
});
