import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuilderHost, type ShownBuilder } from '../support/pages/builderHost.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { documents } from '../support/vscode/documents.ts';
import { ran } from '../support/vscode/index.ts';
import { waitFor } from '../support/waitFor.ts';

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

describe('criteria, edits and previews in the report builder', () => {
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
    for (const [wanted, sql] of sqlOf) {
      for (let at = offered.indexOf(await operator.inputValue()); offered[at] !== wanted;) {
        const step = at < offered.indexOf(wanted) ? 1 : -1;
        await operator.press(step > 0 ? 'ArrowDown' : 'ArrowUp');
        at += step;
        await expect.poll(() => operator.inputValue()).toBe(offered[at]);
      }
      await builder.sqlSays(sql);
    }
    await operator.selectOption('<=');
    const placeOf = (place: number) => builder.select(`Operator of Origin State, criterion ${place}`);
    await builder.button(`Move ${row} up`).focus();
    // The focus goes with the row, whose button is pressed again.
    for (let place = Number(/\d+$/.exec(row)?.[0]) - 1; place > 0; place--) {
      await press('Enter');
      await expect.poll(() => placeOf(place).inputValue()).toBe('<=');
    }
    const rows = builder.frame.locator('.criterion');
    const before = await rows.count();
    await builder.button('Remove Origin State, criterion 1').click();
    await expect.poll(() => rows.count()).toBe(before - 1);
    await expect.poll(() => builder.focused()).toMatch(/^Remove .*criterion 1$/);
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
    await builder.text('Name of field 2').fill('Trips');
    await builder.hasFields(['Origin State', 'Trips', 'Average Delay', 'On-Time Share', 'Longest Delay']);
    await builder.button('Preview').click();
    const rows = await host.result();
    expect(rows.panel.title).toBe(`${report} (preview)`);
    await rows.frame.getByRole('gridcell', { name: /^CA\b/ }).first().waitFor();
    await rows.frame.getByRole('columnheader', { name: /Trips/ }).first().waitFor();
  });

  it('says of a text that is no report that alone, and goes on once it is one again', async () => {
    const first = await host.open('Routes');
    const document = documents.active();
    if (!document) expect.fail('no document');
    documents.type(document, '"Reportname"', 'Reportname"');
    first.panel.dispose();
    const { frame } = await host.beside();
    await frame.locator('.banner').waitFor();
    expect([await frame.locator('.builder > *').count(), await frame.locator('.pane-note').count()]).toEqual([2, 0]);
    await frame.locator('.banner').getByRole('button', { name: 'Open as JSON' }).click();
    await expect.poll(() => ran.at(-1)).toEqual(['analytics.report.openJson', document.uri]);
    documents.type(document, 'Reportname"', '"Reportname"');
    await frame.locator('h1', { hasText: 'Routes' }).waitFor();
    await frame.getByRole('treeitem').first().waitFor();
    await expect.poll(() => frame.locator('.banner').count()).toBe(0);
  });
});
