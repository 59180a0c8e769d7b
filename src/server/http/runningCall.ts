import type { ServerResponse } from 'node:http';

/** Where a call comes from. */
export interface CallOrigin {
  /** Whether it comes from a web page of another origin. */
  isFromWebPage: boolean;
  /** The network that sent it; undefined on loopback. */
  source: string | undefined;
}

/** A call from its request to the end of its reply. */
export class RunningCall {
  readonly origin: CallOrigin;
  readonly #response: ServerResponse;
  readonly #watched: Set<RunningCall>;
  #controller: AbortController | undefined;

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
      const isCutOff = this.isCutOff;
      this.#controller = new AbortController();
      if (isCutOff) this.cutOff();
      else this.#watch();
    }
    return this.#controller.signal;
  }

  cutOff(): void {
    this.#controller?.abort();
  }

  #watch(): void {
    this.#watched.add(this);
    this.#response.once('close', () => {
      this.#watched.delete(this);
      if (this.isCutOff) this.cutOff();
    });
  }
}
