import { describe, expect, it } from 'vitest';
import { windowRows as windowRowsOf, type RowCells } from '../../../../src/contract/pages/resultCells.ts';
import { RowWindows, type FetchedRows } from '../../../../src/webview/grid/rowWindows.ts';

const windowRows = windowRowsOf(1);

/** A host whose answers wait until the test gives them. */
function slowHost() {
  const asked: { start: number; count: number; give(cells?: RowCells | null): void; fail(): void }[] = [];
  const fetch = (start: number, count: number) =>
    new Promise<FetchedRows | null>((resolve, reject) => {
      const cells = Array.from({ length: count }, (_, i) => [String(start + i)]);
      asked.push({
        start,
        count,
        give: (given = cells) => resolve(given === null ? null : { rows: given }),
        fail: () => reject(new Error('gone')),
      });
    });
  const arrived: [number, number][] = [];
  return { asked, fetch, arrived, onArrival: (start: number, end: number) => void arrived.push([start, end]) };
}

const turn = () => new Promise(setImmediate);

describe('rows that the page holds', () => {
  it('are asked for in windows, the next one ahead', async () => {
    const host = slowHost();
    const windows = new RowWindows(1_000, host.fetch, host.onArrival);
    windows.show(10, 40, 1);
    expect(host.asked.map(({ start, count }) => [start, count])).toEqual([[0, windowRows]]);
    expect(windows.row(10)).toBeUndefined();
    host.asked[0]?.give();
    await turn();
    expect(host.asked.slice(1).map(({ start, count }) => [start, count])).toEqual([[windowRows, windowRows]]);
    expect(windows.row(10)).toEqual(['10']);
    expect(host.arrived).toEqual([[0, windowRows]]);
  });

  it('are not asked for ahead before anything scrolls, so that a sort at once need not wait for them', async () => {
    const host = slowHost();
    const windows = new RowWindows(1_000, host.fetch, host.onArrival);
    windows.show(0, 40, 0);
    host.asked[0]?.give();
    await turn();
    windows.show(0, 40, 0);
    expect(host.asked).toHaveLength(1);
    windows.show(1, 41, 24);
    expect(host.asked.slice(1)).toMatchObject([{ start: windowRows, count: windowRows }]);
  });

  it('are not asked for twice', async () => {
    const host = slowHost();
    const windows = new RowWindows(100, host.fetch, host.onArrival);
    windows.show(0, 40, 1);
    windows.show(0, 40, 1);
    host.asked[0]?.give();
    await turn();
    windows.show(0, 40, 1);
    expect(host.asked).toHaveLength(1);
  });

  it('while scrolling fast, only those where it ended are asked for', async () => {
    const host = slowHost();
    const windows = new RowWindows(1_000_000, host.fetch, host.onArrival);
    for (let row = 0; row < 900_000; row += 50_000) windows.show(row, row + 40, 1);
    expect(host.asked).toHaveLength(3);
    for (const each of host.asked.slice()) each.give();
    await turn();
    expect(host.asked.slice(3).map(({ start }) => start)).toEqual([Math.floor(850_000 / windowRows) * windowRows]);
  });

  it('in view wait for none that was asked for ahead of time', async () => {
    const host = slowHost();
    const windows = new RowWindows(1_000_000, host.fetch, host.onArrival);
    windows.show(0, 40, 1);
    host.asked[0]?.give();
    await turn();
    // Across the end of a window, while the one behind the first is still on its way.
    windows.show(windowRows * 500 - 20, windowRows * 500 + 20, 1);
    expect(host.asked.slice(2)).toMatchObject([{ start: windowRows * 499, count: windowRows * 2 }]);
    host.asked[2]?.give();
    await turn();
    expect(host.arrived.at(-1)).toEqual([windowRows * 499, windowRows * 501]);
    expect([windows.row(windowRows * 500 - 1), windows.row(windowRows * 500)]).toEqual([
      [String(windowRows * 500 - 1)],
      [String(windowRows * 500)],
    ]);
    expect(host.asked.at(-1)).toMatchObject({ start: windowRows * 501 });
  });

  it('are fewer at once where they have many columns', () => {
    const host = slowHost();
    const windows = new RowWindows(1_000_000, host.fetch, host.onArrival, 2_000);
    windows.show(1_600, 1_640, 1);
    expect(host.asked).toMatchObject([{ start: 1_600, count: 48 }]);
  });

  it('are asked for again when the view has grown past a window that was cut short', async () => {
    const host = slowHost();
    const windows = new RowWindows(50, host.fetch, host.onArrival);
    windows.show(0, 40, 0);
    host.asked[0]?.give();
    await turn();
    windows.rows = 90;
    expect(windows.row(60)).toBeUndefined();
    windows.show(30, 80, 0);
    expect(host.asked[1]).toMatchObject({ start: 0, count: 90 });
    host.asked[1]?.give();
    await turn();
    expect(windows.row(60)).toEqual(['60']);
  });

  it('need no question when they came along', () => {
    const host = slowHost();
    const windows = new RowWindows(windowRows, host.fetch, host.onArrival);
    windows.preload({ rows: Array.from({ length: windowRows }, (_, i) => [String(i)]) });
    windows.show(0, 40, 1);
    expect([host.asked.length, windows.row(5)]).toEqual([0, ['5']]);
  });

  it('are asked for again after a failure, once they are looked at again', async () => {
    const host = slowHost();
    const windows = new RowWindows(100, host.fetch, host.onArrival);
    windows.show(0, 40, 1);
    host.asked[0]?.fail();
    await turn();
    expect(host.asked).toHaveLength(1);
    windows.show(0, 40, 1);
    expect(host.asked).toHaveLength(2);
  });

  it('do not arrive once the view is closed or gone', async () => {
    const host = slowHost();
    const windows = new RowWindows(1_000, host.fetch, host.onArrival);
    windows.show(0, 40, 1);
    host.asked[0]?.give(null);
    await turn();
    expect(host.asked).toHaveLength(2);
    windows.close();
    host.asked[1]?.give();
    await turn();
    expect([host.arrived.length, host.asked.length]).toEqual([0, 2]);
  });

  it('are forgotten when long unused, so that the page stays small', async () => {
    const host = slowHost();
    const windows = new RowWindows(1_000_000, host.fetch, host.onArrival);
    for (let i = 0; i < 100; i++) {
      windows.show(i * windowRows, i * windowRows + 40, -1);
      for (const question of host.asked) question.give();
      await turn();
    }
    const held = Array.from({ length: 100 }, (_, i) => windows.row(i * windowRows)).filter((row) => row !== undefined);
    expect(held).toHaveLength(48);
    expect(windows.row(99 * windowRows)).toBeDefined();
  });
});
