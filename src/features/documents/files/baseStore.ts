import type * as vscode from 'vscode';
import * as z from 'zod';

const keptBase = z.object({ text: z.string(), mtime: z.number(), size: z.number() });

/** What an unsaved document started from. */
export type KeptBase = z.infer<typeof keptBase>;

/**
 * Keeps what unsaved documents started from, so that a document that survives a reload of the window is still compared
 * with it. Views hold no secrets, so neither does this.
 */
export class BaseStore {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** The base of a document with unsaved changes; undefined when there are none. */
  get(uri: vscode.Uri): KeptBase | undefined {
    return keptBase.safeParse(this.#state.get(keyOf(uri))).data;
  }

  async keep(uri: vscode.Uri, base: KeptBase): Promise<void> {
    await this.#state.update(keyOf(uri), base);
  }

  async drop(uri: vscode.Uri): Promise<void> {
    if (this.#state.get(keyOf(uri)) !== undefined) await this.#state.update(keyOf(uri), undefined);
  }
}

function keyOf(uri: vscode.Uri): string {
  return `analytics.base ${uri.toString()}`;
}
