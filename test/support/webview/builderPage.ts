import type { Frame } from 'playwright-core';
import { waitFor } from '../waitFor.ts';
import type { Workbench } from '../workbench.ts';

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
    const frame = await waitFor('the builder', async () => {
      for (const candidate of workbench.page.frames()) {
        const builder = candidate.locator('.builder');
        if ((await builder.count()) > 0 && (await builder.isVisible())) return candidate;
      }
      return undefined;
    });
    await frame.getByRole('treeitem').first().waitFor();
    return new BuilderPage(workbench, frame);
  }

  /** Names of the fields, in their order. */
  async fieldNames(): Promise<string[]> {
    const boxes = await this.frame.locator('.field-name').all();
    return Promise.all(boxes.map((box) => box.inputValue()));
  }

  async hasFields(names: readonly string[]): Promise<void> {
    await waitFor(`the fields ${names.join(', ')}`, async () => (await this.fieldNames()).join() === names.join());
  }

  /** Looks a field up and adds it, by keyboard alone. */
  async addField(search: string): Promise<void> {
    const before = (await this.fieldNames()).length;
    const box = this.frame.getByRole('textbox', { name: 'Search fields' });
    await box.fill(search);
    await box.press('Enter');
    await waitFor(`"${search}" to be added`, async () => (await this.fieldNames()).length === before + 1);
    await box.fill('');
  }

  async showTab(name: 'Fields' | 'Criteria' | 'Totals' | 'Options'): Promise<void> {
    await this.frame.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  }

  /** Waits until the SQL as it stands matches. */
  async sqlSays(words: RegExp): Promise<void> {
    await waitFor(`the SQL to say ${words.source}`, async () => {
      const isSettled = (await this.frame.locator('.sql-pane').getAttribute('aria-busy')) === 'false';
      const isValid = (await this.frame.locator('.sql-problem').count()) === 0;
      return isSettled && isValid && words.test((await this.frame.locator('.sql').innerText()).replace(/\s+/g, ' '));
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
