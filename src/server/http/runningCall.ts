/** A call from its request to the end of its reply. */
export class RunningCall {
  #controller: AbortController | undefined;
  #isCutOff = false;

  /** Whether the client went away or the server stops. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** Aborts when the call is cut off. Made when first asked for: most calls are over before anybody would wait for it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isCutOff) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Cuts the call off. */
  cutOff(): void {
    this.#isCutOff = true;
    this.#controller?.abort();
  }
}
