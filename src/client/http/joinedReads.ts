import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientErrorDetails } from '../clientError.ts';
import { isSignInForbidden } from '../session/userSession.ts';
import { inBackground } from './cancelScope.ts';
import { waitFor } from './waitFor.ts';

/** What was read since the last write, by the reader and what was asked. */
type HandedOn = Map<JoinedReads, Map<string, { readonly reply: unknown; readonly epoch: number; readonly at: number }>>;

interface Gesture {
  readonly read: HandedOn;
  /** What was read ahead, see {@link readingAhead}. */
  readonly ahead?: HandedOn | undefined;
  step: 'ahead' | 'work' | 'after' | 'over';
  /** Number of beginnings and ends of its writes. */
  writes: number;
  /** Called when its first write is done, apart from reading it back. */
  written: () => void;
}

const gestures = new AsyncLocalStorage<Gesture>();

/** Reports that a write is done, apart from reading it back. */
export function writeAccepted(): void {
  gestures.getStore()?.written();
}

/** How long what was read ahead is used, in ms: no longer than a user takes to choose from a short list. */
const aheadMs = 10_000;

/**
 * Runs `work`, in which an equal read is sent once within ten seconds until something is written: `work` reads while
 * the user chooses what it needs after the choice. With another session token a read is another one, so that a check of
 * the installation holds only for calls that no other installation accepts.
 */
export async function readingAhead<T>(work: () => Promise<T>): Promise<T> {
  const ahead: HandedOn = new Map();
  const gesture: Gesture = { read: ahead, ahead, step: 'ahead', writes: 0, written: () => undefined };
  try {
    return await gestures.run(gesture, work);
  } finally {
    gesture.step = 'over';
    ahead.clear();
  }
}

/**
 * Runs `work` and `after`, which shows what `work` did. `after` begins when the first write of `work` is done, beside
 * reading it back, and runs again at the end if more was written since. Reads in `after` then take what `work` has read
 * since its last write; reads of `work` itself always go to the server.
 */
export async function handingOn<T>(work: () => Promise<T>, after: () => Promise<void>): Promise<T> {
  let early: { readonly shown: Promise<void>; readonly writes: number } | undefined;
  const written = () => {
    if (early || gesture.step !== 'work') return;
    early = { shown: after(), writes: gesture.writes };
    early.shown.catch(() => undefined);
  };
  const ahead = gestures.getStore()?.ahead;
  const gesture: Gesture = { read: new Map(), ahead, step: 'work', writes: 0, written };
  return gestures.run(gesture, async () => {
    try {
      return await work();
    } finally {
      gesture.step = 'after';
      try {
        await early?.shown;
        if (early?.writes !== gesture.writes) await after();
      } finally {
        gesture.step = 'over';
        gesture.read.clear();
      }
    }
  });
}

/** How long a read can be joined, in ms: one that is stuck must not hold up those that users start after it. */
const joinableMs = 500;

interface Shared {
  readonly reading: Promise<unknown>;
  readonly startedAt: number;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Equal reads of one server that begin shortly after one another, as one request. A read that began before the end of a
 * write serves only those who asked before that.
 */
export class JoinedReads {
  readonly #now: () => number;
  readonly #underWay = new Map<string, Shared>();
  /** Number of beginnings and ends of writes. */
  #epoch = 0;

  /** `now` is the time in milliseconds, of any beginning. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Runs a write. What was read before its end is not used for reads after it. */
  async write<T>(send: () => Promise<T>): Promise<T> {
    this.#wrote();
    try {
      return await send();
    } finally {
      this.#wrote();
    }
  }

  #wrote(): void {
    this.#epoch += 1;
    const gesture = gestures.getStore();
    if (gesture) gesture.writes += 1;
    this.#underWay.clear();
  }

  /**
   * Reads, or joins an equal read.
   * @param request identifies what is read, and as whom.
   * @param signal ends this wait; the request ends when no caller waits for it.
   * @throws what `read` throws, to every caller; nothing is kept of a failure.
   */
  async read<T>(
    request: string,
    { signal, facts }: { signal: AbortSignal | undefined; facts: ClientErrorDetails },
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    // Some callers must not start a session.
    const key = `${isSignInForbidden()}\n${request}`;
    const gesture = gestures.getStore();
    const known = this.#known(gesture, key);
    // Each caller may change what it gets.
    if (known) return structuredClone(known.reply) as T;
    const [epoch, at] = [this.#epoch, this.#now()];
    const underWay = this.#underWay.get(key);
    const joined = underWay && this.#now() - underWay.startedAt < joinableMs ? underWay : undefined;
    const shared = joined ?? this.#begin(key, read);
    const reply = await this.#waitFor(key, shared, signal, facts);
    if (gesture?.step === 'work' || gesture?.step === 'ahead') {
      const read = gesture.read.get(this) ?? new Map<string, { reply: unknown; epoch: number; at: number }>();
      gesture.read.set(this, read.set(key, { reply: structuredClone(reply), epoch, at }));
    }
    return (joined ? structuredClone(reply) : reply) as T;
  }

  /** What the gesture has read and may use. */
  #known(gesture: Gesture | undefined, key: string): { readonly reply: unknown } | undefined {
    const handedOn = gesture?.step === 'after' ? gesture.read.get(this)?.get(key) : undefined;
    if (handedOn?.epoch === this.#epoch) return handedOn;
    const ahead = gesture?.step === 'over' ? undefined : gesture?.ahead?.get(this)?.get(key);
    return ahead?.epoch === this.#epoch && this.#now() - ahead.at < aheadMs ? ahead : undefined;
  }

  #begin(key: string, read: (signal: AbortSignal) => Promise<unknown>): Shared {
    const stop = new AbortController();
    // No caller's cancellation ends it while another one waits.
    const reading = inBackground(() => read(stop.signal));
    const shared: Shared = { reading, startedAt: this.#now(), stop, waiting: 0 };
    this.#underWay.set(key, shared);
    const end = () => this.#leave(key, shared);
    reading.then(end, end);
    return shared;
  }

  async #waitFor(key: string, shared: Shared, signal: AbortSignal | undefined, facts: ClientErrorDetails) {
    shared.waiting += 1;
    try {
      return await waitFor(shared.reading, { signal, deadlineMs: Infinity }, facts);
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        this.#leave(key, shared);
        shared.stop.abort();
      }
    }
  }

  #leave(key: string, shared: Shared): void {
    if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
  }
}
