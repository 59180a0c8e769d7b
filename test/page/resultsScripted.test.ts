import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { result, startFaultyServer } from '../support/webview/faultyServer.ts';
import type { FaultyReport, FaultyServer } from '../support/webview/faultyServer.ts';
import { ResultsHost, type ShownResult } from '../support/pages/resultsHost.ts';
import { person } from '../support/vscode/person.ts';
import { waitFor } from '../support/waitFor.ts';
import { promptValuesLimit } from '../../src/features/reports/prompts/promptChoices.ts';
import { prompt } from '../unit/features/reports/prompts/prompts.ts';

const column = (key: string, yurbitype: string, more: object = {}) => ({ key, headerText: key, yurbitype, ...more });

/** A column of each field type code: what a server in Berlin sends, and what is shown to a user in New York. */
const typed = [
  { type: 'cha', sent: ' <b>text</b>', shown: ' <b>text</b>', kind: 'is-text' },
  { type: 'num', sent: 1234.5, shown: '1,234.50', kind: 'is-number', more: { dataFormatString: '{0:N2}' } },
  { type: 'cur', sent: 1234.5, shown: '1,234.50', kind: 'is-number' },
  { type: 'per', sent: 12.345, shown: '12.35%', kind: 'is-number' },
  { type: 'dat', sent: '2001-01-01T08:30:00', shown: '2001-01-01 02:30:00', kind: 'is-moment' },
  { type: 'dtz', sent: '2001-01-01T08:30:00', shown: '2001-01-01 08:30:00', kind: 'is-moment' },
  { type: 'doz', sent: '2001-01-01T00:00:00', shown: '2001-01-01', kind: 'is-moment' },
  { type: 'udt', sent: 978352200, shown: '2001-01-01 07:30:00', kind: 'is-moment' },
  { type: 'tsp', sent: '01-JAN-01 08.30', shown: '01-JAN-01 08.30', kind: 'is-moment' },
  { type: 'lnk', sent: 'https://example.com/a', shown: 'https://example.com/a', kind: 'is-link' },
  // No address that may be opened.
  { type: 'flk', sent: 'javascript:alert(1)', shown: 'javascript:alert(1)', kind: 'is-text' },
  { type: 'ddn', sent: 'Oslo', shown: 'Oslo', kind: 'is-drill' },
  { type: 'for', sent: null, shown: 'null', kind: 'is-null' },
] as const;

const cities = [
  { id: 1, city: 'Oslo', people: 700 },
  { id: 2, city: 'Rome', people: 2800 },
  { id: 3, city: 'Lima', people: 10_000 },
];
const cityColumns = [column('id', 'num'), column('city', 'ddn'), column('people', 'num')];
/** Texts that are hard to show: from right to left, very long, over several lines. */
const oddRow = { c0: 'שלום, עולם!', c1: 'long '.repeat(40_000), c2: 'two\nlines', c3: null, c299: 'the last' };
const asked: Record<string, unknown>[] = [];

const reports: FaultyReport[] = [
  {
    name: 'Every Type',
    definition: { FieldList: [{ fieldindex: 1, Fieldtype: 'dat' }] },
    run: () =>
      result(
        [Object.fromEntries(typed.map(({ type, sent }) => [type, sent]))],
        typed.map((each) => column(each.type, each.type, 'more' in each ? each.more : {})),
      ),
  },
  {
    name: 'Asks',
    prompts: [prompt({ name: 'City', isSkipable: true }), prompt({ name: 'People', type: 'num', isSkipable: true })],
    run: (_response, body) => {
      asked.push(body);
      return result(cities, cityColumns);
    },
  },
  {
    name: 'Leads On',
    definition: {
      linkreports: [{ ReportID: '2', Name: 'Asks', Links: [{ Field: 'city' }] }],
    },
    run: () => ({ ...result(cities, cityColumns), ContainsDrilldown: true }),
  },
  {
    name: 'Wide',
    run: () =>
      result(
        [oddRow, { c0: 'x' }],
        Array.from({ length: 300 }, (_, i) => column(`c${i}`, 'cha')),
      ),
  },
  { name: 'Nothing', run: () => result([], cityColumns) },
  {
    name: 'Lists',
    prompts: [prompt({ name: 'Place' })],
    values: Array.from({ length: promptValuesLimit }, (_, i) => ({ key: `p${i}`, val: `Place ${i}` })),
    run: () => result(cities, cityColumns),
  },
  {
    name: 'Leads Without',
    definition: { linkreports: [{ ReportID: '2', Name: 'Asks', Links: [{ Field: 'city' }] }] },
    run: () => result([{ id: 1, city: null, people: 0 }], cityColumns),
  },
];

