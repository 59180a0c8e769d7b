import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuilderHost, type ShownBuilder } from '../support/pages/builderHost.ts';
import { focused, spoken } from '../support/pages/spoken.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { dismiss, person } from '../support/vscode/person.ts';

describe('focus and announcements of the builder', () => {
  let server: TestServer;
  let host: BuilderHost;
  let builder: ShownBuilder;
  beforeAll(async () => {
    server = await startServer({ sample: true });
    host = await BuilderHost.start(server);
    builder = await host.begin(host.connection, [
      ['report type', 'Flights'],
      ['folder', 'Flights'],
      ['output type', 'DataGrid'],
      ['name', 'By ear'],
    ]);
  });
  afterAll(async () => {
    await host.stop();
    await server.stop();
  });

  const key = (name: string) => builder.page.keyboard.press(name);
  const hasFocus = (name: RegExp) => expect.poll(() => focused(builder.page)).toMatch(name);
  /** What is announced next, once all of it is. */
  const says = async (...texts: string[]) => {
    const heard: string[] = [];
    await expect.poll(async () => heard.push(...(await spoken(builder.page)))).toBeGreaterThanOrEqual(texts.length);
    expect(heard).toEqual(texts);
  };

  it('start at the search for fields, and say what is added', async () => {
    await hasFocus(/^input Search fields$/);
    for (const [text, name] of [
      ['distance', 'Distance'],
      ['origin state', 'Origin State'],
      ['arrival delay', 'Arrival Delay'],
    ] as const) {
      await builder.text('Search fields').fill(text);
      await expect.poll(async () => (await spoken(builder.page)).at(-1)).toMatch(/^\d+ fields? found$/);
      await key('Enter');
      await says(`${name} added`);
      await hasFocus(/^input Search fields$/);
    }
  });

  it('say how many fields match once, not for each letter', async () => {
    const box = builder.text('Search fields');
    await box.fill('');
    await spoken(builder.page);
    await box.pressSequentially('zzz', { delay: 50 });
    await says('No field matches "z".');
    await box.fill('');
    await box.fill('distance');
    await says('1 field found');
    await box.fill('');
  });

  it('stay with a field that is moved, and go to the next one when it is removed', async () => {
    await builder.text('Name of field 1').focus();
    await key('Alt+ArrowDown');
    await says('Distance moved to position 2 of 3');
    await hasFocus(/^input Name of field 2$/);
    await key('Alt+ArrowUp');
    await says('Distance moved to position 1 of 3');
    await builder.button('Remove Distance').focus();
    await key('Enter');
    await says('Distance removed');
    await hasFocus(/^button Remove Origin State$/);
    await key('Control+z');
    await says('Distance added');
    await hasFocus(/^button Remove Origin State$/);
  });

  it('say the order of sorted fields, which formulas are in use, and which criteria are of hidden fields', async () => {
    await builder.button('Sort Origin State: not sorted').focus();
    await key('Enter');
    await says('Sort Origin State: ascending');
    await builder.button('Sort Distance: not sorted').focus();
    await key('Enter');
    await says('Sort Distance: ascending');
    await builder.button('Sort Origin State: ascending, Sort level 1').waitFor();
    await builder.button('Sort Distance: ascending, Sort level 2').waitFor();
    await builder.press('Formula of Distance', builder.text('Formula of Distance'));
    await builder.text('Formula of Distance').fill('ROUND(?, 1)');
    await builder.button('Formula of Distance, in use').waitFor();
    await builder.button('Hide Distance: filter and sort only').click();
    await builder.button('Show Distance').waitFor();
    await builder.showTab('Criteria');
    const row = await builder.addCriterion('Distance', '=');
    const field = builder.frame.getByRole('listitem', { name: row }).locator('.criterion-field');
    await expect.poll(() => field.innerText()).toMatch(/^Distance\s*hidden$/);
    for (let undone = 0; undone < 6; undone++) await key('Control+z');
    await builder.showTab('Fields');
    await builder.button('Sort Distance: not sorted').waitFor();
    await spoken(builder.page);
  });

  it('go through the parts of the report with Home and End, too', async () => {
    await builder.frame.getByRole('tab', { selected: true }).focus();
    for (const [pressed, tab] of [
      ['End', 'Options'],
      ['ArrowRight', 'Fields'],
      ['ArrowLeft', 'Options'],
      ['Home', 'Fields'],
    ] as const) {
      await key(pressed);
      await hasFocus(new RegExp(`^tab ${tab}`));
    }
  });

  it('say once why the server refuses a value, which names the reason', async () => {
    await builder.showTab('Criteria');
    await builder.select('Field of the new criterion').selectOption({ label: 'Distance' });
    await builder.button('Add Criterion').focus();
    await key('Enter');
    await hasFocus(/^select Operator of Distance, criterion 1$/);
    await builder.select('Operator of Distance, criterion 1').selectOption('=');
    await spoken(builder.page);
    const value = builder.frame.getByRole('combobox', { name: 'Value of Distance, criterion 1' });
    await value.fill('far');
    const problem = builder.frame.locator('.row-problem');
    await problem.waitFor();
    const reason = (await problem.innerText()).trim();
    await expect.poll(() => value.getAttribute('aria-invalid')).toBe('true');
    await expect
      .poll(() => value.evaluate((box) => box.getAttribute('aria-describedby')?.split(' ')[0]))
      .toBe(await problem.getAttribute('id'));
    const heard = await spoken(builder.page);
    expect(heard.filter((text) => text === reason)).toHaveLength(1);
    // The same reason for the next letter is no news.
    await value.fill('farther');
    await expect.poll(() => builder.frame.locator('.sql-pane').getAttribute('aria-busy')).toBe('false');
    expect((await spoken(builder.page)).filter((text) => text === reason)).toEqual([]);
    await value.fill('100');
    await expect.poll(() => value.getAttribute('aria-invalid')).toBe('false');
    await builder.button('Remove Distance, criterion 1').focus();
    await key('Enter');
    await hasFocus(/^button Add Criterion$/);
  });

  it('return to the button of a list that is left', async () => {
    await builder.showTab('Options');
    await builder.button('Link a Report').focus();
    const asked = person.texts('list').length;
    person.answers('Select a report on', dismiss);
    await key('Enter');
    await expect.poll(() => person.texts('list').length).toBe(asked + 1);
    await hasFocus(/^button Link a Report$/);
  });

  it('say which field is passed to a linked report, and that it no longer is', async () => {
    await spoken(builder.page);
    person.answers('Select a report on', 'Delays by State');
    await builder.button('Link a Report').click();
    await says('Delays by State added');
    await builder.button('Pass a Field to Delays by State').focus();
    await key('Enter');
    await says('Field passed to Delays by State added');
    const passed = builder.frame.getByRole('group', { name: 'Passed field 1' });
    await passed.getByRole('button', { name: 'Stop passing' }).focus();
    await key('Enter');
    await says('Field passed to Delays by State removed');
    await builder.button('Remove the link to Delays by State').click();
    await says('Delays by State removed');
    await builder.button('Link a Report').focus();
  });

  it('lead to the JSON while the text is no report, and back to the fields', async () => {
    await key('F1');
    await builder.frame.getByRole('dialog', { name: 'Keys in the Report Builder' }).waitFor();
    await key('Escape');
    await hasFocus(/^button Link a Report$/);
    const regions = builder.frame.locator('[role="status"], [role="alert"], [role="log"], [aria-live]');
    expect(await regions.count()).toBe(1);
  });
});
