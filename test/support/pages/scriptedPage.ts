import type { Page } from 'playwright-core';
import {
  readPageMessage,
  type AnswerOf,
  type EventName,
  type HostMessage,
  type PageContract,
  type ParamsOf,
  type RequestName,
} from '../../../src/contract/pages/channel.ts';
import { pageHtml } from '../../../src/editor/pages/pageHtml.ts';
import { PageLink } from '../../../src/editor/pages/pageLink.ts';
import type { PageHost } from './pageHost.ts';

/** What a host answers to the requests of a page; null to the others. A promise that stays open keeps the page waiting. */
export type PageAnswers<C extends PageContract> = {
  [N in RequestName<C>]?: (params: ParamsOf<C, N>) => AnswerOf<C, N> | Promise<AnswerOf<C, N>>;
};

/** A built page in plain Chromium, whose host is a script: any state of it can be shown at once. */
export class ScriptedPage<C extends PageContract> {
  readonly page: Page;
  readonly #link: PageLink<C>;
  #answers: PageAnswers<C>;

  private constructor(page: Page, link: PageLink<C>, answers: PageAnswers<C>) {
    this.page = page;
    this.#link = link;
    this.#answers = answers;
  }

  /** @param bundle name of the page's bundle. */
  static async open<C extends PageContract>(host: PageHost, bundle: string): Promise<ScriptedPage<C>> {
    const panel = host.newPanel();
    const { webview } = panel;
    const address = (name: string) => webview.asWebviewUri({ fsPath: name });
    webview.html = pageHtml(
      { source: webview.cspSource, script: address(`${bundle}.js`), style: address(`${bundle}.css`) },
      bundle,
    );
    let answer: (message: unknown) => Promise<HostMessage | undefined> = () => new Promise(() => undefined);
    const link = new PageLink<C>(webview, (message) => answer(message));
    const { page } = await host.show(panel);
    // What fades shows its last colour at once.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const scripted = new ScriptedPage<C>(page, link, {});
    answer = (message) => scripted.#answer(message);
    return scripted;
  }

  /** Loads the page again, with a host that gives these answers. */
  async show(answers: PageAnswers<C>): Promise<void> {
    this.#answers = answers;
    await this.page.reload();
    await this.page.locator('#page > *').first().waitFor();
  }

  tell<N extends EventName<C>>(name: N, value: C['events'][N]): void {
    this.#link.tell(name, value);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async #answer(message: unknown): Promise<HostMessage | undefined> {
    const request = readPageMessage(message);
    if (request === undefined) return undefined;
    const { id, name, params } = request;
    const answers: Readonly<Record<string, ((params: never) => unknown) | undefined>> = this.#answers;
    try {
      return { kind: 'answer', id, ok: true, value: (await answers[name]?.(params as never)) ?? null };
    } catch (error) {
      return { kind: 'answer', id, ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** A state of a page: what its host answers, and what is done until it is reached. */
export interface PageState<C extends PageContract> {
  answers: PageAnswers<C>;
  /** Ends when the state is on the screen. */
  reach?: (scripted: ScriptedPage<C>) => Promise<void>;
}

/** States of a page by name. */
export type PageStates<C extends PageContract> = Readonly<Record<string, PageState<C>>>;