/** Names of the prompts whose values were put in one by one, in order. */
function replacedPrompts({ requests }: FaultyServer): string[] {
  const replaced = requests.filter(({ path }) => path.endsWith('Report/ReplacePrompt'));
  return replaced.map(({ body }) => {
    const { PromptField } = body.Prompt as { PromptField: { DisplayFieldName: string } };
    return PromptField.DisplayFieldName;
  });
}

describe('results of a server that answers to order', () => {
  let host: ResultsHost;
  let server: FaultyServer;
  const zone = process.env.TZ;
  beforeAll(async () => {
    process.env.TZ = 'Asia/Tokyo';
    const berlin = { ID: '1', DisplayName: 'Faults', TimeZone: 1, DaylightSavings: true };
    const newYork = { timezone: -5, timezonename: 'Eastern Standard Time' };
    server = await startFaultyServer(reports, { 'RegServers/GetAdminRegisteredServers': () => [berlin] }, newYork);
    host = await ResultsHost.start({ server, size: { width: 1100, height: 700 } });
  });
  afterAll(async () => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    await host.stop();
    await server.close();
  });

  const run = (report: string) => host.run(report);
  const press = async (page: ShownResult, ...keys: string[]) => {
    for (const key of keys) await page.page.keyboard.press(key);
  };
  const heading = (page: ShownResult, title: string) =>
    waitFor(`the heading ${title}`, async () => (await page.frame.locator('h1').innerText()) === title);

  it('shows cells by the type of their field', async () => {
    const page = await run('Every Type');
    await page.says(/^1 row/);
    const cellAt = (place: number) => page.frame.locator(`.grid-row:not([hidden]) > .grid-cell[data-place="${place}"]`);
    await cellAt(0).waitFor();
    for (const [place, { type, shown, kind }] of typed.entries()) {
      const cell = cellAt(place);
      if ((await cell.count()) === 0) await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 9999`);
      await cell.waitFor();
      expect([type, await cell.textContent()]).toEqual([type, shown]);
      expect([type, (await cell.getAttribute('class'))?.split(' ').includes(kind)]).toEqual([type, true]);
    }
  });

  it('names the time zone in the title and the tooltip of columns that are shown in one', async () => {
    const page = await run('Every Type');
    await page.says(/^1 row/);
    const title = page.frame.getByRole('columnheader', { name: /^dat / });
    await expect.poll(() => title.locator('.grid-title-zone').textContent()).toBe('America/New_York');
    expect(await title.getAttribute('title')).toContain('stored in Europe/Berlin, shown in America/New_York');
    expect(await page.frame.locator('.grid-title', { hasText: 'dtz' }).locator('.grid-title-zone').count()).toBe(0);
  });

  it('fits a column to what it shows, by a double click and by its menu', async () => {
    const page = await run('Every Type');
    await page.says(/^1 row/);
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 0`);
    const title = page.frame.locator('#title-0');
    const width = async () => (await title.boundingBox())?.width ?? 0;
    const before = await width();
    const handle = await title.locator('.grid-handle').boundingBox();
    const { mouse } = page.page;
    await mouse.move((handle?.x ?? 0) + 4, (handle?.y ?? 0) + 10);
    await mouse.down();
    await mouse.move((handle?.x ?? 0) + 204, (handle?.y ?? 0) + 10, { steps: 3 });
    await mouse.up();
    await waitFor('the column to be wide', async () => (await width()) > before + 150);
    const wide = await width();
    await title.locator('.grid-handle').dblclick();
    await waitFor('the column to fit', async () => (await width()) < wide - 100);
    const text = page.frame.locator('.grid-row:not([hidden]) > [data-place="0"] .grid-text');
    expect(await text.evaluate((element) => (element as { scrollWidth: number }).scrollWidth)).toBeLessThan(
      await width(),
    );
  });

  it('shows 300 columns, texts that are long or run from right to left, and says that there are no rows', async () => {
    const page = await run('Wide');
    await page.says(/^2 rows/);
    await expect.poll(() => page.grid.getAttribute('aria-colcount')).toBe('301');
    const cellAt = (place: number) => page.frame.locator(`.grid-row[data-row="0"] > [data-place="${place}"]`);
    await cellAt(0).getByText(oddRow.c0).waitFor();
    const direction = `getComputedStyle(document.querySelector('[data-place="0"] .grid-text')).unicodeBidi`;
    expect(await page.frame.evaluate<string>(direction)).toBe('plaintext');
    expect((await cellAt(1).textContent())?.length).toBe(1_001);
    await expect.poll(() => cellAt(2).textContent()).toBe('two↵lines');
    expect((await cellAt(1).boundingBox())?.height).toBeLessThan(30);
    await cellAt(1).dblclick();
    const whole = page.frame.locator('.cell-pane', { hasText: 'long long' });
    await expect.poll(async () => (await whole.textContent())?.length).toBeGreaterThanOrEqual(oddRow.c1.length);
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 1e6`);
    await expect.poll(() => cellAt(299).textContent()).toBe(oddRow.c299);
    const empty = await run('Nothing');
    await empty.frame.getByText('No Rows', { exact: true }).first().waitFor();
  });

  it('puts values in one by one where a server cannot take them together, and runs again in every way', async () => {
    const page = await run('Asks');
    await page.frame
      .getByRole('textbox', { name: 'City', exact: true })
      .or(page.frame.getByRole('combobox').first())
      .first()
      .fill('Oslo');
    await press(page, 'Enter');
    await page.says(/^3 rows/);
    // The skipped prompt changes nothing: its reply equals the one before, so it is read again on another connection.
    expect(new Set(replacedPrompts(server))).toEqual(new Set(['City', 'People']));
    await expect.poll(() => asked.at(-1)).toMatchObject({ supressprompts: false, cacheok: true });
    await page.button('Run Again').click();
    await waitFor('a second run', async () => asked.length === 2);
    await expect.poll(() => asked.at(-1)).toMatchObject({ supressprompts: false, cacheok: false });
    for (const [choice, sent] of [
      ['Run Without Cache', { supressprompts: false, cacheok: false }],
      ['Allow Cache', { supressprompts: false, cacheok: true }],
    ] as const) {
      const before = asked.length;
      await page.says(/^3 rows.*\d/);
      person.answers('Run Again', choice);
      await page.button('Run Options…').click();
      await waitFor(`a run: ${choice}`, async () => asked.length > before);
      await expect.poll(() => asked.at(-1)).toMatchObject(sent);
    }
    await page.says(/^3 rows/);
    await page.button('SQL').click();
    await expect.poll(() => host.shownSql.at(-1)).toMatchObject({ Asked: 'Oslo' });
    person.answers('Run Again', 'With Other Prompt Values…');
    await page.button('Run Options…').click();
    await page.frame.getByRole('combobox').first().fill('Rome');
    await press(page, 'Enter');
    // The SQL beside it follows.
    await expect.poll(() => host.refreshedSql.at(-1)).toMatchObject({ Asked: 'Rome' });
    await page.says(/^3 rows/);
    person.answers('Run Again', 'Without Prompts');
    await page.button('Run Options…').click();
    await waitFor('a run without prompts', async () => asked.at(-1)?.supressprompts === true);
    await page.frame.locator('.chip').getByText('Without Prompts').waitFor();
  });

  it('says that the server lists no more than 10,000 values, found or not, and takes others', async () => {
    const page = await run('Lists');
    const box = page.frame.getByRole('combobox', { name: 'Place' });
    const says = (words: RegExp) => page.frame.getByText(words).first().waitFor();
    await box.fill('place 9');
    await page.frame.getByRole('option', { name: /^Place 9\s*p9$/ }).waitFor();
    await says(/lists only the first 10,000 values; you can enter others/);
    await box.fill('Elsewhere');
    await says(/Not among the first 10,000 values/);
    await box.press('Enter');
    await page.says(/^3 rows/);
    await expect.poll(() => page.frame.locator('.chip').allInnerTexts()).toEqual(['Place = Elsewhere']);
  });

  it('asks for the prompts of the report that a row leads to, and goes back', async () => {
    const page = await run('Leads On');
    await page.frame.locator('.grid-cell.is-drill .grid-text', { hasText: 'Rome' }).click();
    await heading(page, 'Asks');
    await page.frame.getByRole('combobox').first().fill('Rome');
    await press(page, 'Enter');
    await page.says(/^3 rows/);
    await expect
      .poll(() => asked.at(-1))
      .toMatchObject({ IsDrillDown: true, DrillDownCriteria: { id: 2, city: 'Rome', people: 2800 } });
    await expect.poll(() => page.frame.locator('.crumb').allInnerTexts()).toEqual(['Leads On']);
    await page.frame.locator('.crumb').click();
    await heading(page, 'Leads On');
    await page.says(/^3 rows/);
  });

  it('drills down from a cell without a value, and shows the rows again when the form is cancelled', async () => {
    const page = await run('Leads Without');
    await page.frame.locator('.grid-cell.is-drill.is-null .grid-text').click();
    await heading(page, 'Asks');
    await page.button('Cancel').click();
    await heading(page, 'Leads Without');
    await page.says(/^1 row/);
    await page.grid.focus();
    await press(page, 'ArrowRight', 'Enter');
    await heading(page, 'Asks');
    await page.frame.getByRole('combobox').first().fill('Rome');
    await press(page, 'Enter');
    await expect.poll(() => asked.at(-1)).toMatchObject({ IsDrillDown: true, DrillDownCriteria: { city: null } });
  });

  it('copies a table as it is shown, with titles, and as CSV, JSON, IN list, INSERT and Markdown', async () => {
    const page = await run('Leads On');
    await page.says(/^3 rows/);
    await page.grid.focus();
    await press(page, 'Control+a', 'Control+c');
    await waitFor('the cells', async () => person.clipboard === '1\tOslo\t700\n2\tRome\t2800\n3\tLima\t10000');
    await press(page, 'Control+Shift+c');
    await waitFor('the titles', async () => person.clipboard.startsWith('id\tcity\tpeople\n1\tOslo'));
    const forms = [
      ['CSV', 'id,city,people\r\n1,Oslo,700\r\n2,Rome,2800\r\n3,Lima,10000\r\n'],
      ['JSON', `[\n${cities.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`],
      ['IN List', "(1, 'Oslo', 700, 2, 'Rome', 2800, 3, 'Lima', 10000)"],
      [
        'INSERT Statements',
        `INSERT INTO "Leads On" ("id", "city", "people") VALUES\n  (1, 'Oslo', 700),\n  (2, 'Rome', 2800),\n  (3, 'Lima', 10000);\n`,
      ],
      [
        'Markdown',
        '| id | city | people |\n| --- | --- | --- |\n| 1 | Oslo | 700 |\n| 2 | Rome | 2800 |\n| 3 | Lima | 10000 |\n',
      ],
    ] as const;
    for (const [form, text] of forms) {
      person.answers('Copy', form);
      // This server does not say which database its reports read.
      if (form === 'IN List') person.answers('', 'MySQL, MariaDB');
      if (form === 'INSERT Statements') person.answers('', 'PostgreSQL, DuckDB, SQLite, Trino, DB2');
      await page.grid.focus();
      await press(page, 'Control+Alt+c');
      await expect.poll(() => person.clipboard).toBe(text);
    }
  });
});
