/** What stored values need of VS Code's `Memento`. */
export interface StateStore {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** The form in which values of one kind are stored. */
export interface StoredForm<T> {
  /** Increase it with each change of the form: an earlier release then leaves the values alone. */
  version: number;
  /** @returns the value, or undefined if it does not have this form. */
  parse(value: unknown): T | undefined;
}

/**
 * Values in the editor's state with the version of their form. A value of another version, or one that cannot be read,
 * is neither used nor overwritten: this release then stores its own value beside it.
 */
export class StoredState<T> {
  readonly #store: StateStore;
  readonly #form: StoredForm<T>;

  constructor(store: StateStore, form: StoredForm<T>) {
    this.#store = store;
    this.#form = form;
  }

  /** The stored value; undefined if there is none of this form. */
  get(key: string): T | undefined {
    return this.#parse(this.#store.get(key)) ?? this.#parse(this.#store.get(this.#ownKey(key)));
  }

  /** Stores a value; undefined deletes it. */
  async update(key: string, value: T | undefined): Promise<void> {
    const { version } = this.#form;
    const stored = version === 1 || value === undefined ? value : { version, value };
    const present = this.#store.get(key);
    const isForeign = present !== undefined && this.#parse(present) === undefined;
    if (!isForeign) await this.#update(key, stored);
    await this.#update(this.#ownKey(key), isForeign ? stored : undefined);
  }

  async #update(key: string, stored: unknown): Promise<void> {
    if (stored !== undefined || this.#store.get(key) !== undefined) await this.#store.update(key, stored);
  }

  #parse(stored: unknown): T | undefined {
    const { version, value } = isVersioned(stored) ? stored : { version: 1, value: stored };
    return version === this.#form.version ? this.#form.parse(value) : undefined;
  }

  #ownKey(key: string): string {
    return `${key} (version ${this.#form.version})`;
  }
}

/** Values of version 1 are stored without it, as release 0.1.0 reads them. */
function isVersioned(stored: unknown): stored is { version: number; value: unknown } {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'value' in stored &&
    'version' in stored &&
    typeof stored.version === 'number'
  );
}
