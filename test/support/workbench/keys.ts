import type { Frame, Locator } from 'playwright-core';
import { until } from '../until.ts';
import { waitFor } from '../waitFor.ts';
import type { Workbench } from './workbench.ts';

/** Keys that lead from control to control. */
export type TabKey = 'Tab' | 'Shift+Tab' | 'ArrowRight' | 'ArrowLeft';

/** Presses of Tab that reach any control of a page. */
const mostTabs = 60;

/** A workbench without a mouse: every step is a key. */
export class Keys {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Presses keys, one after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#workbench.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#workbench.page.keyboard.type(text);
  }

  /** The list or the box of the editor that is open. */
  quickInput(): Locator {
    return this.#workbench.page.locator('.quick-input-widget:visible');
  }

  /** The row that has the focus, in the tree or the view that has it. */
  focused(): Locator {
    return this.#workbench.page.locator('.monaco-list.element-focused:focus .monaco-list-row.focused').first();
  }

  /** Runs a command from the palette. */
  async command(title: string): Promise<void> {
    await waitFor(`the command ${title}`, async () => {
      await this.press('Escape', 'Control+Shift+P');
      // A page that loads just then swallows keys.
      await this.quickInput().waitFor({ timeout: 3_000 });
      await this.type(title);
      await this.quickInput()
        .locator('.monaco-list-row.focused', { hasText: title })
        .first()
        .waitFor({ timeout: 3_000 });
      return true;
    });
    await this.press('Enter');
  }

  /** Waits for a step that says `prompt`: the palette, which may still be there, begins with a sign of its own. */
  async step(prompt: string): Promise<void> {
    await waitFor(`the step "${prompt}"`, async () => {
      const box = this.quickInput().locator('.quick-input-box input:focus');
      if ((await box.count()) === 0 || (await box.inputValue()).startsWith('>')) return false;
      const words = [await this.quickInput().innerText(), (await box.getAttribute('placeholder')) ?? ''];
      return words.some((shown) => shown.includes(prompt));
    });
  }

  /** Waits for a step, types, and goes on. */
  async enter(prompt: string, text: string): Promise<void> {
    await this.step(prompt);
    await this.press('Control+a');
    await this.type(text);
    await this.press('Enter');
  }

  /** Waits for a step, types, and takes the row that is found. */
  async choose(prompt: string, text: string, found = text): Promise<void> {
    await this.step(prompt);
    const box = this.quickInput().locator('.quick-input-box input');
    // A list that comes while somebody types begins with an empty box.
    await until(
      `"${text}" to be typed`,
      async () => (await box.inputValue({ timeout: 1_000 })) === text,
      async () => {
        await this.press('Control+a');
        await this.type(text);
      },
      { tryFor: 1_000 },
    );
    await this.quickInput().locator('.monaco-list-row.focused', { hasText: found }).first().waitFor();
    const isTaken = async () => !(await box.isVisible()) || (await box.inputValue({ timeout: 1_000 })) !== text;
    await until(`"${found}" to be taken`, isTaken, () => this.press('Enter'), { tryFor: 5_000 });
  }

  /** Moves down the servers' tree to a row, and from its end to its top. */
  async goDownTo(label: string): Promise<void> {
    await this.#workbench.treeItem(label).first().waitFor();
    const passed: (string | null)[] = [];
    await waitFor(`the focus on ${label}`, async () => {
      const name = (await this.focused().locator('.label-name').first().innerText({ timeout: 1_000 })).trim();
      if (name === label) return true;
      // The end is where keys lead no further.
      passed.unshift(await this.focused().getAttribute('id', { timeout: 1_000 }));
      await this.press(passed.slice(0, 3).every((id) => id === passed[0]) && passed.length > 2 ? 'Home' : 'ArrowDown');
      return false;
    });
  }

  /** Unfolds a row of the servers' tree. */
  async unfold(label: string): Promise<void> {
    await this.goDownTo(label);
    const isUnfolded = async () => (await this.focused().getAttribute('aria-expanded', { timeout: 1_000 })) === 'true';
    // A key on a row that is drawn just then is lost.
    await until(`${label} to unfold`, isUnfolded, () => this.press('ArrowRight'), { tryFor: 5_000 });
  }

  /** Brings the focus to the first row of a view, and waits until a screen reader says what `words` match of it. */
  async firstRowOf(view: string, words: RegExp): Promise<void> {
    const list = this.#workbench.page
      .getByRole('tree', { name: view, exact: true })
      .and(this.#workbench.page.locator(':focus'));
    const isFocused = async () => (await list.count()) > 0;
    await until(`the focus in ${view}`, isFocused, () => this.command(`Analytics: Focus on ${view} View`));
    await waitFor(`the row ${words.source} of ${view}`, async () => {
      await this.press('Home');
      return words.test((await this.focused().getAttribute('aria-label', { timeout: 1_000 })) ?? '');
    });
  }

  /** Opens the row that has the focus. On a busy machine the palette that is still closing can take the first key. */
  async open(shown: Locator): Promise<void> {
    await until(
      'the row to open',
      () => shown.isVisible(),
      () => this.press('Enter'),
      { tryFor: 5_000 },
    );
  }

  /** Takes an entry of the menu of the row that has the focus. */
  async menu(action: string): Promise<void> {
    const { page } = this.#workbench;
    const entry = page.getByRole('menuitem', { name: action });
    const shows = () => entry.isVisible();
    await until(`the menu with ${action}`, shows, () => this.press('Shift+F10'), { tryFor: 5_000 });
    const isReached = async () => (await entry.and(page.locator(':focus')).count()) > 0;
    await until(`the focus on ${action}`, isReached, () => this.press('ArrowDown'), { tryFor: 300 });
    await this.press('Enter');
    await entry.waitFor({ state: 'hidden' });
  }

  /** Presses a button of a page or a dialog: the tabulator goes there. */
  async pressButton(button: Locator, within: Frame | Workbench['page'] = this.#workbench.page): Promise<void> {
    await button.waitFor();
    const isReached = async () => (await button.and(within.locator(':focus')).count()) > 0;
    await until('the focus on the button', isReached, () => this.press('Tab'), { tryFor: 300 });
    await this.press('Enter');
  }

  /** Goes on with a key until the focus is on what is called so; `focus` tells its role and name. */
  async goTo(name: RegExp, focus: () => Promise<string>, key: TabKey): Promise<void> {
    const passed: string[] = [];
    for (let step = 0; step < mostTabs; step++) {
      const now = await focus();
      if (name.test(now)) return;
      passed.push(now);
      await this.press(key);
    }
    throw new Error(`${key} never reached ${name.source}, only ${passed.join(' · ')}`);
  }

  /** Chooses a file in the editor's own dialog, which writes its folder over what is typed too early. */
  async takeFile(prompt: string, file: string): Promise<void> {
    const box = this.quickInput().locator('.quick-input-box input:focus');
    await this.quickInput().getByText(prompt).first().waitFor();
    await waitFor(`the dialog to take ${file}`, async () => {
      if (!(await this.quickInput().isVisible())) return true;
      if ((await box.inputValue({ timeout: 1_000 })) === file) {
        await this.press('Enter');
        await this.quickInput().waitFor({ state: 'hidden', timeout: 2_000 });
      } else {
        await this.press('Control+a');
        await this.type(file);
      }
      return false;
    });
  }
}
