import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { result, sqlOf, startFaultyServer } from '../support/webview/faultyServer.ts';
import type { FaultyReport, FaultyServer } from '../support/webview/faultyServer.ts';
import { ResultsPage } from '../support/webview/resultsPage.ts';
import { signIn } from '../support/webview/signIn.ts';
import { until } from '../support/until.ts';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';
import { promptValuesLimit } from '../../src/features/reports/prompts/promptChoices.ts';
import { prompt } from '../unit/features/reports/prompts/prompts.ts';

const column = (key: string, yurbitype: string, more: object = {}) => ({ key, headerText: key, yurbitype, ...more });

/** A column of each field type code: what a server sends, and what is shown in New York. */
const typed = [
  { type: 'cha', sent: ' <b>text</b>', shown: ' <b>text</b>', kind: 'is-text' },
  { type: 'num', sent: 1234.5, shown: '1,234.50', kind: 'is-number', more: { dataFormatString: '{0:N2}' } },
  { type: 'cur', sent: 1234.5, shown: '1,234.50', kind: 'is-number' },
  { type: 'per', sent: 12.345, shown: '12.35%', kind: 'is-number' },
  { type: 'dat', sent: '2001-01-01T08:30:00', shown: '2001-01-01 03:30:00', kind: 'is-moment' },
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
const late = Promise.withResolvers<void>();
let runs = 0;
let refusesSql = false;

const reports: FaultyReport[] = [
  {
    name: 'Every Type',
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
    name: 'Changes',
    run: () => {
      runs++;
      const later = [cities[0]!, { ...cities[1]!, people: 2801 }, { id: 4, city: 'Bern', people: 130 }];
      return result(runs === 1 ? cities : later, cityColumns);
    },
  },
  {
    name: 'Leads On',
    definition: {
      linkreports: [{ ReportID: '2', Name: 'Asks', Links: [{ Field: 'city' }] }],
      Sql: "SELECT 'open   ended",
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
    name: 'Asks Late',
    metadata: async () => {
      await late.promise;
      return { Report: { ErrorCode: 0, ReportID: '7', Reportname: 'Asks Late', FieldList: [] }, Prompts: [prompt()] };
    },
  },
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

describe('the results panel on a server that answers to order', () => {
  let workbench: Workbench;
  let server: FaultyServer;
  beforeAll(async () => {
    server = await startFaultyServer(reports, {
      'Report/GetSQL': (request) => (refusesSql ? { ErrorCode: 9000, ErrorMessage: 'No SQL today' } : sqlOf(request)),
    });
    const env = { TZ: 'America/New_York' };
    workbench = await openWorkbench({ theme: 'dark', env, size: { width: 1500, height: 850 } });
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(workbench, server);
  });
  afterAll(async () => {
    await workbench.stop();
    await server.close();
  });

  const run = (report: string) => ResultsPage.run(workbench, report);
  const press = async (...keys: string[]) => {
    for (const key of keys) await workbench.page.keyboard.press(key);
  };
  const sql = () => workbench.page.locator('.monaco-editor[data-uri^="analytics-sql:"]');
  const clipboard = () => workbench.page.evaluate<string>('navigator.clipboard.readText()');
  const heading = (page: ResultsPage, title: string) =>
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
    await workbench.screenshot('cell-types-dark');
  });

  it('fits a column to what it shows, by a double click and by its menu', async () => {
    const page = await ResultsPage.of(workbench, 'Every Type');
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 0`);
    const title = page.frame.locator('#title-0');
    const width = async () => (await title.boundingBox())?.width ?? 0;
    const before = await width();
    const handle = await title.locator('.grid-handle').boundingBox();
    const { mouse } = workbench.page;
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
    await workbench.screenshot('odd-cells-dark');
    await waitFor('the long text, whole', async () => {
      await cellAt(1).dblclick({ timeout: 2_000 });
      const whole = page.frame.locator('.cell-pane', { hasText: 'long long' });
      await whole.waitFor({ timeout: 2_000 });
      return ((await whole.textContent({ timeout: 2_000 })) ?? '').length >= oddRow.c1.length;
    });
    await waitFor('the last column', async () => {
      await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 1e6`);
      return (await cellAt(299).count()) === 1 && (await cellAt(299).textContent()) === oddRow.c299;
    });
    const empty = await run('Nothing');
    await empty.frame.getByText('No Rows', { exact: true }).waitFor();
  });

  it('puts values in one by one where a server cannot take them together, and runs again in every way', async () => {
    const page = await run('Asks');
    await page.frame
      .getByRole('textbox', { name: 'City', exact: true })
      .or(page.frame.getByRole('combobox').first())
      .first()
      .fill('Oslo');
    await press('Enter');
    await page.says(/^3 rows/);
    expect(server.count('Report/ReplacePrompt')).toBe(2);
    await expect.poll(() => asked.at(-1)).toMatchObject({ supressprompts: false, cacheok: true });
    await page.button('Run Again').click();
    await waitFor('a second run', async () => asked.length === 2);
    await expect.poll(() => asked.at(-1)).toMatchObject({ supressprompts: false, cacheok: false });
    for (const [choice, sent] of [
      ['Read the Data Anew', { supressprompts: false, cacheok: false }],
      ['Allow the Cache', { supressprompts: false, cacheok: true }],
    ] as const) {
      const before = asked.length;
      await page.says(/^3 rows.*\d/);
      await page.button('Run Options…').click();
      await workbench.quickPickChoose(choice);
      await waitFor(`a run: ${choice}`, async () => asked.length > before);
      await expect.poll(() => asked.at(-1)).toMatchObject(sent);
    }
    await page.says(/^3 rows/);
    await page.button('SQL').click();
    await sql().getByText("'Oslo'").waitFor();
    await workbench.screenshot('sql-beside-dark');
    await page.button('Run Options…').click();
    await workbench.quickPickChoose('With Other Prompt Values…');
    await page.frame.getByRole('combobox').first().fill('Rome');
    await press('Enter');
    // The SQL beside it follows.
    await sql().getByText("'Rome'").waitFor();
    await page.says(/^3 rows/);
    await page.button('Run Options…').click();
    await workbench.quickPickChoose('Without Prompts');
    await waitFor('a run without prompts', async () => asked.at(-1)?.supressprompts === true);
    await page.frame.locator('.chip').getByText('Without Prompts').waitFor();
  });

  it('leaves the focus in a list that was opened before the form came', async () => {
    const page = await run('Asks Late');
    const list = workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
    await until(
      'the palette',
      () => list.isVisible(),
      () => press('F1'),
    );
    await workbench.page.keyboard.type('abc');
    late.resolve();
    const box = page.frame.getByRole('combobox', { name: 'State' });
    await box.waitFor();
    await workbench.page.keyboard.type('def');
    await expect.poll(() => list.inputValue()).toBe('>abcdef');
    // It is gone to once the list has closed.
    await press('Escape');
    await waitFor('the focus in the form', async () => (await page.frame.locator('input:focus').count()) === 1);
  });

  it('says that the server lists no more than 10,000 values, found or not, and takes others', async () => {
    const page = await run('Lists');
    const box = page.frame.getByRole('combobox', { name: 'Place' });
    const says = (words: RegExp) => page.frame.getByText(words).waitFor();
    await box.fill('place 9');
    await page.frame.getByRole('option', { name: /^Place 9\s*p9$/ }).waitFor();
    await says(/lists only the first 10,000 values; others can be typed/);
    await workbench.screenshot('prompts-limit');
    await box.fill('Elsewhere');
    await says(/Not among the first 10,000 values/);
    await waitFor('the typed value to be run with', async () => {
      await box.press('Enter', { timeout: 1_000 }).catch(() => undefined);
      return /^3 rows/.test(await page.footer().catch(() => ''));
    });
    await expect.poll(() => page.frame.locator('.chip').allInnerTexts()).toEqual(['Place = Elsewhere']);
  });

  it('asks for the prompts of the report that a row leads to, and goes back', async () => {
    await workbench.palette('View: Close All Editors');
    const page = await run('Leads On');
    await page.frame.locator('.grid-cell.is-drill .grid-text', { hasText: 'Rome' }).click();
    await heading(page, 'Asks');
    await page.frame.getByRole('combobox').first().fill('Rome');
    await press('Enter');
    await page.says(/^3 rows/);
    await expect
      .poll(() => asked.at(-1))
      .toMatchObject({ IsDrillDown: true, DrillDownCriteria: { id: 2, city: 'Rome', people: 2800 } });
    await expect.poll(() => page.frame.locator('.crumb').allInnerTexts()).toEqual(['Leads On']);
    await workbench.screenshot('drill-prompted-dark');
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
    await press('ArrowRight', 'Enter');
    await heading(page, 'Asks');
    await page.frame.getByRole('combobox').first().fill('Rome');
    await press('Enter');
    await expect.poll(() => asked.at(-1)).toMatchObject({ IsDrillDown: true, DrillDownCriteria: { city: null } });
    await workbench.palette('View: Close Editor');
  });

  it('shows SQL that nobody can lay out as it came', async () => {
    const page = await ResultsPage.of(workbench, 'Leads On');
    await page.button('SQL').click();
    await sql().getByText("SELECT 'open   ended").waitFor();
    // What the server says no more is no SQL of now.
    refusesSql = true;
    await page.button('SQL').click();
    await sql().getByText('No SQL today').waitFor();
    expect(await sql().getByText("SELECT 'open   ended").count()).toBe(0);
    refusesSql = false;
    await page.button('SQL').click();
    await sql().getByText("SELECT 'open   ended").waitFor();
    await workbench.palette('View: Close Editor');
  });

  it('copies a table as it is shown, with titles, and as CSV, JSON, IN list, INSERT and Markdown', async () => {
    const page = await ResultsPage.of(workbench, 'Leads On');
    await page.grid.focus();
    await press('Control+a', 'Control+c');
    await waitFor('the cells', async () => (await clipboard()) === '1\tOslo\t700\n2\tRome\t2800\n3\tLima\t10000');
    await press('Control+Shift+c');
    await waitFor('the titles', async () => (await clipboard()).startsWith('id\tcity\tpeople\n1\tOslo'));
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
      await until(
        `the clipboard to hold ${form}`,
        async () => (await clipboard()) === text,
        async () => {
          if (await workbench.page.locator('.quick-input-widget').isVisible()) await press('Escape');
          await page.grid.focus();
          await press('Control+Alt+c');
          await workbench.quickPickChoose(form);
          // This server does not say which database its reports read.
          if (form === 'IN List') await workbench.quickPickChoose('MySQL, MariaDB');
          if (form === 'INSERT Statements') await workbench.quickPickChoose('PostgreSQL, DuckDB, SQLite, Trino, DB2');
        },
        { tryFor: 5_000, deadline: 60_000 },
      );
    }
  });

  it('compares two runs row by row: what was changed, added and removed', async () => {
    const page = await run('Changes');
    await page.says(/^3 rows/);
    await page.button('Run Again').click();
    await waitFor('the second run', async () => runs === 2);
    await page.frame.locator('.grid-cell', { hasText: 'Bern' }).waitFor();
    await workbench.palette('Analytics: Compare Runs…');
    const offered = workbench.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    await workbench.page.getByPlaceholder('Which run?').fill('Changes');
    await waitFor('both runs to be offered', async () => (await offered.count()) === 2);
    // An Enter that comes before the list takes it is lost; more than one at once would answer the next list, too.
    const enter = () => press('Enter');
    const patience = { tryFor: 5_000 };
    await until('the other run to be offered', async () => (await offered.count()) === 1, enter, patience);
    const keys = workbench.page.locator('.quick-input-widget:visible', { hasText: 'Columns That Tell Rows Apart' });
    await until('the columns to choose from', () => keys.isVisible(), enter, patience);
    await workbench.quickPickTick();
    await workbench.quickInput('Numbers That Count as Equal', '');
    const compared = await ResultsPage.of(workbench, 'Changes: what changed');
    await compared.frame.locator('.grid-cell').first().waitFor();
    await expect
      .poll(async () => (await compared.column('Change')).toSorted())
      .toEqual(['added', 'changed', 'removed']);
    await expect
      .poll(() => compared.frame.locator('.grid-notes').innerText())
      .toMatch(/1 changed, 1 added, 1 removed, 1 equal/);
    for (const theme of ['dark', 'light', 'highContrast'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`comparison-${theme}`);
    }
    await workbench.useTheme('dark');
    const kind = (name: RegExp) =>
      compared.frame.getByRole('group', { name: 'Rows to show' }).getByRole('button', { name });
    const shows = (kinds: string[]) =>
      waitFor(
        `rows ${kinds.join()}`,
        async () => `${(await compared.column('Change')).toSorted().join()}` === kinds.join(),
      );
    await until(
      'the changed row alone',
      async () => (await compared.column('Change')).join() === 'changed',
      () => kind(/^changed/).click({ timeout: 2_000 }),
    );
    await expect.poll(() => compared.column('people')).toEqual(['2800 → 2801']);
    await until(
      'all rows',
      async () => (await compared.column('Change')).length === 3,
      () => kind(/^All/).click({ timeout: 2_000 }),
    );
    await until(
      'the rows by id',
      async () => (await compared.column('id')).join() === '2,3,4',
      () => compared.title('id').click({ timeout: 2_000 }),
    );
    await shows(['added', 'changed', 'removed']);
    const offer = workbench.page.getByPlaceholder('3 rows, as sorted and filtered now');
    await until(
      'the list of formats',
      () => offer.isVisible(),
      () => compared.button('Export').click({ timeout: 2_000 }),
    );
    await press('Escape');
    await offer.waitFor({ state: 'hidden' });
    // Its rows go with the window; the panel says so.
    await workbench.reloadWindow();
    const lost = await workbench.webviewFrame('Changes: what changed');
    await lost.getByText('The rows that were compared were not kept').waitFor();
    await workbench.screenshot('comparison-lost');
  });
});
