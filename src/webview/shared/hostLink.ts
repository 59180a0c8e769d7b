import { readHostMessages } from '../../contract/pages/channel.ts';
import type {
  AnswerOf,
  EventHandlers,
  HostMessage,
  PageContract,
  ParamsOf,
  RequestName,
} from '../../contract/pages/channel.ts';

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
      for (const message of readHostMessages(event.data)) {
        try {
          if (message.kind === 'answer') this.#settle(message);
          else if (Object.hasOwn(handlers, message.name)) handlers[message.name]?.(message.value as never);
        } catch (error) {
          // Those behind it are taken all the same.
          reportError(error);
        }
      }
    });
  }

  #settle(answer: HostMessage & { kind: 'answer' }): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (answer.ok) pending?.resolve(answer.value);
    else pending?.reject(new Error(answer.message));
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
