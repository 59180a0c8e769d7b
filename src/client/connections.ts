import type { Dispatcher } from 'undici';
import { createDispatcher, sharedTrust, type SharedTrust } from './dispatcher.ts';
import type { ServerTarget } from './target.ts';

/** Connections that are kept for further requests. */
const maxKept = 8;
/**
 * How long a connection must have been silent after a reply, in ms. A second copy of the reply arrives meanwhile and ends
 * the connection; on one in use again it would pass for the next answer.
 */
const restMs = 30;

/** A way to send one request. */
export interface Lane {
  readonly dispatcher: Dispatcher;
  /** To be called once the reply has been read, or has failed. */
  release(): void;
}

/** A connection that is kept, and whether it may carry a request now. */
interface KeptConnection {
  readonly dispatcher: Dispatcher;
  isFree: boolean;
}

/**
 * The connections to one server. Kept ones carry one request at a time and rest in between; a request that finds none
 * rested, or must not share, gets a fresh one.
 */
export class Connections {
  readonly #target: ServerTarget;
  readonly #kept: KeptConnection[] = [];
  /** Made by the first request: reading certificates takes a moment. */
  #trust: SharedTrust | undefined;
  #fresh: Dispatcher | undefined;

  constructor(target: ServerTarget) {
    this.#target = target;
  }

  /** @throws {ClientError} of kind tls when a certificate file of the target cannot be used. */
  take(isFresh: boolean): Lane {
    const kept = isFresh ? undefined : this.#rested();
    if (kept) return { dispatcher: kept.dispatcher, release: once(() => letRest(kept)) };
    this.#fresh ??= createDispatcher(this.#target, this.#sharedTrust(), { isFresh: true });
    return { dispatcher: this.#fresh, release: () => undefined };
  }

  /** Ends all connections; requests under way fail. */
  async destroy(): Promise<void> {
    const all = this.#kept.map(({ dispatcher }) => dispatcher.destroy());
    await Promise.all([...all, this.#fresh?.destroy()]);
  }

  #rested(): KeptConnection | undefined {
    let kept = this.#kept.find(({ isFree }) => isFree);
    if (!kept && this.#kept.length < maxKept) {
      kept = { dispatcher: createDispatcher(this.#target, this.#sharedTrust(), { isFresh: false }), isFree: true };
      this.#kept.push(kept);
    }
    if (kept) kept.isFree = false;
    return kept;
  }

  #sharedTrust(): SharedTrust {
    return (this.#trust ??= sharedTrust(this.#target));
  }
}

function letRest(kept: KeptConnection): void {
  // What came meanwhile is read between the timer and the turn after it.
  const rest = setTimeout(() => setImmediate(() => (kept.isFree = true)), restMs);
  rest.unref();
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}
