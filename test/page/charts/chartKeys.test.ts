import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { result, startFaultyServer } from '../../support/webview/faultyServer.ts';
import type { FaultyReport, FaultyServer } from '../../support/webview/faultyServer.ts';
import { ResultsHost, type ShownResult } from '../../support/pages/resultsHost.ts';
import { focused, spoken } from '../../support/pages/spoken.ts';
import { themeNames, wearTheme } from '../../support/pages/themes.ts';

const column = (key: string, yurbitype: string) => ({ key, headerText: key, yurbitype });
const [city, size, people] = [column('City', 'cha'), column('Size', 'cha'), column('People', 'num')];

/** More categories than bars fit into the view: 60. Each has its number as its value. */
const numbers = Array.from({ length: 130 }, (_, i) => ({ City: `c${i + 1}`, People: i + 1 }));

const reports: FaultyReport[] = [
  {
    name: 'Bars',
    outputType: 2,
    run: () =>
      result(
        [
          { City: 'Oslo', People: 700 },
          { City: 'Rome', People: 2800 },
          { City: 'Nowhere', People: null },
          { City: 'Lima', People: 10_000 },
        ],
        [city, people],
      ),
  },
  {
    name: 'Stacked',
    outputType: 2,
    run: () =>
      result(
        [
          { City: 'Oslo', Size: 'small', People: 1 },
          { City: 'Rome', Size: 'small', People: 2 },
          { City: 'Oslo', Size: 'large', People: 40 },
          { City: 'Lima', Size: 'large', People: 30 },
        ],
        [city, size, people],
      ),
  },
  { name: 'Long', outputType: 2, run: () => result(numbers, [city, people]) },
  {
    name: 'Pie',
    outputType: 6,
    run: () =>
      result(
        [
          { City: 'Oslo', People: 100 },
          { City: 'Rome', People: 300 },
        ],
        [city, people],
      ),
  },
  {
    name: 'Tree',
    outputType: 9,
    run: () =>
      result(
        [
          { City: 'Oslo', Size: 'small', People: 10 },
          { City: 'Oslo', Size: 'large', People: 50 },
          { City: 'Rome', Size: 'small', People: 1 },
        ],
        [city, size, people],
      ),
  },
  {
    name: 'Map',
    outputType: 10,
    run: () =>
      result(
        [
          { City: 'CA', People: 7 },
          { City: 'Ohio', People: 3 },
          { City: 'Atlantis', People: 1 },
        ],
        [city, people],
      ),
  },
  { name: 'Gauge', outputType: 4, run: () => result([{ People: 3 }], [people]) },
  { name: 'Figures', outputType: 3, run: () => result([{ City: 'Oslo', People: 700 }], [city, people]) },
];

