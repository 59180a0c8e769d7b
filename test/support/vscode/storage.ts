import type * as vscode from 'vscode';
import { MemorySecrets } from '../memorySecrets.ts';
import { EventEmitter } from './basics.ts';

/** The editor's secret storage, in memory; it tells of changes. */
export class MemorySecretStorage extends MemorySecrets implements vscode.SecretStorage {
  readonly #changed = new EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  async keys(): Promise<string[]> {
    return [...this.values.keys()];
  }

  override async store(key: string, value: string): Promise<void> {
    await super.store(key, value);
    this.#changed.fire({ key });
  }

  override async delete(key: string): Promise<void> {
    await super.delete(key);
    this.#changed.fire({ key });
  }
}

/** The editor's state, in memory. Values are kept as JSON, as the editor does. */
export class MemoryMemento implements vscode.Memento {
  readonly #values = new Map<string, string>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string): T | undefined;
  get<T>(key: string, fallback: T): T;
  get(key: string, fallback?: unknown): unknown {
    const text = this.#values.get(key);
    return text === undefined ? fallback : (JSON.parse(text) as unknown);
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, JSON.stringify(value));
  }

  setKeysForSync(): void {
    throw new Error('Nothing may be synchronised: it is about this machine.');
  }
}
