import { readHostMessages } from '../../contract/pages/channel.ts';
import type {
  AnswerOf,
  EventHandlers,
  HostMessage,
  PageContract,
  ParamsOf,
  RequestName,
} from '../../contract/pages/channel.ts';
import { HeldPress } from './heldPress.ts';

/** The API that VS Code provides to a webview; can be acquired only once. */
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

/** The page's end of the message channel to the extension host. */
export class HostLink<C extends PageContract> {
  readonly #editor = acquireVsCodeApi();
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  /** Opens the channel; `handlers` receive the host's events from now on. */
  constructor(handlers: EventHandlers<C>) {
    const press = new HeldPress();
    const take = (message: HostMessage) => {
      try {
        if (message.kind === 'answer') this.#settle(message);
        else if (Object.hasOwn(handlers, message.name)) handlers[message.name]?.(message.value as never);
      } catch (error) {
        // A failing event must not stop the following ones.
        reportError(error);
      }
    };
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      press.run(() => readHostMessages(data).forEach(take));
    });
  }

  #settle(answer: HostMessage & { kind: 'answer' }): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (answer.ok) pending?.resolve(answer.value);
    else pending?.reject(new Error(answer.message));
  }

  /** Sends a request to the host. Rejects with the host's message if it failed. */
  request<N extends RequestName<C>>(name: N, params: ParamsOf<C, N>): Promise<AnswerOf<C, N>> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve, reject });
      this.#editor.postMessage({ kind: 'request', id, name, params });
    });
  }

  /** The state that the page last saved. */
  get kept(): unknown {
    return this.#editor.getState();
  }

  /** Saves `state` while the page is hidden and across reloads of the window. */
  keep(state: unknown): void {
    this.#editor.setState(state);
  }
}