describe('charts by keyboard', () => {
  let server: FaultyServer;
  let host: ResultsHost;
  let shown: ShownResult;
  beforeAll(async () => {
    server = await startFaultyServer(reports);
    host = await ResultsHost.start({ server });
  });
  afterAll(async () => {
    await host.stop();
    await server.close();
  });

  /** Opens a chart, which gets the focus. @returns its name. */
  const open = async (report: string) => {
    shown = await host.run(report);
    await hasFocus('application');
    await spoken(shown.page);
    return chart().getAttribute('aria-label');
  };
  const chart = () => shown.frame.getByRole('application');
  const frame = () => shown.frame.locator('.chart-frame:not([hidden])');
  const hasFocus = (role: string) => expect.poll(() => focused(shown.page)).toMatch(new RegExp(`^${role} `));
  const press = async (...keys: string[]) => {
    for (const key of keys) await shown.page.keyboard.press(key);
  };
  /** What the keys have announced, each once. */
  const says = async (keys: readonly string[]) => {
    await press(...keys);
    return spoken(shown.page);
  };
  const box = async () => (await frame().boundingBox()) ?? expect.fail('No value is marked.');

  it('go through the bars, skip missing ones, and stay at the ends', async () => {
    expect(await open('Bars')).toBe(
      'Bars: bar chart. Horizontal axis: City. Vertical axis: People. Lowest: 700 (Oslo). Highest: 10,000 (Lima). ' +
        '1 series, 3 values',
    );
    expect(await frame().count()).toBe(0);
    expect(await says(['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'])).toEqual([
      'Oslo, People: 700 (1 of 3)',
      'Rome, People: 2,800 (2 of 3)',
      'Lima, People: 10,000 (3 of 3)',
      'Lima, People: 10,000 (3 of 3)',
    ]);
    const highest = await box();
    expect(await says(['Home', 'End', 'ArrowLeft', 'ArrowDown'])).toEqual([
      'Oslo, People: 700 (1 of 3)',
      'Lima, People: 10,000 (3 of 3)',
      'Rome, People: 2,800 (2 of 3)',
      'Rome, People: 2,800 (2 of 3)',
    ]);
    // A bar as high as its value, on the same ground.
    const lower = await box();
    expect(lower.height / highest.height).toBeCloseTo(0.28, 1);
    expect(lower.y + lower.height).toBeCloseTo(highest.y + highest.height, 0);
    expect(lower.x + lower.width).toBeLessThan(highest.x);
    await hasFocus('application');
  });

  it('go from series to series at the same category, or the closest one', async () => {
    expect(await open('Stacked')).toBe(
      'Stacked: stacked bar chart. Horizontal axis: City. Vertical axis: People. Lowest: 1 (Oslo, small). ' +
        'Highest: 40 (Oslo, large). 2 series, 4 values',
    );
    expect(await says(['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowUp'])).toEqual([
      'Oslo, small: 1 (1 of 2)',
      'Oslo, large: 40 (1 of 2)',
      'Lima, large: 30 (2 of 2)',
      'Rome, small: 2 (2 of 2)',
      'Rome, small: 2 (2 of 2)',
    ]);
  });

  it('zoom and pan, and show a value that is out of view', async () => {
    await open('Long');
    expect(await says(['+', 'Shift+ArrowRight', '-', '0', 'End', '+', 'Shift+ArrowLeft'])).toEqual([
      'Shows c1 to c30, 30 of 130',
      'Shows c16 to c45, 30 of 130',
      'Shows c1 to c60, 60 of 130',
      'Shows c1 to c130, 130 of 130',
      'c130, People: 130 (130 of 130)',
      'Shows c66 to c130, 65 of 130',
      'Shows c34 to c98, 65 of 130',
    ]);
    // The active value has stayed in view.
    expect(await says(['ArrowRight', 'Home', 'ArrowRight'])).toEqual([
      'c99, People: 99 (99 of 130)',
      'c1, People: 1 (1 of 130)',
      'c2, People: 2 (2 of 130)',
    ]);
    const [mark, place] = [await box(), await chart().boundingBox()];
    expect(mark.x).toBeGreaterThan(place?.x ?? NaN);
    expect(mark.x + mark.width).toBeLessThan((place?.x ?? NaN) + (place?.width ?? NaN) / 2);
  });

  it('name slices with their share, and say that a pie has no zoom', async () => {
    expect(await open('Pie')).toBe(
      'Pie: pie chart. Measure: People. Lowest: 100 (Oslo). Highest: 300 (Rome). 2 values',
    );
    expect(await says(['ArrowRight', 'ArrowRight', '+'])).toEqual([
      'Rome, People: 300, 75 % (1 of 2)',
      'Oslo, People: 100, 25 % (2 of 2)',
      'This chart has no zoom.',
    ]);
    expect((await box()).width).toBeLessThan(60);
  });

  it('go through the parts of a tree map, and into them', async () => {
    expect(await open('Tree')).toBe(
      'Tree: tree map. Measure: People. Lowest: 1 (Rome, small). Highest: 50 (Oslo, large). 3 values',
    );
    expect(await says(['ArrowRight', 'ArrowRight', 'ArrowDown'])).toEqual([
      'Oslo, People: 60 (1 of 3)',
      'Oslo, large, People: 50 (2 of 3)',
      'Rome, People: 1 (1 of 2)',
    ]);
    const area = async () => (await box()).width * (await box()).height;
    const before = await area();
    expect(await says(['+'])).toEqual(['Shows Rome']);
    await expect.poll(area).toBeGreaterThan(2 * before);
    expect(await says(['0'])).toEqual(['Shows all parts']);
    await expect.poll(area).toBeCloseTo(before, 0);
  });

  it('go through the regions of a map that it knows', async () => {
    expect(await open('Map')).toBe('Map: map. Measure: People. Lowest: 3 (Ohio). Highest: 7 (California). 2 values');
    expect(await says(['ArrowRight'])).toEqual(['California, People: 7 (1 of 2)']);
    const west = await box();
    expect(await says(['ArrowRight'])).toEqual(['Ohio, People: 3 (2 of 2)']);
    expect((await box()).x).toBeGreaterThan(west.x + west.width);
    // What is missing is read with the chart.
    await expect.poll(() => chart().getAttribute('aria-description')).toMatch(/^Not on the map: Atlantis\. Arrow keys/);
  });

  it('read a gauge and key figures', async () => {
    expect(await open('Gauge')).toBe('Gauge: gauge. Scale: 0 to 5. People: 3');
    expect(await says(['ArrowRight'])).toEqual(['People: 3']);
    shown = await host.run('Figures');
    await expect.poll(() => focused(shown.page)).toBe('group Figures: key figures. People: 700. City: Oslo');
  });

  it('are one tab stop, one key from the table and back', async () => {
    await open('Bars');
    await press('ArrowRight', 'Shift+Tab');
    await hasFocus('button');
    expect(await frame().count()).toBe(0);
    await press('Tab');
    await hasFocus('application');
    expect(await frame().count()).toBe(1);
    await press('t');
    await expect.poll(() => focused(shown.page)).toMatch(/^grid Rows of the report > .*Oslo/);
    await press('t');
    await hasFocus('application');
    await press('ArrowRight');
    await expect.poll(() => frame().count()).toBe(1);
    // In a box it is a letter.
    await shown.frame.getByRole('textbox', { name: 'Only rows with…' }).focus();
    await press('t');
    await chart().waitFor();
  });

  it('mark the active value in colours that differ, whatever is below, in every theme', async () => {
    await open('Stacked');
    await press('ArrowRight');
    for (const theme of themeNames) {
      await wearTheme(shown.page, theme);
      const [line, edge, inside] = await frame().evaluate((element) => {
        const { borderLeftColor, outlineColor, boxShadow } = getComputedStyle(element);
        const colours = [borderLeftColor, outlineColor, /rgba?\([^)]*\)/.exec(boxShadow)?.[0] ?? ''];
        return colours.map((colour) => (colour.match(/[\d.]+/g) ?? []).map(Number));
      });
      expect(edge).toEqual(inside);
      expect(line, theme).toHaveLength(3);
      expect(contrast(line ?? [], edge ?? []), theme).toBeGreaterThanOrEqual(3);
    }
  });

  it('leave the active value its colour: a lighter one could not be told from the background', async () => {
    await open('Stacked');
    await wearTheme(shown.page, 'light');
    const colours = () => shown.page.evaluate<string[]>(coloursOfChart);
    await expect.poll(async () => (await colours()).length).toBeGreaterThan(2);
    const before = await colours();
    await press('ArrowRight', 'ArrowDown');
    await frame().waitFor();
    await expect.poll(colours).toEqual(before);
  });

  it('are in the help on keys', async () => {
    await open('Bars');
    await press('F1');
    const help = shown.frame.getByRole('dialog', { name: 'Keys in Results' });
    await help.getByText('In a chart: zoom in, zoom out or show all').waitFor();
  });
});

/** In the page: colours of which the left half of a chart has much, in order. A tip covers part of the right one. */
const coloursOfChart = `(() => {
  const canvas = document.querySelector('.chart-place canvas');
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width / 2, height);
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.subarray(at, at + 3).join();
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > width * height / 500).map(([colour]) => colour).sort();
})()`;

/** Of two opaque colours, by the rules for web content. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const luminance = (colour: readonly number[]) => {
    const [red = NaN, green = NaN, blue = NaN] = colour.map((byte) =>
      byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = NaN, dark = NaN] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
