import path from 'node:path';
import type { Page } from 'playwright-core';
import type * as vscode from 'vscode';
import { readHostMessages, readPageMessage } from '../../../src/contract/pages/channel.ts';
import { connectPage, type PagePort } from './pagePort.ts';
import type { PageServer } from './pageServer.ts';

/** A panel of the editor whose webview is a page of a plain browser. */
export class WebviewPanelStub {
  title: string;
  iconPath: unknown;
  isDisposed = false;
  /** Whether it has the focus, as a panel that was just opened has. */
  active = true;
  readonly webview;
  readonly #server: PageServer;
  readonly #disposals = new Set<() => unknown>();
  readonly #receivers = new Set<(message: unknown) => unknown>();
  /** Sent before the page was loaded. */
  readonly #early: unknown[] = [];
  /** Requests of the page that have no answer yet. */
  readonly #unanswered = new Set<number>();
  #html = '';
  #port: PagePort | undefined;
  #page: Page | undefined;

  constructor(server: PageServer, title: string) {
    this.#server = server;
    this.title = title;
    const { origin } = server;
    const receivers = this.#receivers;
    const post = (message: unknown) => this.#post(message);
    const setHtml = (html: string) => (this.#html = html);
    this.webview = {
      options: {},
      cspSource: origin,
      asWebviewUri: ({ fsPath }: { fsPath: string }) => `${origin}/${path.basename(fsPath)}`,
      onDidReceiveMessage: (receive: (message: unknown) => unknown) => {
        receivers.add(receive);
        return { dispose: () => receivers.delete(receive) };
      },
      postMessage: post,
      set html(html: string) {
        setHtml(html);
      },
    };
  }

  /** As the extension sees it. */
  get asPanel(): vscode.WebviewPanel {
    return this as unknown as vscode.WebviewPanel;
  }

  /** Whether the page has the answers to all its requests. */
  get isAnswered(): boolean {
    return this.#unanswered.size === 0;
  }

  readonly onDidDispose = (listener: () => unknown) => {
    this.#disposals.add(listener);
    return { dispose: () => this.#disposals.delete(listener) };
  };

  reveal(): void {
    // There is only this one.
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    for (const listener of this.#disposals) listener();
  }

  /** Loads the panel's document into `page`. */
  async load(page: Page): Promise<void> {
    this.#page = page;
    const receive = (message: unknown) => {
      const request = readPageMessage(message);
      if (request) this.#unanswered.add(request.id);
      this.#receivers.forEach((each) => each(message));
    };
    const port = await connectPage(page, receive);
    await page.goto(this.#server.add(this.#html));
    // What is sent while the page loads would reach the empty one before it.
    for (let message = this.#early.shift(); message !== undefined; message = this.#early.shift())
      await port.send(message);
    this.#port = port;
  }

  async #post(message: unknown): Promise<boolean> {
    if (this.isDisposed) return false;
    if (this.#port === undefined) this.#early.push(message);
    else await this.#port.send(message).catch((error: unknown) => this.#lost(error));
    for (const sent of readHostMessages(message)) if (sent.kind === 'answer') this.#unanswered.delete(sent.id);
    return true;
  }

  /** A message that was on its way when the panel or its page went, or loaded again, is lost, as in the editor. */
  #lost(error: unknown): void {
    const isGone = this.isDisposed || this.#page?.isClosed();
    if (!isGone && !String(error).includes('Execution context was destroyed')) throw error;
  }
}
