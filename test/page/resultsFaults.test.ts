import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breakOff, handled, result, startFaultyServer, trickle } from '../support/webview/faultyServer.ts';
import type { FaultyReport, FaultyServer } from '../support/webview/faultyServer.ts';
import { hostileTexts, mark } from '../support/webview/hostileTexts.ts';
import { ResultsHost, type ShownResult } from '../support/pages/resultsHost.ts';
import { spoken } from '../support/pages/spoken.ts';
import { waitFor } from '../support/waitFor.ts';
import { prompt } from '../unit/features/reports/prompts/prompts.ts';

const many = JSON.stringify(
  result(Array.from({ length: 5_000 }, (_, i) => ({ city: `city ${i}`, note: 'x'.repeat(50) }))),
);
const half = Math.floor(many.length / 2);
const hostileName = `<img src=/${mark} onerror=top.${mark}=1> "quoted" {0}`;

/** What the server answers may change while a test looks on. */
const now = { isRefusing: true };

const title = (key: string, text: number, yurbitype = 'cha') => ({ key, headerText: hostileTexts[text], yurbitype });
const figure = title('n', 310, 'num');

/** A report of each output type whose names and values are all hostile, and what its page shows. */
const hostileOutputs = [
  { name: 'Chart', outputType: 2, columns: [title('a', 3), figure], shows: '[data-kind="axes"] canvas' },
  {
    name: 'Series',
    outputType: 14,
    columns: [title('a', 3), title('b', 90), figure],
    shows: '[data-kind="axes"] canvas',
  },
  { name: 'KPI', outputType: 3, columns: [title('a', 3), figure], shows: '.kpi' },
  { name: 'Gauge', outputType: 4, columns: [figure], shows: '[data-kind="gauge"] canvas' },
  { name: 'Pie', outputType: 6, columns: [title('a', 3), figure], shows: '[data-kind="pie"] canvas' },
  { name: 'Tree', outputType: 9, columns: [title('b', 3), title('a', 90), figure], shows: '[data-kind="tree"] canvas' },
  { name: 'Map', outputType: 10, columns: [title('a', 3), figure], shows: '[data-kind="map"] canvas' },
  { name: 'Pivot', outputType: 8, columns: [title('a', 3), title('b', 90), figure], shows: '.grid-cell' },
  {
    name: 'Grouped',
    outputType: 12,
    columns: [title('a', 3), title('b', 90), figure],
    rest: {
      groups: ['a'],
      GroupMetadata: [{ level: 0, keys: [], totals: [{ key: 'n', func: hostileTexts[3], val: hostileTexts[90] }] }],
    },
    shows: '.grid-row.is-heading',
  },
];

const reports: FaultyReport[] = [
  {
    // Leads on to itself, so that all that it is called stands in the trail.
    name: 'Hostile Prompt',
    prompts: [prompt({ name: hostileTexts[10] })],
    values: hostileTexts.map((text) => ({ key: text, val: text })),
    definition: { linkreports: [{ ReportID: '1', Name: hostileTexts[90], Links: [{ Field: 'a' }] }] },
    run: () => result([{ a: 'leads on' }]),
  },
  {
    name: 'Refused',
    run: () =>
      now.isRefusing
        ? {
            HasError: true,
            ErrorCode: 0,
            ErrorMessage: 'Binder Error: column "dealy" does not exist\nLINE 3: dealy',
            Data: null,
          }
        : result([{ city: 'Oslo' }]),
  },
  { name: 'Broken Off', run: (response) => breakOff(response, many, half) },
  { name: 'Not a Result', run: () => [{ surprise: true }] },
  { name: 'No Permission', metadata: () => undefined },
  { name: 'Gone', metadata: () => ({ Report: { ErrorCode: 586, ErrorMessage: 'Report does not exist.' } }) },
  { name: 'Endless', run: (response) => trickle(response, many, half) },
  { name: 'Silent', run: () => handled },
  { name: 'Plain', run: () => result([{ city: 'Oslo' }]) },
  {
    name: hostileName,
    run: () =>
      result(
        hostileTexts.map((text) => ({ text, link: text, odd: text, [`<b>${text}</b>`]: 1 })),
        [
          { key: 'text', headerText: hostileTexts[3], yurbitype: 'cha' },
          { key: 'link', headerText: hostileTexts[90], yurbitype: 'lnk' },
          { key: 'odd', headerText: hostileTexts[155], yurbitype: hostileTexts[0] },
        ],
      ),
  },
  {
    name: 'Hostile Refusal',
    run: () => ({ HasError: true, ErrorMessage: hostileTexts.join('\n'), Data: null }),
  },
  ...hostileOutputs.map(({ name, outputType, columns, rest }): FaultyReport => {
    const keys = columns.map(({ key }) => key);
    const all = hostileTexts.map((text, n) => ({ a: text, b: hostileTexts[n % 7], n: n + 1 }));
    const rows = all.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => keys.includes(key))));
    return {
      name,
      outputType,
      run: () => ({ ...result(rows, columns), ...rest }),
    };
  }),
];

