import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { waitFor } from '../waitFor.ts';
import { focusedElement, heardFromNowOn } from '../pages/spoken.ts';
import type { Workbench } from './workbench.ts';

/** What a step has to lead to. */
export interface Expected {
  /** Role and name of the element that has the focus, with its active row or cell behind ` > `. */
  focus: RegExp;
  /** What a page of ours announces, in order and nothing else. */
  page?: readonly RegExp[];
  /** What the editor announces, among what it says of itself. */
  editor?: readonly RegExp[];
}

/** Hears a workbench as a screen reader does: where the focus is, through all frames, and what live regions announce. */
export class ScreenReader {
  readonly #workbench: Workbench;
  #heard: { isOurs: boolean; text: string }[] = [];

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** The element that gets the next key, in the workbench or in the frame that has the focus. */
  async focus(): Promise<string> {
    let frame: Frame = this.#workbench.page.mainFrame();
    for (;;) {
      const active = await frame.evaluateHandle<Element>('document.activeElement');
      const inner = await active.asElement()?.contentFrame();
      if (!inner) return frame.evaluate<string>(focusedElement);
      frame = inner;
    }
  }

  /** Takes a step, and waits until the focus is where it leads and all is announced that it has to tell. */
  async step(act: () => Promise<unknown>, { focus, page = [], editor = [] }: Expected): Promise<void> {
    await this.forget();
    await act();
    let where = '';
    const isReached = async () => {
      where = await this.focus();
      await this.#listen();
      return focus.test(where) && this.#ours.length >= page.length && editor.every((text) => this.#says(text));
    };
    try {
      await waitFor(`the focus on ${focus.source}`, isReached);
    } catch (error) {
      expect.fail(`${String(error)}\nFocus: ${where}\nHeard: ${JSON.stringify(this.#heard)}`);
    }
    expect(this.#ours).toEqual(page.map((text): unknown => expect.stringMatching(text)));
  }

  /** What was announced in the last step, of the editor too. */
  get heard(): string[] {
    return this.#heard.map(({ text }) => text);
  }

  /** Forgets what was announced until now. */
  async forget(): Promise<void> {
    await this.#listen();
    this.#heard = [];
  }

  /** Without the first start of a run, which is over before some pages are there. */
  get #ours(): string[] {
    const texts = this.#heard.filter(({ isOurs }) => isOurs).map(({ text }) => text);
    const start = texts.findIndex((text) => text.endsWith(': Loading report…'));
    return texts.filter((_text, index) => index !== start);
  }

  #says(words: RegExp): boolean {
    return this.#heard.some(({ isOurs, text }) => !isOurs && words.test(text));
  }

  async #listen(): Promise<void> {
    const main = this.#workbench.page.mainFrame();
    for (const frame of this.#workbench.page.frames()) {
      if (frame.isDetached()) continue;
      const texts = await frame.evaluate<string[]>(heardFromNowOn);
      this.#heard.push(...texts.map((text) => ({ isOurs: frame !== main, text })));
    }
  }
}
