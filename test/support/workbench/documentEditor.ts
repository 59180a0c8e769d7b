import type { Locator } from 'playwright-core';
import { until } from '../until.ts';
import { waitFor } from '../waitFor.ts';
import type { Workbench } from './workbench.ts';

/** The text editor in front, driven by keyboard as a person does. */
export class DocumentEditor {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  get lines(): Locator {
    return this.#workbench.page.locator('.editor-group-container.active .monaco-editor .view-lines').first();
  }

  /** Text of the lines on display, with plain spaces. */
  async text(): Promise<string> {
    const lines = await this.lines.locator('.view-line').allInnerTexts();
    return lines.join('\n').replaceAll('\u00a0', ' ');
  }

  /** Waits until the lines on display contain a text. */
  async shows(text: string): Promise<void> {
    await waitFor(`the editor to show ${text}`, async () => (await this.text()).includes(text));
  }

  /** Replaces a text that occurs once, or everywhere that it occurs, through the editor's own find and replace. */
  async replace(from: string, to: string, occurrences = 1): Promise<void> {
    const widget = await this.#find('Control+h', from, `of ${occurrences}`);
    const box = widget.getByRole('textbox', { name: 'Replace' });
    await box.fill(to);
    const before = await this.text();
    await waitFor(`${from} to be replaced`, async () => {
      await box.press('Control+Alt+Enter', { timeout: 2_000 });
      // Long enough that nothing is replaced twice.
      return waitFor('the text', async () => (await this.text()) !== before, 10_000);
    });
    await this.#closeFind(widget);
  }

  /** Types over a text that occurs once. Unlike what {@link replace} is given, the editor does not remember it. */
  async typeOver(from: string, to: string): Promise<void> {
    await this.#closeFind(await this.#find('Control+f', from, '1 of 1'));
    await this.#workbench.page.keyboard.type(to);
  }

  /** Opens the editor's search by a key, and waits until it says where it is among the places it found. */
  async #find(key: string, text: string, found: string): Promise<Locator> {
    const widget = this.#workbench.page.locator('.find-widget.visible');
    const box = widget.getByRole('textbox', { name: 'Find' });
    const open = async () => {
      await this.lines.click({ timeout: 2_000 });
      await this.#workbench.page.keyboard.press(key);
    };
    await until('the search', () => widget.isVisible(), open);
    await waitFor(`${text} to be found`, async () => {
      // As it opens, the search takes what the cursor stands on.
      await box.fill(text, { timeout: 2_000 });
      await widget.getByText(new RegExp(`${found}$`)).waitFor({ timeout: 3_000 });
      return (await box.inputValue({ timeout: 2_000 })) === text;
    });
    return widget;
  }

  /** Not by Escape: that takes a message away first. */
  async #closeFind(widget: Locator): Promise<void> {
    const close = widget.getByRole('button', { name: 'Close' });
    await until(
      'the search to close',
      async () => !(await widget.isVisible()),
      () => close.click({ timeout: 2_000 }),
    );
  }

  async save(): Promise<void> {
    await this.lines.click();
    await this.#workbench.page.keyboard.press('Control+s');
  }

  /** Waits until the tab shows whether there is something to save, for `deadline` ms. */
  async isDirty(title: string, isDirty: boolean, deadline?: number): Promise<void> {
    const tab = this.#workbench.page.locator('.tabs-container .tab', { hasText: title }).first();
    const shows = async () => ((await tab.getAttribute('class')) ?? '').split(' ').includes('dirty') === isDirty;
    await waitFor(`${title} to be ${isDirty ? 'unsaved' : 'saved'}`, shows, deadline);
  }
}
