import type { EventName, HostMessage, PageContract } from '../../contract/pages/channel.ts';

/** The part of a webview that a {@link PageLink} uses. */
export interface PagePort {
  readonly onDidReceiveMessage: (listener: (message: unknown) => unknown) => { dispose(): void };
  postMessage(message: unknown): Thenable<boolean>;
}

/**
 * Message channel between a panel and its page. A page can be closed while a request is being handled, even by that
 * request: after {@link dispose} nothing is sent.
 *
 * Messages posted in the same turn are batched: each message costs the editor more than its content.
 */
export class PageLink<C extends PageContract> {
  readonly #port: PagePort;
  readonly #messages: { dispose(): void };
  /** Queued messages. */
  #waiting: HostMessage[] = [];
  #isEnded = false;

  /**
   * @param port of the panel; requested once, because a panel exposes it only while it is open.
   * @param answer handles a message of the page; returns undefined if no response is expected. It does not throw.
   */
  constructor(port: PagePort, answer: (message: unknown) => Promise<HostMessage | undefined>) {
    this.#port = port;
    this.#messages = port.onDidReceiveMessage((message) => void this.#reply(answer(message)));
  }

  /** Posts an event to the page. */
  tell<N extends EventName<C>>(name: N, value: C['events'][N]): void {
    this.#say({ kind: 'event', name, value });
  }

  dispose(): void {
    this.#isEnded = true;
    this.#messages.dispose();
  }

  async #reply(answering: Promise<HostMessage | undefined>): Promise<void> {
    const answer = await answering;
    if (answer !== undefined) this.#say(answer);
  }

  #say(message: HostMessage): void {
    if (this.#isEnded) return;
    this.#waiting.push(message);
    // Runs after all promises that are already settled.
    if (this.#waiting.length === 1) process.nextTick(() => this.#send());
  }

  #send(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    if (!this.#isEnded) void this.#port.postMessage(messages);
  }
}
