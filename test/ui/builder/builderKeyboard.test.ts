import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { Keys } from '../../support/workbench/keys.ts';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';
import { BuilderPage } from '../../support/webview/builderPage.ts';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

/** Presses of Tab that reach any control of the page. */
const mostTabs = 90;

describe('a report built by keyboard alone', () => {
  let workbench: Workbench;
  let builder: BuilderPage;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1500, height: 900 } });
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
  });
  afterAll(() => workbench.stop());

  const key = (name: string) => workbench.page.keyboard.press(name);
  const type = (text: string) => workbench.page.keyboard.type(text, { delay: 20 });

  /** Chooses from a list by what is typed. */
  async function answer(title: string, text: string): Promise<void> {
    await new Keys(workbench).choose(title, text, text.slice(0, 5));
  }

  /** What a screen reader says of the control that has the focus. */
  function focused(): Promise<string> {
    return builder.frame.evaluate<string>(
      `(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return '';
        const labels = element.labels ? [...element.labels].map((label) => label.textContent.trim()) : [];
        return element.getAttribute('aria-label') || labels[0] || element.textContent.trim();
      })()`,
    );
  }

  /** Walks to a control that is called so, forwards. */
  async function walkTo(name: string | RegExp): Promise<void> {
    const seen: string[] = [];
    for (let step = 0; step < mostTabs; step++) {
      const now = await focused();
      if (typeof name === 'string' ? now === name : name.test(now)) return;
      seen.push(now);
      await key('Tab');
      // At its end the page hands the focus to the workbench; going back to the builder begins at its start.
      if (await workbench.page.evaluate<boolean>(`document.activeElement?.tagName !== 'IFRAME'`)) await enterBuilder();
    }
    expect.fail(`Tab never reached ${String(name)}, only ${[...new Set(seen)].join(' · ')}`);
  }

  /** Runs a command by keys alone until its effect shows: a key that comes while a page loads goes nowhere. */
  async function command(title: string, effect: () => Promise<boolean>): Promise<void> {
    const list = workbench.page.locator('.quick-input-widget:visible');
    await until(
      `the effect of ${title}`,
      effect,
      async () => {
        await key('F1');
        await list.waitFor({ timeout: 2_000 });
        await type(title);
        await list.locator('.monaco-list-row', { hasText: title }).first().waitFor({ timeout: 3_000 });
        await key('Enter');
      },
      { tryFor: 5_000, deadline: 60_000 },
    );
  }

  async function enterBuilder(): Promise<void> {
    await command('View: Focus Active Editor Group', () =>
      workbench.page.evaluate<boolean>(`document.activeElement?.tagName === 'IFRAME'`),
    );
  }

  it('gets fields, an aggregate, a place, a formula and a sort', async () => {
    const first = workbench.page.locator('.quick-input-title', { hasText: 'report type' });
    await command('Analytics: New Report', () => first.isVisible());
    await answer('report type', 'Flights');
    await answer('folder', 'Flights');
    await answer('output type', 'DataGrid');
    await workbench.page.locator('.quick-input-widget:visible', { hasText: 'Name of the report' }).waitFor();
    await key('Control+a');
    await type('By keys');
    await key('Enter');
    builder = await BuilderPage.inFront(workbench);
    await walkTo('Search fields');
    for (const field of ['distance', 'origin state']) {
      const before = (await builder.fieldNames()).length;
      await key('Shift+Home');
      await type(field);
      await key('Enter');
      await waitFor(`${field} to be added`, async () => (await builder.fieldNames()).length === before + 1);
    }
    await walkTo('Use of Distance');
    await type('Av');
    await builder.sqlSays(/avg\("flights"\."distance"\)/);
    await walkTo('Name of field 2');
    await key('Alt+ArrowUp');
    await builder.hasFields(['Origin State', 'Distance']);
    await walkTo('Sort Origin State: not sorted');
    await key('Enter');
    await walkTo('Formula of Distance');
    await key('Enter');
    await key('Tab');
    await walkTo('Formula of Distance');
    await type('roun');
    await builder.frame.getByRole('option', { name: /^ROUND/ }).waitFor();
    await key('Enter');
    await builder.sqlSays(/round\("flights"\."distance", 2\).* ORDER BY/);
  });

  it('gets nested criteria with values of the database, and a total', async () => {
    await walkTo(/^Fields/);
    await key('ArrowRight');
    await expect.poll(() => focused()).toMatch(/^Criteria/);
    for (const number of [1, 2]) {
      await walkTo('Field of the new criterion');
      await type('Origin');
      await walkTo('Add Criterion');
      await key('Enter');
      // Who adds a row goes on in it.
      await waitFor('the focus', async () => (await focused()) === `Operator of Origin State, criterion ${number}`);
    }
    await walkTo('Operator of Origin State, criterion 1');
    await type('is one of');
    await walkTo('Origin State, criterion 1: Add a value');
    await type('C');
    await builder.frame.getByRole('option', { name: 'CA', exact: true }).waitFor();
    await type('A');
    await key('Enter');
    await walkTo('Group in parentheses with adjacent conditions: Origin State, criterion 1');
    await key('Space');
    await walkTo('Before Origin State, criterion 2');
    await type('or');
    await walkTo('Value of Origin State, criterion 2');
    await type('TX');
    await builder.sqlSays(/IN \('CA'\).* OR .*= 'TX'|'CA'.* OR .*'TX'/i);
    await workbench.screenshot('builder-keyboard-light');
    await walkTo(/^Criteria/);
    await key('ArrowRight');
    await walkTo('Add Total');
    await key('Enter');
    await waitFor('the focus', async () => (await focused()) === 'Function of Total 1');
    await type('Max');
    await walkTo('Field of Total 1');
    await type('Dist');
    await workbench.screenshot('builder-totals-light');
  });

  it('is saved and run', async () => {
    await key('Control+s');
    await new DocumentEditor(workbench).isDirty('By keys.report.json', false);
    // The report has an id now: its builder opens in the place of the unsaved one, and takes the focus.
    await workbench.page.locator('.breadcrumb-item, .monaco-breadcrumb-item', { hasText: /^\d+$/ }).first().waitFor();
    builder = await BuilderPage.inFront(workbench);
    // A page that is there only now takes the focus from a list that is open.
    const title = new Keys(workbench).quickInput().filter({ hasText: 'Run Report' });
    await until(
      'the focus in the list of reports',
      async () => (await title.locator('.quick-input-box input:focus').count()) > 0,
      () => workbench.palette('Analytics: Run Report'),
      { tryFor: 5_000 },
    );
    await answer('Run Report', 'By keys');
    const results = await ResultsPage.of(workbench, 'By keys');
    await results.isDone();
    await expect.poll(() => results.column('Origin State')).toEqual(['CA', 'TX']);
  });
});
