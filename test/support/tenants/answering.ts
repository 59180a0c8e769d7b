import type { Locator } from 'playwright-core';
import { waitFor } from '../waitFor.ts';
import type { Workbench } from '../workbench/workbench.ts';
import type { Answers } from './tenantPerson.ts';

/** What the workbench asks or tells at one moment. */
interface Look {
  readonly dialog: { text: string; buttons: string[]; primary: string } | null;
  readonly quick: {
    words: string;
    text: string;
    rows: string[];
    takesMany: boolean;
    isList: boolean;
    isBusy: boolean;
  } | null;
  /** Notifications and messages of the status bar. */
  readonly told: string[];
}

/** Answers the questions of the workbench as they come: dialogs, lists, boxes and dialogs for files. */
export class Answering {
  /** Everything that was asked and told since {@link begin}. */
  readonly shown: string[] = [];
  /** Questions since {@link begin}. */
  questions = 0;
  readonly #workbench: Workbench;
  readonly #file: string;
  #name = '';
  #picks: (string | readonly string[])[] = [];
  #types: string[] = [];

  /** @param file path for every dialog that asks for a file. */
  constructor(workbench: Workbench, file: string) {
    this.#workbench = workbench;
    this.#file = file;
  }

  /** @param name begin of the names of pictures. */
  begin(name: string, { picks = [], types = [] }: Answers): void {
    this.shown.length = 0;
    this.questions = 0;
    this.#name = name;
    this.#picks = [...picks];
    this.#types = [...types];
  }

  /** Answers what is not asked for in vain. */
  get left(): readonly unknown[] {
    return [...this.#picks, ...this.#types];
  }

  /** Answers until `isOver` says so and nothing is asked any more. @throws {Error} at a question without an answer. */
  async until(isOver: () => boolean, deadline: number): Promise<void> {
    let last = '';
    await waitFor(
      'the step to end',
      async () => {
        const look = await this.#look();
        for (const text of look.told) this.#note(text);
        const asked = JSON.stringify([look.dialog, look.quick]);
        if (!look.dialog && !look.quick) return isOver();
        // A question that is still being drawn, or reads its rows, is looked at again.
        if (asked === last && look.quick?.isBusy !== true) await this.#answer(look);
        last = asked;
        return false;
      },
      deadline,
    );
  }

  async picture(): Promise<void> {
    this.questions++;
    await this.#workbench.screenshot(`${this.#name}-${this.questions}`);
  }

  #note(text: string): void {
    if (!this.shown.includes(text)) this.shown.push(text);
  }

  async #answer({ dialog, quick }: Look): Promise<void> {
    await this.picture();
    if (dialog) return this.#press(dialog);
    if (!quick) return;
    this.#note(quick.words);
    if (quick.text.startsWith('/')) return this.#workbench.chooseFile('', this.#file);
    if (!quick.isList) return this.#type(quick.words);
    const at = this.#picks.findIndex((labels) => [labels].flat().every((label) => quick.rows.includes(label)));
    const [pick] = this.#picks.splice(at === -1 ? 0 : at, 1);
    if (pick === undefined) throw new Error(`No answer to "${quick.words}": ${quick.rows.join(', ')}`);
    if (typeof pick === 'string') await this.#workbench.quickPickChoose(pick);
    else await this.#tick(pick);
  }

  async #press({ text, buttons, primary }: NonNullable<Look['dialog']>): Promise<void> {
    this.#note(text);
    const at = this.#picks.findIndex((label) => typeof label === 'string' && buttons.includes(label));
    const [pick = primary] = at === -1 ? [] : this.#picks.splice(at, 1);
    const box = this.#workbench.page.locator('.monaco-dialog-box').first();
    await waitFor(`"${String(pick)}" to be taken`, async () => {
      if ((await this.#look()).dialog?.text !== text) return true;
      await box.getByRole('button', { name: String(pick), exact: true }).click({ timeout: 2_000 });
      return waitFor('the question to go', async () => (await this.#look()).dialog?.text !== text, 3_000);
    });
  }

  async #type(words: string): Promise<void> {
    const text = this.#types.shift();
    if (text === undefined) throw new Error(`Nothing to type for "${words}"`);
    const box = this.#box();
    await box.fill(text);
    await box.press('Enter');
    await waitFor(`"${words}" to take what was typed`, async () => (await this.#look()).quick?.words !== words);
  }

  /** Ticks exactly these rows, and accepts. */
  async #tick(labels: readonly string[]): Promise<void> {
    const rows = this.#workbench.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    for (const row of await rows.all()) {
      const label = (await row.locator('.label-name').first().innerText()).trim();
      const box = row.getByRole('checkbox');
      if ((await box.count()) > 0 && (await box.isChecked()) && !labels.includes(label)) await box.click();
    }
    await this.#workbench.quickPickTick(...labels);
  }

  #box(): Locator {
    return this.#workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
  }

  #look(): Promise<Look> {
    return this.#workbench.page.evaluate<Look>(`(${lookAround.toString()})()`);
  }
}

/** In the page: what is asked and told now. The palette, and the box for a line to go to, are no questions. */
function lookAround(): Look {
  const textOf = (element: Element | null) => (element instanceof HTMLElement ? element.innerText.trim() : '');
  const visible = (selector: string, within: ParentNode = document) =>
    [...within.querySelectorAll<HTMLElement>(selector)].filter((element) => element.getClientRects().length > 0);
  const [box] = visible('.monaco-dialog-box');
  const buttons = box ? visible('.monaco-button', box) : [];
  const dialog = box && {
    text: textOf(box.querySelector('.dialog-message-container')),
    buttons: buttons.map(textOf),
    primary: textOf(buttons.find((button) => !button.classList.contains('secondary')) ?? null),
  };
  const [widget] = visible('.quick-input-widget');
  const input = widget?.querySelector<HTMLInputElement>('.quick-input-box input');
  const text = input?.value ?? '';
  const rows = widget ? visible('.quick-input-list .monaco-list-row', widget) : [];
  const words = ['.quick-input-title', '.quick-input-message', '.quick-input-description'].flatMap((part) =>
    widget ? visible(part, widget).map(textOf) : [],
  );
  const quick = widget &&
    !/^[>:]/.test(text) && {
      words: [...words, input?.placeholder ?? '', ...rows.map(textOf)].join('\n'),
      text,
      rows: rows.map((row) => textOf(row.querySelector('.label-name'))),
      takesMany: visible('.quick-input-list .monaco-checkbox', widget).length > 0,
      isList: visible('.quick-input-list', widget).length > 0,
      isBusy: visible('.monaco-progress-container.active', widget).length > 0,
    };
  const told = [...visible('.notification-toast'), ...visible('.statusbar-item.left')].map(textOf);
  return { dialog: dialog || null, quick: quick || null, told: told.filter((each) => each !== '') };
}