describe('results of a server that fails', () => {
  let host: ResultsHost;
  let server: FaultyServer;
  const asked: string[] = [];
  beforeAll(async () => {
    server = await startFaultyServer(reports);
    host = await ResultsHost.start({ server, watch: (what) => void asked.push(what) });
  });
  afterAll(async () => {
    await host.stop();
    await server.close();
  });

  const run = (report: string) => host.run(report);
  const hasRunNothing = async (page: ShownResult) => {
    for (const frame of page.page.frames()) expect(await frame.evaluate(`window.${mark}`)).toBeUndefined();
    expect(asked.filter((what) => what.includes(mark) || what.startsWith('dialog'))).toEqual([]);
    expect(server.count(mark)).toBe(0);
  };
  const notice = (page: ShownResult) => page.frame.locator('.notice');

  it.each([
    ['Refused', /dealy/],
    ['Not a Result', /./],
    ['Gone', /does not exist|no longer/],
    ['No Permission', /permission/],
    ['Broken Off', /Could not run "Broken Off".*received so far are kept/],
  ])('announces once that a report fails: %s', async (name, reason) => {
    now.isRefusing = true;
    const page = await host.run(name);
    await page.frame.locator('.notice, .banner.is-error').waitFor();
    const heard: string[] = [];
    await expect.poll(async () => heard.push(...(await spoken(page.page)))).toBeGreaterThan(0);
    await page.frame.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    heard.push(...(await spoken(page.page)));
    const said = heard.filter((text) => !text.endsWith('Loading report…'));
    expect(said).toEqual([expect.stringMatching(reason)]);
  });

  it('shows what the server refused, with its SQL and a way to try again', async () => {
    const page = await run('Refused');
    await notice(page).getByText('Could not run "Refused" on 127.0.0.1').waitFor();
    await notice(page).getByText('column "dealy" does not exist').waitFor();
    await notice(page).getByRole('button', { name: 'SQL' }).click();
    await expect.poll(() => host.shownSql).toHaveLength(1);
    expect(host.shownSql).toMatchObject([{ Reportname: 'Refused' }]);
    now.isRefusing = false;
    await notice(page).getByRole('button', { name: 'Retry' }).click();
    await page.says(/1 row/);
  });

  it('keeps the rows that came before the connection broke, and says why there are no more', async () => {
    const page = await run('Broken Off');
    const banner = page.frame.locator('.banner.is-error');
    await banner.getByText('Could not run "Broken Off"').waitFor();
    await banner.getByText('The rows received so far are kept').waitFor();
    await page.says(/^[\d,]+ rows · failed/);
    await page.frame.locator('.grid-cell').first().waitFor();
    await expect.poll(() => banner.getByRole('button').allInnerTexts()).toEqual(['Retry', 'SQL']);
  });

  it.each([
    ['Not a Result', 'not a report result'],
    ['No Permission', 'no permission'],
    ['Gone', 'Report does not exist.'],
    ['Gone', 'It was deleted or is hidden from this account.'],
  ])('says what is wrong with "%s"', async (report, cause) => {
    const page = await run(report);
    await notice(page).getByText(`Could not run "${report}"`).waitFor();
    await expect.poll(() => notice(page).innerText()).toContain(cause);
    await expect.poll(() => notice(page).getByRole('button', { name: 'Retry' }).isVisible()).toBe(true);
  });

  it('waits for a server that says nothing, and stops when told to', async () => {
    const page = await run('Silent');
    await page.frame.getByText('Waiting for the first rows…').first().waitFor();
    await page.button('Cancel').click();
    await page.frame.getByText('The run was stopped before any rows arrived.').first().waitFor();
  });

  it('streams into a grid that is alive, and keeps what came when it is cancelled', async () => {
    const page = await run('Endless');
    // The server sends half of its text, and then nothing more.
    const rows = many.slice(0, half).match(/x{50}"}/g)?.length ?? 0;
    expect(rows).toBeGreaterThan(1_000);
    await page.says(new RegExp(`^${rows.toLocaleString('en')} rows · streaming [\\d.,]+ [KM]B`));
    await page.grid.focus();
    await page.page.keyboard.press('Control+End');
    const last = page.frame.locator(`.grid-row[aria-rowindex="${rows + 1}"]:not(.is-loading)`);
    await last.waitFor();
    await page.button('Cancel').click();
    await page.says(new RegExp(`^${rows.toLocaleString('en')} rows · cancelled`));
    await page.frame.getByText('Cancelled. Rows received so far are kept').first().waitFor();
    await page.grid.focus();
    await page.page.keyboard.press('Control+End');
    await last.waitFor();
    await expect.poll(() => last.locator('.grid-number').innerText()).toBe(rows.toLocaleString('en'));
  });

  it('runs and loads nothing that 500 hostile texts in cells, titles, names and messages ask for', async () => {
    expect(new Set(hostileTexts).size).toBe(500);
    asked.length = 0;
    const page = await run(hostileName);
    await page.says(/500 rows/);
    await page.grid.focus();
    await page.page.keyboard.press('Control+Home');
    const seen = new Set<string>();
    await waitFor('every row to have been on screen', async () => {
      const shown = await page.rowNumbers();
      for (const number of shown) seen.add(number);
      // A page can be passed before its rows were looked at: from the end it goes on at the beginning.
      await page.page.keyboard.press(shown.includes(String(hostileTexts.length)) ? 'Control+Home' : 'PageDown');
      return seen.size === hostileTexts.length;
    });
    expect(await page.frame.locator('.grid a, .grid img, .grid script, .grid iframe, .grid style').count()).toBe(0);
    await expect.poll(() => page.frame.locator('.grid-title-text').first().innerText()).toBe(hostileTexts[3]);
    await expect.poll(() => page.frame.locator('h1').innerText()).toBe(hostileName);

    const refusal = await run('Hostile Refusal');
    await notice(refusal).getByText('The server refused it').waitFor();
    expect(await notice(refusal).locator('pre > *').count()).toBe(0);

    await hasRunNothing(page);
    await hasRunNothing(refusal);
  });

  it('takes hostile names and values of prompts, and of reports on the trail, as text', async () => {
    asked.length = 0;
    const page = await run('Hostile Prompt');
    const value = page.frame.getByRole('combobox').first();
    await value.fill('onerror');
    await page.frame.getByRole('option').nth(5).waitFor();
    await value.press('Escape');
    await value.fill(hostileTexts[80] ?? '');
    await value.press('Enter');
    await page.says(/^1 row/);
    await page.frame.locator('.grid-cell.is-drill .grid-text').click();
    await page.frame.locator('.crumb').first().waitFor();
    await expect.poll(() => page.frame.locator('h1').innerText()).toBe(hostileTexts[90]);
    await page.frame.getByRole('combobox').first().waitFor();
    expect(await page.frame.locator('body').locator('a, img, iframe, svg, object, embed, base, meta').count()).toBe(0);
    await hasRunNothing(page);
  });

  it('draws nothing but pictures and text from hostile names and values, whatever the output type', async () => {
    asked.length = 0;
    for (const { name, shows } of hostileOutputs) {
      const page = await run(name);
      await page.frame.locator(shows).first().waitFor();
      const place = page.frame.locator('.result');
      const box = await place.boundingBox();
      await page.page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
      expect(await place.locator('a, img, script, iframe, style, svg, object, embed, form').count()).toBe(0);
      await hasRunNothing(page);
    }
  });
});
