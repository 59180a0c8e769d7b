import type { ServerResponse } from 'node:http';

/** Where a call comes from. */
export interface CallOrigin {
  /** Whether it comes from a web page of another origin. */
  isFromWebPage: boolean;
  /** The network that sent it; undefined on loopback. */
  source: string | undefined;
}

/** Why a call is ended that does not finish in time. Replies that have begun end with its message. */
export class ServerStopping extends Error {
  override readonly name = 'ServerStopping';

  constructor() {
    super('The server is stopping. Try again when it has started.');
  }
}

/** A call from its request to the end of its reply. */
export class RunningCall {
  readonly origin: CallOrigin;
  readonly #response: ServerResponse;
  readonly #watched: Set<RunningCall>;
  #controller: AbortController | undefined;
  #isStopped = false;

  /** @param watched holds the running calls whose end something listens for; most calls finish without any listener. */
  constructor(response: ServerResponse, watched: Set<RunningCall>, origin: CallOrigin) {
    this.origin = origin;
    this.#response = response;
    this.#watched = watched;
  }

  /** Whether the client disconnected, or the server stopped, before the end of the reply. */
  get isCutOff(): boolean {
    const isAborted = this.#controller?.signal.aborted ?? false;
    return isAborted || (this.#response.destroyed && !this.#response.writableFinished);
  }

  /** Aborts when the call is cut off. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const isCutOff = this.isCutOff || this.#isStopped;
      this.#controller = new AbortController();
      if (isCutOff) this.#controller.abort(this.#isStopped ? new ServerStopping() : undefined);
      else this.#watch();
    }
    return this.#controller.signal;
  }

  /** Whether the server has ended the call because it stops. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ends the call because the server stops; its reply says so, unless it has begun. */
  stop(): void {
    this.#isStopped = true;
    this.#controller?.abort(new ServerStopping());
  }

  #watch(): void {
    this.#watched.add(this);
    this.#response.once('close', () => {
      this.#watched.delete(this);
      if (this.isCutOff) this.#controller?.abort();
    });
  }
}

/** How many calls run, and when none does. */
export class RunningCount {
  #count = 0;
  #onNone: (() => void) | undefined;

  get count(): number {
    return this.#count;
  }

  add(change: 1 | -1): void {
    this.#count += change;
    if (this.#count === 0) this.#onNone?.();
  }

  /** Resolves when no call runs, or after `withinMs`. */
  async none(withinMs: number): Promise<void> {
    if (this.#count === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onNone = resolve;
    const timer = setTimeout(resolve, withinMs);
    await promise;
    clearTimeout(timer);
  }
}
