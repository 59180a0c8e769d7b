export { Uri } from './uri.ts';

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

/** A place in a text. */
export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
  isAfter(other: Position): boolean {
    return this.line > other.line || (this.line === other.line && this.character > other.character);
  }
}

/** A part of a text. */
export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...given: [Position, Position] | [number, number, number, number]) {
    const [start, end] =
      given.length === 2 ? given : [new Position(given[0], given[1]), new Position(given[2], given[3])];
    this.start = start;
    this.end = end;
  }
  intersection(other: Range): Range | undefined {
    const start = this.start.isAfter(other.start) ? this.start : other.start;
    const end = this.end.isAfter(other.end) ? other.end : this.end;
    return start.isAfter(end) ? undefined : new Range(start, end);
  }
}

export class Selection extends Range {
  get anchor(): Position {
    return this.start;
  }
  get active(): Position {
    return this.end;
  }
}
