import { readHostMessage } from '../../protocol/channel.ts';
import type { AnswerOf, EventHandlers, PageContract, ParamsOf, RequestName } from '../../protocol/channel.ts';

/** What the editor gives to a page; callable once. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): EditorApi;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The page's end of the line to the extension host. */
export class HostLink<C extends PageContract> {
  readonly #editor = acquireVsCodeApi();
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  /** Opens the line; `handlers` take the host's events from now on. */
  constructor(handlers: EventHandlers<C>) {
    window.addEventListener('message', (event: MessageEvent<unknown>) => {
      const message = readHostMessage(event.data);
      if (message === undefined) return;
      if (message.kind === 'event') {
        if (Object.hasOwn(handlers, message.name)) handlers[message.name]?.(message.value as never);
        return;
      }
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.ok) pending?.resolve(message.value);
      else pending?.reject(new Error(message.message));
    });
  }

  /** Asks the host. Rejects with the host's words when it could not do it. */
  request<N extends RequestName<C>>(name: N, params: ParamsOf<C, N>): Promise<AnswerOf<C, N>> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve, reject });
      this.#editor.postMessage({ kind: 'request', id, name, params });
    });
  }

  /** What the page kept when it was last shown. */
  get kept(): unknown {
    return this.#editor.getState();
  }

  /** Keeps `state` while the page is hidden and across reloads of the window. */
  keep(state: unknown): void {
    this.#editor.setState(state);
  }
}
