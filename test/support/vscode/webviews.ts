import { readHostMessages } from '../../../src/contract/pages/channel.ts';
import { EventEmitter, type Uri } from './basics.ts';

/** A panel whose page is the test. */
export class WebviewPanel {
  title: string;
  iconPath: unknown;
  isDisposed = false;
  /** How often it was brought to the front. */
  revealed = 0;
  readonly viewType: string;
  readonly webview;
  readonly #disposed = new EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly #received = new EventEmitter<unknown>();
  readonly #events = new Map<string, unknown>();
  readonly #answers = new Map<number, (answer: { ok: boolean; value?: unknown; message?: string }) => void>();
  #count = 0;

  constructor(viewType: string, title: string) {
    this.viewType = viewType;
    this.title = title;
    const post = (message: unknown) => this.#post(message);
    this.webview = {
      html: '',
      options: {},
      cspSource: 'self',
      asWebviewUri: (uri: Uri) => uri,
      onDidReceiveMessage: this.#received.event,
      postMessage: async (message: unknown) => post(message),
    };
  }

  /** Sends a request as the page does. @throws {Error} when the answer is one. */
  async ask(name: string, params: unknown = null): Promise<unknown> {
    const id = (this.#count += 1);
    const answered = new Promise<{ ok: boolean; value?: unknown; message?: string }>((resolve) =>
      this.#answers.set(id, resolve),
    );
    this.#received.fire({ kind: 'request', id, name, params });
    const answer = await answered;
    if (!answer.ok) throw new Error(answer.message);
    return answer.value;
  }

  /** What the last event of this name told; undefined for none. */
  last(event: string): unknown {
    return this.#events.get(event);
  }

  reveal(): void {
    this.revealed += 1;
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.#disposed.fire();
  }

  #post(message: unknown): boolean {
    for (const each of readHostMessages(message)) {
      if (each.kind === 'event') this.#events.set(each.name, each.value);
      else this.#answers.get(each.id)?.(each);
    }
    return !this.isDisposed;
  }
}

/** Panels that were opened, in order. */
export const panels: WebviewPanel[] = [];

type MakePanel = (viewType: string, title: string) => object;

let make: MakePanel = (viewType, title) => {
  const panel = new WebviewPanel(viewType, title);
  panels.push(panel);
  return panel;
};

export function createWebviewPanel(viewType: string, title: string): object {
  return make(viewType, title);
}

/** Lets `window` make other panels from now on, such as those with a page in a browser. */
export function makePanels(other: MakePanel): void {
  make = other;
}

/** Closes all panels, for the next test. */
export function closePanels(): void {
  for (const panel of panels.splice(0)) panel.dispose();
}
