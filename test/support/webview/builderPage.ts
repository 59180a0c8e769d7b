import type { Frame, Locator } from 'playwright-core';
import { waitFor } from '../waitFor.ts';

/** The page of a report builder, used the way a person uses it: what is pressed is pressed once. */
export class BuilderPage {
  readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  /** Presses a button and waits for its effect. */
  async press(label: string, effect: Locator): Promise<void> {
    await this.button(label).click();
    await effect.first().waitFor();
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
    await box.fill(search);
    await box.press('Enter');
    await waitFor(`"${search}" to be added`, async () => (await this.fieldNames()).length === before + 1);
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
    await tab.click();
    await waitFor(`the part "${name}"`, async () => (await tab.getAttribute('aria-selected')) === 'true');
  }

  /** Waits until the SQL as it is now matches. */
  async sqlSays(words: RegExp): Promise<void> {
    await waitFor(`the SQL to say ${words.source}`, async () => {
      const isSettled =
        (await this.frame.locator('.sql-pane').getAttribute('aria-busy', { timeout: 2_000 })) === 'false';
      const isValid = (await this.frame.locator('.sql-problem').count()) === 0;
      const sql = await this.frame.locator('.sql').innerText({ timeout: 2_000 });
      return isSettled && isValid && words.test(sql.replace(/\s+/g, ' '));
    });
  }

  /** What a screen reader calls the control that has the focus; empty for none. */
  focused(): Promise<string> {
    return this.frame.evaluate<string>(
      `(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return '';
        const labels = element.labels ? [...element.labels].map((label) => label.textContent.trim()) : [];
        return element.getAttribute('aria-label') || labels[0] || element.textContent.trim();
      })()`,
    );
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
