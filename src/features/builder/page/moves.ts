import { useRef } from 'preact/hooks';

/** How entries of a list move. */
export interface MoveOptions {
  /** First and last place that the entry at a place may move to. */
  range: (at: number) => readonly [number, number];
  /** Moves an entry. @returns whether that was done, once it shows. */
  send: (at: number, to: number) => Promise<boolean>;
  /** Called when an entry has come to a place, going up (-1) or down (1). */
  arrived: (at: number, step: number) => void;
}

/**
 * Moves of one entry after the other: what is asked while an entry is on its way is added up and follows, so that a key can
 * be held, and always means the entry that it was pressed on.
 */
export class Moves {
  readonly #options: () => MoveOptions;
  #way: { steps: number } | undefined;

  /** @param options asked anew for each step: the list is another one after it. */
  constructor(options: () => MoveOptions) {
    this.#options = options;
  }

  /** Moves the entry at a place by some steps, at most to the ends of its range. */
  move(at: number, steps: number): void {
    if (this.#way) this.#way.steps += steps;
    else void this.#go(at, steps);
  }

  async #go(at: number, steps: number): Promise<void> {
    const { range, send } = this.#options();
    const [first, last] = range(at);
    const to = Math.max(first, Math.min(last, at + steps));
    if (to === at) return;
    const way = (this.#way = { steps: 0 });
    const isDone = await send(at, to);
    this.#way = undefined;
    if (!isDone) return;
    this.#options().arrived(to, Math.sign(steps));
    if (way.steps !== 0) await this.#go(to, way.steps);
  }
}

/** {@link Moves} of a list that is drawn. */
export function useMoves(options: MoveOptions): Moves {
  const latest = useRef(options);
  latest.current = options;
  const moves = useRef<Moves | undefined>(undefined);
  return (moves.current ??= new Moves(() => latest.current));
}
