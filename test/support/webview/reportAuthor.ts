import { expect } from 'vitest';
import { waitFor } from '../waitFor.ts';
import type { Workbench } from '../workbench.ts';
import { BuilderPage } from './builderPage.ts';
import { ResultsPage } from './resultsPage.ts';

/** A person who builds a report in the workbench, and runs it. */
export class ReportAuthor {
  readonly workbench: Workbench;
  #builder: BuilderPage | undefined;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
  }

  /** The builder that is in front. */
  get builder(): BuilderPage {
    return this.#builder ?? expect.fail('No builder is open');
  }

  async find(): Promise<BuilderPage> {
    this.#builder = await BuilderPage.inFront(this.workbench);
    return this.#builder;
  }

  /** Answers the steps of the New Report wizard: words of each step's title, and the row to choose. */
  async begin(steps: readonly (readonly [string, string])[], name: string): Promise<BuilderPage> {
    await this.workbench.palette('Analytics: New Report…');
    for (const [title, label] of steps) {
      await this.workbench.page.locator('.quick-input-title', { hasText: title }).waitFor();
      await this.workbench.quickPickChoose(label);
    }
    await this.workbench.quickInput('Name of the report', name);
    return this.find();
  }

  /** Adds a criterion and chooses its operator. @returns what the row is called. */
  async addCriterion(field: string, operator: string): Promise<string> {
    const { builder } = this;
    const rows = builder.frame.locator('.criterion');
    const before = await rows.count();
    await builder.select('Field of the new criterion').selectOption({ label: field });
    await builder.button('Add Criterion').click();
    await waitFor('the new row', async () => (await rows.count()) === before + 1);
    const own = builder.frame.locator(`.criterion[aria-label^="${field}, criterion "]`).last();
    const name = (await own.getAttribute('aria-label')) ?? '';
    await builder.select(`Operator of ${name}`).selectOption(operator);
    return name;
  }

  /**
   * Runs a report after filling in its form.
   * @param server words of its row in the list; empty where there is one server only.
   */
  async run(report: string, server: string, values: Readonly<Record<string, string>>): Promise<ResultsPage> {
    const { page } = this.workbench;
    await this.workbench.palette('Analytics: Run Report');
    const list = page.locator('.quick-input-widget:visible');
    const row = list.locator('.monaco-list-row', { hasText: report }).filter({ hasText: server }).first();
    await list.filter({ hasText: 'Run Report' }).locator('input').first().fill(report);
    // The server's answer draws the list anew, and a click in between is lost.
    await waitFor(`"${report}" to be chosen`, async () => {
      if (await row.isVisible()) await row.click({ timeout: 1_000 });
      return list.isHidden();
    });
    const [first = ''] = Object.keys(values);
    const frame = await waitFor('the prompt form', async () => {
      for (const candidate of page.frames()) {
        const box = candidate.getByLabel(first);
        if ((await box.count()) > 0 && (await box.isVisible())) return candidate;
      }
      return undefined;
    });
    for (const [label, value] of Object.entries(values)) await frame.getByLabel(label).fill(value);
    await frame.getByRole('button', { name: 'Run', exact: true }).click();
    const results = new ResultsPage(frame);
    await results.isDone();
    return results;
  }
}

/** Waits until the columns of a result show these rows, cells side by side. */
export async function showsRows(
  page: ResultsPage,
  titles: readonly string[],
  wanted: readonly (readonly string[])[],
): Promise<void> {
  let shown: string[][] = [];
  const rows = wanted.map((row) => row.join(' | ')).join('\n');
  try {
    await waitFor(`${wanted.length} rows`, async () => {
      const columns = await Promise.all(titles.map((title) => page.column(title)));
      shown = (columns[0] ?? []).map((_, at) => columns.map((column) => (column[at] ?? '').replaceAll(',', '')));
      return shown.map((row) => row.join(' | ')).join('\n') === rows;
    });
  } catch (error) {
    expect(shown, String(error)).toEqual(wanted);
  }
}
