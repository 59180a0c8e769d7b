import path from 'node:path';

/** As the editor's. */
export class Disposable {
  readonly dispose: () => void;
  constructor(dispose: () => void) {
    this.dispose = dispose;
  }
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((each) => void each.dispose()));
  }
}

/** As the editor's; a listener's error goes to who fires. */
export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();
  readonly event = (listener: (value: T) => unknown): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };
  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationError extends Error {}

export class ThemeIcon {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeColor extends ThemeIcon {}

/** A file address. */
export class Uri {
  readonly scheme: string = 'file';
  readonly fsPath: string;
  constructor(fsPath: string) {
    this.fsPath = fsPath;
  }
  get path(): string {
    return this.fsPath;
  }
  with(change: { path: string }): Uri {
    return new Uri(change.path);
  }
  static file(fsPath: string): Uri {
    return new Uri(fsPath);
  }
  static parse(address: string): { toString(): string } {
    return new URL(address);
  }
  static joinPath({ fsPath }: Uri, ...parts: string[]): Uri {
    return new Uri(path.join(fsPath, ...parts));
  }
}
