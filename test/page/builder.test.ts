import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuilderHost, type ShownBuilder } from '../support/pages/builderHost.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { documents } from '../support/vscode/documents.ts';
import { ran } from '../support/vscode/index.ts';
import { waitFor } from '../support/waitFor.ts';

const report = 'Delays by State';

describe('the report builder', () => {
  let server: TestServer;
  let host: BuilderHost;
  let builder: ShownBuilder;
  beforeAll(async () => {
    server = await startServer({ sample: true });
    host = await BuilderHost.start(server, { size: { width: 1150, height: 800 } });
    builder = await host.open(report);
  });
  afterAll(async () => {
    await host.stop();
    await server.stop();
  });

  const press = (key: string) => builder.page.keyboard.press(key);
  const isUnsaved = () => documents.active()?.isDirty;

  const names = (miles: string) => [
    'Origin State',
    'Flights',
    'Average Delay',
    'On-Time Share',
    miles,
    'Longest Delay',
  ];

  it('shows the fields of a report and its SQL', async () => {
    await builder.hasFields(['Origin State', 'Flights', 'Average Delay', 'On-Time Share', 'Longest Delay']);
    await builder.sqlSays(/GROUP BY "flights"\."origin_state"/);
    expect(isUnsaved()).toBe(false);
  });

  it('adds, renames and moves a field by keyboard, and the SQL follows', async () => {
    await builder.addField('distance');
    await builder.text('Name of field 6').fill('Miles');
    await builder.select('Use of Miles').selectOption('AVG');
    await builder.sqlSays(/avg\("flights"\."distance"\) AS "Distance"/);
    await builder.text('Name of field 6').press('Alt+ArrowUp');
    await builder.hasFields(['Origin State', 'Flights', 'Average Delay', 'On-Time Share', 'Miles', 'Longest Delay']);
    await expect.poll(() => builder.focused()).toBe('Name of field 5');
    expect(isUnsaved()).toBe(true);
  });

  it('offers functions in formulas and marks the field that the server refuses', async () => {
    const formula = builder.text('Formula of Miles');
    await builder.press('Formula of Miles', formula);
    await formula.pressSequentially('roun');
    await builder.frame.getByRole('option', { name: /^ROUND/ }).waitFor();
    await formula.press('Enter');
    await expect.poll(() => formula.inputValue()).toBe('ROUND(flights.distance, 2)');
    await builder.sqlSays(/round\("flights"\."distance", 2\)/);
    await formula.fill('ROUND(');
    await builder.frame.locator('.field.has-problem', { hasText: 'Miles' }).waitFor();
    await builder.frame.locator('.sql-problem').getByRole('button', { name: 'Retry' }).waitFor();
    await formula.fill('ROUND(?, 1)');
    await builder.sqlSays(/round\("flights"\."distance", 1\)/);
  });

  it('lets a name be taken away before another is typed', async () => {
    const name = builder.text('Name of field 2');
    await name.fill('');
    await builder.frame.getByRole('combobox', { name: 'Use of Flight Date', exact: true }).waitFor();
    expect([await name.inputValue(), await name.getAttribute('placeholder')]).toEqual(['', 'Flight Date']);
    await name.pressSequentially('Flown');
    await builder.hasFields(['Origin State', 'Flown', 'Average Delay', 'On-Time Share', 'Miles', 'Longest Delay']);
    await name.fill('Flights');
    await builder.hasFields(names('Miles'));
  });

  it('builds criteria with values of the database', async () => {
    await builder.showTab('Criteria');
    const row = await builder.addCriterion('Origin State', 'in');
    const box = builder.frame.getByRole('combobox', { name: `${row}: Add a value` });
    for (const state of ['CA', 'TX']) {
      await box.fill(state);
      await builder.frame.getByRole('option', { name: state, exact: true }).first().click();
    }
    await builder.sqlSays(/IN \('CA', 'TX'\)/i);
    await builder.select(`Before ${row}`).selectOption('OR');
    await builder.sqlSays(/IS NOT NULL OR/);
  });

  it('undoes what was typed as a whole, and does it again', async () => {
    await builder.showTab('Fields');
    const name = builder.text('Name of field 5');
    await name.press('End');
    await name.pressSequentially(' flown', { delay: 30 });
    await builder.hasFields(names('Miles flown'));
    await press('Control+z');
    await builder.hasFields(names('Miles'));
    await press('Control+Shift+z');
    await builder.hasFields(names('Miles flown'));
    await press('Control+z');
    await builder.hasFields(names('Miles'));
    await expect.poll(() => builder.focused()).toBe('Name of field 5');
    await builder.showTab('Criteria');
  });

  it('is the document: undo and save are those of the text', async () => {
    await builder.frame.getByRole('tab', { name: /^Criteria/ }).focus();
    await press('Control+z');
    await builder.sqlSays(/IS NOT NULL AND/);
    await builder.button('Open as JSON').click();
    await expect.poll(() => ran.at(-1)).toEqual(['analytics.report.openJson', documents.active()?.uri]);
    await host.save(builder);
    const client = await host.connection.client();
    const [found] = await client.call('library/SearchReports', { searchstring: report });
    const { Report } = await client.call('Report/GetReportMetadataById', { ReportID: String(found?.id) });
    expect(Report?.FieldList?.map(({ DisplayFieldName }) => DisplayFieldName)).toEqual(names('Miles'));
    expect(Report?.FieldList?.[0]?.Criteria?.at(-1)).toMatchObject({ Op: 'in' });
  });

  it('chooses for an output type what it draws, by the order of the fields', async () => {
    await builder.showTab('Options');
    await builder.select('Output type').selectOption({ label: 'Pie chart' });
    const settings = builder.frame.getByRole('group', { name: 'Settings of the output type' });
    const value = settings.getByRole('combobox', { name: 'First value' });
    const chosen = value.locator('option:checked');
    await waitFor('the value drawn', async () => (await chosen.innerText({ timeout: 2_000 })) === 'Flights');
    await value.selectOption({ label: 'Average Delay' });
    await builder.select('Output type').selectOption({ label: 'DataGrid' });
    await settings.waitFor({ state: 'hidden' });
    await builder.showTab('Fields');
    await builder.hasFields(['Origin State', 'Average Delay', 'Flights', 'On-Time Share', 'Miles', 'Longest Delay']);
  });

  it('takes fields by dragging, and relative dates from the list of values', async () => {
    const rows = builder.frame.locator('.fields > li');
    const label = builder.frame.locator('.tree-label', { hasText: /^Flight Date$/ });
    const item = builder.frame.locator('.tree-row').filter({ has: label });
    const others = ['Origin State', 'Average Delay', 'Flights', 'On-Time Share', 'Miles', 'Longest Delay'];
    const above = { targetPosition: { x: 80, y: 4 } };
    await item.dragTo(rows.nth(1), above);
    await builder.hasFields(['Origin State', 'Flight Date', ...others.slice(1)]);
    await rows.nth(1).locator('.grip').dragTo(rows.nth(0), above);
    await builder.hasFields(['Flight Date', ...others]);
    await builder.showTab('Criteria');
    const row = await builder.addCriterion('Flight Date', '>=');
    const value = builder.frame.getByRole('combobox', { name: `Value of ${row}`, exact: true });
    await value.fill('last mon');
    await builder.frame
      .getByRole('option', { name: /^Last Month/ })
      .first()
      .click();
    await expect.poll(() => value.inputValue()).toBe('[Last Month]');
    await builder.sqlSays(/"flight_date" >= /);
    await builder.showTab('Fields');
    await builder.button('Remove Flight Date').click();
    await builder.hasFields(others);
  });

  it('is open in two builders side by side, which stay in step', async () => {
    const one = builder;
    const other = await host.beside();
    await waitFor('the fields of both', async () => (await other.fieldNames()).length === 6);
    const name = one.text('Name of field 5');
    await name.press('End');
    await name.pressSequentially(' flown', { delay: 30 });
    await waitFor('the other to follow', async () => (await other.fieldNames())[4] === 'Miles flown');
    // What was typed in one is undone as a whole in the other.
    await other.text('Name of field 1').click();
    await other.page.keyboard.press('Control+z');
    await one.hasFields(['Origin State', 'Average Delay', 'Flights', 'On-Time Share', 'Miles', 'Longest Delay']);
    await other.hasFields(await one.fieldNames());
    other.panel.dispose();
  });
});
