import type { Dispatcher } from 'undici';
import { createDispatcher, sharedTrust, type SharedTrust } from './dispatcher.ts';
import { SpareConnections } from './spareConnections.ts';
import type { ServerTarget } from './target.ts';

/** The connections to one server: none ever carries a second request. */
export class Connections {
  readonly #target: ServerTarget;
  readonly #spares = new SpareConnections();
  /** Made by the first request: reading certificates takes a moment. */
  #trust: SharedTrust | undefined;
  #fresh: Dispatcher | undefined;
  #ahead: Dispatcher | undefined;

  constructor(target: ServerTarget) {
    this.#target = target;
  }

  /**
   * A way to send one request: over a connection opened just for it, or over one opened ahead, which the server may be
   * closing at that moment.
   * @throws {ClientError} of kind tls when a certificate file of the target cannot be used.
   */
  take(isFresh: boolean): Dispatcher {
    this.#trust ??= sharedTrust(this.#target);
    if (isFresh) return (this.#fresh ??= createDispatcher(this.#target, this.#trust));
    return (this.#ahead ??= createDispatcher(this.#target, this.#trust, this.#spares));
  }

  /** Closes each connection once its requests are answered. */
  async close(): Promise<void> {
    this.#spares.close();
    await Promise.all([this.#fresh?.close(), this.#ahead?.close()]);
  }

  /** Ends all connections; requests under way fail. */
  async destroy(): Promise<void> {
    this.#spares.close();
    await Promise.all([this.#fresh?.destroy(), this.#ahead?.destroy()]);
  }
}
