import type { ServerResponse } from 'node:http';

/** A call from its request to the end of its reply. */
export class RunningCall {
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Whether the client went away, or the server stopped, before the end of the reply. */
  get isCutOff(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished;
  }

  /** Aborts when the call is cut off. Made when first asked for: most calls are over before anybody would wait for it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController();
      this.#controller = controller;
      if (this.isCutOff) controller.abort();
      else this.#response.once('close', () => this.isCutOff && controller.abort());
    }
    return this.#controller.signal;
  }
}
