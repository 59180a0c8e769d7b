import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../until.ts';
import { waitFor } from '../waitFor.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { WorkbenchBuilder } from '../workbench/workbenchBuilder.ts';
import { ResultsPage } from './resultsPage.ts';

/** A person who builds a report in the workbench, and runs it. */
export class ReportAuthor {
  readonly workbench: Workbench;
  #builder: WorkbenchBuilder | undefined;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
  }

  /** The builder that is in front. */
  get builder(): WorkbenchBuilder {
    return this.#builder ?? expect.fail('No builder is open');
  }

  async find(): Promise<WorkbenchBuilder> {
    this.#builder = await WorkbenchBuilder.inFront(this.workbench);
    return this.#builder;
  }

  /** Answers the steps of the New Report wizard: words of each step's title, and the row to choose. */
  async begin(steps: readonly (readonly [string, string])[], name: string): Promise<WorkbenchBuilder> {
    await this.workbench.palette('Analytics: New Report…');
    for (const [title, label] of steps) {
      await this.workbench.page.locator('.quick-input-title', { hasText: title }).waitFor();
      await this.workbench.quickPickChoose(label);
    }
    await this.workbench.quickInput('Name of the report', name);
    return this.find();
  }

  /** Links a report for drill-down and hands it a field. */
  async linkReport(target: string, field: string, receives: string): Promise<void> {
    const { builder, workbench } = this;
    const link = builder.frame.getByRole('listitem', { name: target, exact: true });
    const isLinked = async () => (await link.count()) > 0;
    const list = workbench.page.locator('.quick-input-widget:visible');
    await until(
      `the link to "${target}"`,
      isLinked,
      async () => {
        if (!(await list.isVisible())) await builder.button('Link a Report').click({ timeout: 2_000 });
        await list.waitFor({ timeout: 5_000 });
        await workbench.quickPickChoose(target);
      },
      { tryFor: 10_000, deadline: 60_000 },
    );
    await builder.press(`Pass a Field to ${target}`, builder.select(`Field passed to ${target}`));
    await builder.select(`Field passed to ${target}`).selectOption({ label: field });
    await builder.frame.getByRole('combobox', { name: `Field of ${target} that receives the value` }).fill(receives);
  }

  /**
   * Runs a report after filling in its form. Every step is done again until its effect shows: what is open loads, takes the
   * focus and draws itself anew meanwhile.
   * @param server words of its row in the list; empty where there is one server only.
   */
  async run(report: string, server: string, values: Readonly<Record<string, string>>): Promise<ResultsPage> {
    const [first = ''] = Object.keys(values);
    const isAsked = async () => (await this.#form(first)) !== undefined;
    await until(`the form of "${report}"`, isAsked, () => this.#choose(report, server), {
      tryFor: 15_000,
      deadline: 90_000,
    });
    let frame = await waitFor('the form', () => this.#form(first));
    await waitFor(`"${report}" to run`, async () => {
      const form = await this.#form(first);
      if (form === undefined) return !frame.isDetached();
      frame = form;
      for (const [label, value] of Object.entries(values)) {
        await form.getByLabel(label).fill(value, { timeout: 2_000 });
      }
      await form.getByRole('button', { name: 'Run', exact: true }).click({ timeout: 2_000 });
      await form.getByLabel(first).waitFor({ state: 'hidden', timeout: 3_000 });
      return true;
    });
    const results = new ResultsPage(frame);
    await results.isDone(60_000);
    return results;
  }

  /** Chooses a report in the list of all reports. */
  async #choose(report: string, server: string): Promise<void> {
    const title = this.workbench.page.locator('.quick-input-title', { hasText: /^Run Report$/ });
    const list = this.workbench.page.locator('.quick-input-widget:visible').filter({ has: title });
    const row = list.locator('.monaco-list-row', { hasText: report }).filter({ hasText: server }).first();
    if (!(await list.isVisible())) {
      await this.workbench.palette('Analytics: Run Report');
      await list.waitFor({ timeout: 3_000 });
    }
    await list.locator('input').first().fill(report, { timeout: 2_000 });
    // The server's answer draws the list anew, and a click in between is lost.
    const isTaken = async () => !(await list.isVisible());
    await until(`"${report}" to be chosen`, isTaken, () => row.click({ timeout: 2_000 }), { deadline: 20_000 });
  }

  /** The page whose form asks for a value. */
  async #form(label: string): Promise<Frame | undefined> {
    for (const frame of this.workbench.page.frames()) {
      if (frame.isDetached()) continue;
      const box = frame.getByLabel(label);
      if ((await box.count()) > 0 && (await box.first().isVisible())) return frame;
    }
    return undefined;
  }
}
