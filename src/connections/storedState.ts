import { readSums, withSums } from './checkedRecord.ts';

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
 * Values in the editor's state with the version of their form and checksums. A value of another version, or one that is
 * damaged, is neither used nor overwritten: this release then stores its own value beside it. Damaged records of a list
 * stay in it.
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
    return (this.#read(key) ?? this.#read(this.#ownKey(key)))?.value;
  }

  /** Whether there is a value that cannot be read, and none of this release beside it. */
  isUnreadable(key: string): boolean {
    return this.#store.get(key) !== undefined && this.get(key) === undefined;
  }

  /** Stores a value; undefined deletes it. */
  async update(key: string, value: T | undefined): Promise<void> {
    const ownKey = this.#ownKey(key);
    const isForeign = this.#store.get(key) !== undefined && this.#read(key) === undefined;
    if (isForeign) return this.#update(ownKey, this.#stored(ownKey, value));
    await this.#update(key, this.#stored(key, value));
    await this.#update(ownKey, undefined);
  }

  /** The value as it is stored, with the damaged records that are there now. */
  #stored(key: string, value: T | undefined): unknown {
    const damaged = this.#read(key)?.damaged ?? [];
    if (value === undefined && damaged.length === 0) return undefined;
    const sealed = withSums(value ?? []);
    const content = Array.isArray(sealed) ? [...(sealed as unknown[]), ...damaged] : sealed;
    const { version } = this.#form;
    return version === 1 ? content : { version, value: content };
  }

  async #update(key: string, stored: unknown): Promise<void> {
    if (stored !== undefined || this.#store.get(key) !== undefined) await this.#store.update(key, stored);
  }

  #read(key: string): { value: T; damaged: readonly unknown[] } | undefined {
    const stored = this.#store.get(key);
    const { version, value } = isVersioned(stored) ? stored : { version: 1, value: stored };
    const read = version === this.#form.version ? readSums(value) : undefined;
    const parsed = read && this.#form.parse(read.value);
    return read && parsed !== undefined ? { value: parsed, damaged: read.damaged } : undefined;
  }

  #ownKey(key: string): string {
    return `${key}${ownSuffix(this.#form.version)}`;
  }
}

function ownSuffix(version: number): string {
  return ` (version ${version})`;
}

/** The key that a value is stored for, given a key of the store. */
export function ownerOfKey(key: string): string {
  return key.replace(/ \(version \d+\)$/, '');
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
