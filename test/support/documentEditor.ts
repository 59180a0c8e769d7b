import type { Locator } from 'playwright-core';
import { waitFor } from './waitFor.ts';
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
    const { keyboard } = this.#workbench.page;
    await this.lines.click();
    await keyboard.press('Control+h');
    const widget = this.#workbench.page.locator('.find-widget.visible');
    await widget.getByRole('textbox', { name: 'Find' }).fill(from);
    await widget.getByRole('textbox', { name: 'Replace' }).fill(to);
    await widget.getByText(new RegExp(`of ${occurrences}$`)).waitFor();
    await keyboard.press('Control+Alt+Enter');
    // Not by Escape: that takes a message away first.
    await widget.getByRole('button', { name: 'Close' }).click();
    await widget.waitFor({ state: 'hidden' });
  }

  /** Types over a text that occurs once. Unlike what {@link replace} is given, the editor does not remember it. */
  async typeOver(from: string, to: string): Promise<void> {
    const { keyboard } = this.#workbench.page;
    await this.lines.click();
    await keyboard.press('Control+f');
    const widget = this.#workbench.page.locator('.find-widget.visible');
    await widget.getByRole('textbox', { name: 'Find' }).fill(from);
    await widget.getByText(/^1 of 1$/).waitFor();
    await widget.getByRole('button', { name: 'Close' }).click();
    await widget.waitFor({ state: 'hidden' });
    await keyboard.type(to);
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
