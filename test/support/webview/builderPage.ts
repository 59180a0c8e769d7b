import type { Frame, Locator } from 'playwright-core';
import { until } from '../until.ts';
import { waitFor } from '../waitFor.ts';
import type { Workbench } from '../workbench/workbench.ts';

/** The page of a report builder, used the way a person uses it. */
export class BuilderPage {
  readonly workbench: Workbench;
  readonly frame: Frame;

  constructor(workbench: Workbench, frame: Frame) {
    this.workbench = workbench;
    this.frame = frame;
  }

  /** The builder that is in front, once its fields are there. */
  static async inFront(workbench: Workbench): Promise<BuilderPage> {
    // One that is about to go away may be found first.
    return waitFor('the builder', async () => {
      const [frame] = await BuilderPage.allShown(workbench);
      await frame?.getByRole('treeitem').first().waitFor({ timeout: 5_000 });
      return frame && new BuilderPage(workbench, frame);
    });
  }

  /** The pages of all builders on display. */
  static async allShown(workbench: Workbench): Promise<Frame[]> {
    const shown: Frame[] = [];
    for (const candidate of workbench.page.frames()) {
      if (candidate.isDetached()) continue;
      const builder = candidate.locator('.builder');
      if ((await builder.count()) > 0 && (await builder.isVisible())) shown.push(candidate);
    }
    return shown;
  }

  /** Presses a button until its effect shows; the page draws itself anew meanwhile. */
  async press(label: string, effect: Locator): Promise<void> {
    const act = () => this.button(label).click({ timeout: 2_000 });
    // Long enough that no effect comes twice.
    await until(`the effect of "${label}"`, () => effect.first().isVisible(), act, { tryFor: 10_000 });
  }

  /** Saves by the key, with the focus in the page, until the tab shows that nothing is unsaved. */
  async save(file: string): Promise<void> {
    const tab = this.workbench.page.locator('.tabs-container .tab', { hasText: file }).first();
    const isSaved = async () => !((await tab.getAttribute('class', { timeout: 2_000 })) ?? '').includes('dirty');
    await until(
      `${file} to be saved`,
      isSaved,
      async () => {
        await this.frame.getByRole('tab', { selected: true }).focus({ timeout: 2_000 });
        await this.workbench.page.keyboard.press('Control+s');
      },
      { tryFor: 10_000, deadline: 60_000 },
    );
  }

  /**
   * Saves a new report by the key. @returns the builder of the report that came of it, which takes the place of this one: once
   * this one is gone.
   */
  async create(file: string): Promise<BuilderPage> {
    await this.save(file);
    await waitFor('the builder of the new document to go', async () => this.frame.isDetached());
    return BuilderPage.inFront(this.workbench);
  }

  /** Names of the fields, in their order. */
  async fieldNames(): Promise<string[]> {
    const boxes = await this.frame.locator('.field-name').all();
    return Promise.all(boxes.map((box) => box.inputValue({ timeout: 2_000 })));
  }

  async hasFields(names: readonly string[]): Promise<void> {
    await waitFor(`the fields ${names.join(', ')}`, async () => (await this.fieldNames()).join() === names.join());
  }

  /** Looks a field up and adds it, by keyboard alone. */
  async addField(search: string): Promise<void> {
    const before = (await this.fieldNames()).length;
    const box = this.frame.getByRole('textbox', { name: 'Search fields' });
    const isAdded = async () => (await this.fieldNames()).length === before + 1;
    await until(
      `"${search}" to be added`,
      isAdded,
      async () => {
        await box.fill(search, { timeout: 2_000 });
        await box.press('Enter', { timeout: 2_000 });
      },
      { tryFor: 10_000 },
    );
    await box.fill('');
  }

  /** Adds a criterion and chooses its operator. @returns what the row is called. */
  async addCriterion(field: string, operator: string): Promise<string> {
    const rows = this.frame.locator('.criterion');
    const before = await rows.count();
    await this.select('Field of the new criterion').selectOption({ label: field });
    await this.press('Add Criterion', rows.nth(before));
    const own = this.frame.locator(`.criterion[aria-label^="${field}, criterion "]`).last();
    const name = (await own.getAttribute('aria-label')) ?? '';
    await this.select(`Operator of ${name}`).selectOption(operator);
    return name;
  }

  async showTab(name: 'Fields' | 'Criteria' | 'Totals' | 'Options'): Promise<void> {
    const tab = this.frame.getByRole('tab', { name: new RegExp(`^${name}`) });
    const isOpen = async () => (await tab.getAttribute('aria-selected', { timeout: 2_000 })) === 'true';
    await until(`the part "${name}"`, isOpen, () => tab.click({ timeout: 2_000 }));
  }

  /** Waits until the SQL as it stands matches. */
  async sqlSays(words: RegExp): Promise<void> {
    await waitFor(`the SQL to say ${words.source}`, async () => {
      const isSettled =
        (await this.frame.locator('.sql-pane').getAttribute('aria-busy', { timeout: 2_000 })) === 'false';
      const isValid = (await this.frame.locator('.sql-problem').count()) === 0;
      const sql = await this.frame.locator('.sql').innerText({ timeout: 2_000 });
      return isSettled && isValid && words.test(sql.replace(/\s+/g, ' '));
    });
  }

  select(label: string) {
    return this.frame.getByRole('combobox', { name: label, exact: true });
  }

  text(label: string) {
    return this.frame.getByRole('textbox', { name: label, exact: true });
  }

  button(label: string) {
    return this.frame.getByRole('button', { name: label, exact: true });
  }
}
