import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';
import { BuilderPage } from '../../support/webview/builderPage.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

const report = 'Delays by State';

/** What the server makes of each operator that compares a state with CA, or with CA and TX. */
const sqlOf = new Map([
  ['=', /"origin_state" = 'CA'/],
  ['<>', /"origin_state" <> 'CA'/],
  ['between', /"origin_state" >= 'CA' AND \S+ <= 'TX'/],
  ['not between', /"origin_state" < 'CA' OR \S+ > 'TX'/],
  ['in', /"origin_state" (= 'CA'|IN \('CA'\))/],
  ['not in', /"origin_state" (<> 'CA'|NOT IN \('CA'\))/],
  ['<', /"origin_state" < 'CA'/],
  ['<=', /"origin_state" <= 'CA'/],
  ['>', /"origin_state" > 'CA'/],
  ['>=', /"origin_state" >= 'CA'/],
  ['contains', /regexp_full_match\(\S*"origin_state", '\.\*CA\.\*', 's'\)/],
  ['not contains', /NOT regexp_full_match\(\S*"origin_state", '\.\*CA\.\*', 's'\)/],
  ['starts with', /regexp_full_match\(\S*"origin_state", 'CA\.\*', 's'\)/],
  ['ends with', /regexp_full_match\(\S*"origin_state", '\.\*CA', 's'\)/],
  ['like', /regexp_full_match\(\S*"origin_state", 'CA', 's'\)/],
  ['not like', /NOT regexp_full_match\(\S*"origin_state", 'CA', 's'\)/],
  ['is null', /"origin_state" IS NULL/],
  ['is not null', /"origin_state" IS NOT NULL/],
]);

