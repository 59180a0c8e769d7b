import type { ServerResponse } from 'node:http';

/** A call from its request to the end of its reply. */
export class RunningCall {
  /** Whether a web page of another origin makes it. */
  readonly isFromWebPage: boolean;
  readonly #response: ServerResponse;
  readonly #watched: Set<RunningCall>;
  #controller: AbortController | undefined;

  /** @param watched keeps the calls that run and whose end somebody waits for: most are over before anybody would. */
  constructor(response: ServerResponse, watched: Set<RunningCall>, isFromWebPage: boolean) {
    this.isFromWebPage = isFromWebPage;
    this.#response = response;
    this.#watched = watched;
  }

  /** Whether the client went away, or the server stopped, before the end of the reply. */
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

  /** Cuts the call off. */
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
