import type { EventName, HostMessage, PageContract } from '../../contract/pages/channel.ts';

/** The part of an editor's webview that a {@link PageLink} speaks through. */
export interface PagePort {
  readonly onDidReceiveMessage: (listener: (message: unknown) => unknown) => { dispose(): void };
  postMessage(message: unknown): Thenable<boolean>;
}

/**
 * How a panel talks with its page for as long as there is one. A page can be closed while it is being answered, even by what
 * it asked for: after {@link dispose} nothing is sent, and nobody waits for it.
 *
 * What is said before others get their turn travels together: each message costs an editor more than what is in it.
 */
export class PageLink<C extends PageContract> {
  readonly #port: PagePort;
  readonly #messages: { dispose(): void };
  /** Said, and not sent yet. */
  #waiting: HostMessage[] = [];
  #isEnded = false;

  /**
   * @param port of the panel; a panel gives it away only while it is open, so that it is asked for once.
   * @param answer the answer to a message of the page; undefined for what nobody waits for. It does not throw.
   */
  constructor(port: PagePort, answer: (message: unknown) => Promise<HostMessage | undefined>) {
    this.#port = port;
    this.#messages = port.onDidReceiveMessage((message) => void this.#reply(answer(message)));
  }

  /** Tells the page something unasked. */
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
    // Runs behind all that is settled already.
    if (this.#waiting.length === 1) process.nextTick(() => this.#send());
  }

  #send(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    if (!this.#isEnded) void this.#port.postMessage(messages);
  }
}