describe('the report builder on the local server', () => {
  let workbench: Workbench;
  let builder: BuilderPage;
  let editor: DocumentEditor;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({
      theme: 'light',
      env,
      size: { width: 1500, height: 900 },
    });
    editor = new DocumentEditor(workbench);
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.expand('Flights');
  });
  afterAll(() => workbench.stop());

  it('opens a report from the tree, with its fields and its SQL', async () => {
    await workbench.treeAction(report, 'Open in Report Builder');
    builder = await BuilderPage.inFront(workbench);
    await builder.hasFields(['Origin State', 'Flights', 'Average Delay', 'On-Time Share', 'Longest Delay']);
    await builder.sqlSays(/GROUP BY "flights"\."origin_state"/);
    await workbench.screenshot('builder-light');
    await editor.isDirty(`${report}.report.json`, false);
  });

  it('adds, renames and moves a field by keyboard, and the SQL follows', async () => {
    await builder.addField('distance');
    await builder.text('Name of field 6').fill('Miles');
    await builder.select('Use of Miles').selectOption('AVG');
    await builder.sqlSays(/avg\("flights"\."distance"\) AS "Distance"/);
    await builder.text('Name of field 6').press('Alt+ArrowUp');
    await builder.hasFields(['Origin State', 'Flights', 'Average Delay', 'On-Time Share', 'Miles', 'Longest Delay']);
    await expect.poll(() => builder.frame.locator(':focus').getAttribute('aria-label')).toBe('Name of field 5');
    await editor.isDirty(`${report}.report.json`, true);
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
    await workbench.screenshot('builder-problem-light');
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
    await workbench.screenshot('builder-criteria-light');
  });

  it('undoes what was typed as a whole, and does it again', async () => {
    await builder.showTab('Fields');
    const name = builder.text('Name of field 5');
    await name.press('End');
    await name.pressSequentially(' flown', { delay: 30 });
    await builder.hasFields(names('Miles flown'));
    await workbench.page.keyboard.press('Control+z');
    await builder.hasFields(names('Miles'));
    await workbench.page.keyboard.press('Control+Shift+z');
    await builder.hasFields(names('Miles flown'));
    await workbench.page.keyboard.press('Control+z');
    await builder.hasFields(names('Miles'));
    await expect.poll(() => builder.frame.locator(':focus').getAttribute('aria-label')).toBe('Name of field 5');
    await builder.showTab('Criteria');
  });

  it('is the document: undo, JSON and save are those of the text', async () => {
    await builder.frame.getByRole('tab', { name: /^Criteria/ }).focus();
    await workbench.page.keyboard.press('Control+z');
    await builder.sqlSays(/IS NOT NULL AND/);
    await builder.button('Open as JSON').click();
    await editor.shows('"Reportname": "Delays by State"');
    await workbench.palette('Analytics: Open in Report Builder');
    builder = await BuilderPage.inFront(workbench);
    await builder.sqlSays(/IN \('CA', 'TX'\)/i);
    await builder.save(`${report}.report.json`);
  });

  it('saves as another report, and leaves the first as it is', async () => {
    await builder.frame.getByRole('tab', { name: /^Criteria/ }).focus();
    await workbench.palette('Analytics: Save Report As…');
    await workbench.page.locator('.quick-input-title', { hasText: 'Select a folder on' }).waitFor();
    await workbench.quickPickChoose('Bird Strikes');
    await workbench.quickInput('Name of the new report', 'Delays, copied');
    await workbench.treeItem('Delays, copied').waitFor();
    await editor.isDirty('Delays, copied.report.json', false);
    const copied = workbench.page.locator('.tab', { hasText: 'Delays, copied' });
    const isClosed = async () => (await copied.count()) === 0;
    await until('the copy to be closed', isClosed, () => workbench.palette('View: Close Editor'), { tryFor: 5_000 });
    builder = await BuilderPage.inFront(workbench);
    await builder.sqlSays(/IN \('CA', 'TX'\)/i);
  });

  function names(miles: string): string[] {
    return ['Origin State', 'Flights', 'Average Delay', 'On-Time Share', miles, 'Longest Delay'];
  }

  it('chooses for an output type what it draws, by the order of the fields', async () => {
    await builder.showTab('Options');
    await builder.select('Output type').selectOption({ label: 'Pie chart' });
    const settings = builder.frame.getByRole('group', { name: 'Settings of the output type' });
    const value = settings.getByRole('combobox', { name: 'First value' });
    const chosen = value.locator('option:checked');
    await waitFor('the value drawn', async () => (await chosen.innerText({ timeout: 2_000 })) === 'Flights');
    await value.selectOption({ label: 'Average Delay' });
    for (const theme of ['dark', 'highContrast', 'light'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`builder-output-${theme}`);
    }
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
    const isAt = async (place: number) => (await builder.fieldNames())[place] === 'Flight Date';
    const above = { timeout: 5_000, targetPosition: { x: 80, y: 4 } };
    await until(
      'the field to be dropped',
      () => isAt(1),
      () => item.dragTo(rows.nth(1), above),
      { tryFor: 5_000 },
    );
    const grip = rows.nth(1).locator('.grip');
    await until(
      'the field to be moved',
      () => isAt(0),
      () => grip.dragTo(rows.nth(0), above),
      { tryFor: 5_000 },
    );
    await builder.hasFields(['Flight Date', ...others]);
    await builder.showTab('Criteria');
    const row = await builder.addCriterion('Flight Date', '>=');
    const value = builder.frame.getByRole('combobox', { name: `Value of ${row}`, exact: true });
    const month = builder.frame.getByRole('option', { name: /^Last Month/ });
    await until(
      'the relative date',
      async () => (await value.inputValue()) === '[Last Month]',
      async () => {
        await value.fill('last mon', { timeout: 2_000 });
        await month.first().waitFor({ timeout: 5_000 });
        await workbench.screenshot('builder-relative-light');
        await month.first().click({ timeout: 2_000 });
      },
    );
    await builder.sqlSays(/"flight_date" >= /);
    await builder.showTab('Fields');
    const isGone = async () => (await builder.fieldNames()).join() === others.join();
    const remove = builder.button('Remove Flight Date');
    await until('the field to be removed', isGone, () => remove.click({ timeout: 2_000 }), { tryFor: 10_000 });
  });

  it('is open in two builders side by side, which stay in step', async () => {
    await workbench.palette('View: Split Editor Right');
    const frames = await waitFor('two builders', async () => {
      const found = await BuilderPage.allShown(workbench);
      return found.length === 2 && found;
    });
    const [one, other] = frames.map((frame) => new BuilderPage(workbench, frame));
    if (!one || !other) expect.fail('no builders');
    await waitFor('the fields of both', async () => {
      return (await one.fieldNames()).length === 6 && (await other.fieldNames()).length === 6;
    });
    const name = one.text('Name of field 5');
    await name.press('End');
    await name.pressSequentially(' flown', { delay: 30 });
    await waitFor('the other to follow', async () => (await other.fieldNames())[4] === 'Miles flown');
    await workbench.screenshot('builder-twice-light');
    // What was typed in one is undone as a whole in the other.
    await other.text('Name of field 1').click();
    await workbench.page.keyboard.press('Control+z');
    // Letter by letter, which takes its time on a busy machine.
    const isBack = async () => (await one.fieldNames())[4] === 'Miles' && (await other.fieldNames())[4] === 'Miles';
    await waitFor('both to go back', isBack, 60_000);
    await workbench.palette('View: Close Editor');
    await waitFor('one builder to be left', async () => (await BuilderPage.allShown(workbench)).length === 1);
    builder = await BuilderPage.inFront(workbench);
  });

  it('compares by each operator, chosen by the arrow keys; rows move by a key, and leave the focus where they were', async () => {
    await builder.showTab('Criteria');
    const row = await builder.addCriterion('Origin State', 'between');
    await builder.frame.getByRole('combobox', { name: `From: ${row}`, exact: true }).fill('CA');
    await builder.frame.getByRole('combobox', { name: `To: ${row}`, exact: true }).fill('TX');
    const operator = builder.select(`Operator of ${row}`);
    const options = await operator.locator('option').all();
    const offered = await Promise.all(
      options.map(async (option) => (await option.getAttribute('value')) ?? (await option.innerText())),
    );
    expect(offered.toSorted()).toEqual([...sqlOf.keys()].toSorted());
    const current = () => operator.inputValue({ timeout: 2_000 });
    for (const [wanted, sql] of sqlOf) {
      const choose = async () => {
        const isAbove = offered.indexOf(await current()) < offered.indexOf(wanted);
        await operator.press(isAbove ? 'ArrowDown' : 'ArrowUp', { timeout: 2_000 });
      };
      await until(`the operator ${wanted}`, async () => (await current()) === wanted, choose, { tryFor: 1_000 });
      await builder.sqlSays(sql);
    }
    await operator.selectOption('<=');
    await builder.button(`Move ${row} up`).focus();
    const isFirst = async () => (await builder.select('Operator of Origin State, criterion 1').inputValue()) === '<=';
    // The focus goes with the row, whose button is pressed again.
    await until('the row to be first', isFirst, () => workbench.page.keyboard.press('Enter'), { tryFor: 3_000 });
    const rows = builder.frame.locator('.criterion');
    const before = await rows.count();
    const remove = builder.button('Remove Origin State, criterion 1');
    const isGone = async () => (await rows.count()) === before - 1;
    await until('the row to go', isGone, () => remove.click({ timeout: 2_000 }), { tryFor: 10_000 });
    const focused = async () => builder.frame.locator(':focus').getAttribute('aria-label', { timeout: 2_000 });
    await waitFor('the focus', async () => /^Remove .*criterion 1$/.test((await focused()) ?? ''));
    await builder.showTab('Fields');
  });

  it('asks for no value where a criterion compares with none', async () => {
    await builder.showTab('Criteria');
    const row = await builder.addCriterion('Origin State', '=');
    const asks = builder.frame.getByRole('listitem', { name: row, exact: true }).getByLabel('Prompt when run');
    await asks.check();
    await builder.sqlSays(/"origin_state" = \{\?Origin State\}/);
    await builder.select(`Operator of ${row}`).selectOption('is null');
    await builder.sqlSays(/"origin_state" IS NULL/);
    expect([await asks.isChecked(), await asks.isDisabled()]).toEqual([false, true]);
    // Back among the operators that take a value it asks again; what was never asked is not.
    await builder.select(`Operator of ${row}`).selectOption('is not null');
    await builder.sqlSays(/"origin_state" IS NOT NULL/);
    await builder.select(`Operator of ${row}`).selectOption('>');
    await builder.sqlSays(/"origin_state" > \{\?Origin State\}/);
    await asks.uncheck();
    await builder.sqlSays(/^(?!.*\{\?Origin State\})/);
    await builder.select(`Operator of ${row}`).selectOption('is null');
    await builder.sqlSays(/"origin_state" IS NULL/);
    await builder.select(`Operator of ${row}`).selectOption('=');
    await waitFor('it to be able to ask', () => asks.isEnabled());
    expect(await asks.isChecked()).toBe(false);
    await builder.button(`Remove ${row}`).click();
    await builder.sqlSays(/^(?!.*(IS NULL|"origin_state" =))/);
    await builder.showTab('Fields');
  });

  it('makes both of two edits in one moment, the second of which builds on the first', async () => {
    const { frame } = builder;
    const inOneMoment = (...steps: [selector: string, chosen?: string][]) =>
      frame.evaluate((all) => {
        const found = all.map(([selector]) => document.querySelector<HTMLElement>(selector));
        for (const [order, element] of found.entries()) {
          const chosen = all[order]?.[1];
          if (element instanceof HTMLSelectElement && chosen !== undefined) {
            element.value = chosen;
            element.dispatchEvent(new Event('change', { bubbles: true }));
          } else element?.click();
        }
      }, steps);
    const names = await builder.fieldNames();
    const last = `.field:nth-child(${names.length})`;
    const before = `.field:nth-child(${names.length - 1})`;
    const sort = frame.locator(`${last} .sort`);
    await inOneMoment([`${last} .sort`], [`${last} .sort`]);
    await waitFor('a sort down', async () => / (descending)/i.test((await sort.getAttribute('aria-label')) ?? ''));
    await builder.sqlSays(/ORDER BY .*DESC/);
    await inOneMoment([`${last} .sort`], [`${before} [aria-label^="Hide"]`], [`${before} [aria-label^="Hide"]`]);
    await builder.sqlSays(/^(?!.*ORDER BY .*DESC)/);
    await frame.locator(`${before} [aria-label^="Hide"]`).waitFor();
    await builder.showTab('Criteria');
    const row = await builder.addCriterion('Origin State', '=');
    const own = `.criterion[aria-label="${row}"]`;
    const [operator, prompt] = [`${own} > .select`, `${own} .criterion-flags input`];
    await inOneMoment([operator, '>'], [prompt]);
    await builder.sqlSays(/"origin_state" > \{\?Origin State\}/);
    // Unticked and led past an operator without values, it stays unticked.
    await inOneMoment([prompt], [operator, 'is null'], [operator, '<']);
    const asks = frame.getByRole('listitem', { name: row, exact: true }).getByLabel('Prompt when run');
    await builder.sqlSays(/^(?!.*(\{\?Origin State\}|IS NULL))/);
    expect([await asks.isChecked(), await builder.select(`Operator of ${row}`).inputValue()]).toEqual([false, '<']);
    await builder.button(`Remove ${row}`).click();
    await builder.showTab('Fields');
  });

  it('previews what is not saved', async () => {
    await builder.button('Preview').click();
    const rows = await workbench.webviewFrame(`${report} (preview)`);
    await rows.getByRole('gridcell', { name: 'CA', exact: true }).first().waitFor();
    await rows.getByRole('columnheader', { name: /Miles/ }).first().waitFor();
    await workbench.screenshot('builder-preview-light');
  });

  it('says of a text that is no report that alone, and goes on once it is one again', async () => {
    await workbench.treeAction('Routes', 'Edit as JSON');
    await editor.shows('"Reportname": "Routes"');
    await editor.replace('"Reportname"', 'Reportname"');
    await workbench.palette('Analytics: Open in Report Builder');
    // The other builder is still in front beside the rows.
    const shownWith = (part: string, text = '') =>
      waitFor(`the builder with ${part} ${text}`, async () => {
        for (const frame of await BuilderPage.allShown(workbench)) {
          if ((await frame.locator(part, { hasText: text }).count()) > 0) return frame;
        }
        return undefined;
      });
    const page = await shownWith('.banner');
    expect([await page.locator('.builder > *').count(), await page.getByRole('status').count()]).toEqual([2, 0]);
    await workbench.screenshot('builder-unreadable-light');
    await page.getByRole('alert').getByRole('button', { name: 'Open as JSON' }).click();
    await editor.replace('Reportname"', '"Reportname"');
    await workbench.palette('Analytics: Open in Report Builder');
    await (await shownWith('h1', 'Routes')).getByRole('treeitem').first().waitFor();
  });
});
