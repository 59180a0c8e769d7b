import { setTimeout as delay } from 'node:timers/promises';
import type { EndpointPath, ReplyOf, RequestOf } from '../contract/endpoints.ts';
import type { AnalyticsClient, CallOptions, WriteGuard } from './client.ts';
import { ClientError, isClientError, type ClientErrorKind } from './clientError.ts';
import { waited } from './waiter.ts';
import { say } from '../words/say.ts';
import type { JournalledWrite, WriteJournal } from './writeJournal.ts';

/** How to find out afterwards what became of a write. */
export interface Traces<T> extends JournalledWrite {
  /**
   * Reads what has the natural key of the object now: for a change the object itself, for a create all that carry the
   * name in that place, for a deletion likewise.
   */
  read(signal: AbortSignal | undefined): Promise<readonly T[]>;
  /** Identifies one of them: a create is recognised by an id that was not there before, a deletion by one that was. */
  idOf(found: T): string;
  /** Whether `found` has the content that was written. */
  hasContent(found: T): boolean;
  /** For a change: whether `found` is as it was before; then a denial is believed. Default: when it lacks the content. */
  isAsBefore?(found: T): boolean;
}

/** One write of one call. */
export interface Write<P extends EndpointPath, T> extends Traces<T> {
  path: P;
  body: RequestOf<P>;
}

/** How a write came out: with its reply, or found to be done although its reply was lost. */
export type WriteOutcome<R, T> = { kind: 'answered'; reply: R } | Reconciled<T>;

/** How long and how often a write is looked for. */
export interface WriteOptions {
  signal?: AbortSignal | undefined;
  /** Pauses, in ms, before each look. Default {@link settlePauses}. */
  pauses?: readonly number[] | undefined;
}

/** Pauses before each look at the server, in milliseconds: a write may commit after its connection broke. */
export const settlePauses: readonly number[] = [250, 500, 1000, 2000];

/** Thrown into a call to keep it from being sent again: the write is there. */
class WriteFound<T> extends Error {
  readonly outcome: Reconciled<T>;

  constructor(outcome: Reconciled<T>) {
    super('The write is there.');
    this.outcome = outcome;
  }
}

interface Reconciled<T> {
  kind: 'reconciled';
  found: T | undefined;
}

/** Failures that say what the server decided, or that it was never asked. */
const verdicts: readonly ClientErrorKind[] = [
  'notFound',
  'tls',
  'proxy',
  'notSignedIn',
  'takenOver',
  'signInRefused',
  'noPermission',
];

/** {@link settleWrite} for a write that is one call of `client`. */
export function writeOnce<P extends EndpointPath, T>(
  client: AnalyticsClient,
  write: Write<P, T>,
  { pauses, ...limits }: CallOptions & WriteOptions = {},
): Promise<WriteOutcome<ReplyOf<P>, T>> {
  const send = (guard: WriteGuard) => client.call(write.path, write.body, { ...limits, guard });
  const server = { name: client.target.name, journal: client.journal };
  return settleWrite(server, write, send, { signal: limits.signal, pauses });
}

/**
 * Sends a write once. When its reply is lost, waits, reads again a bounded number of times and compares; it is not sent
 * again. Creates and deletions first read what is there, so that a create is told from an object that has the name
 * already, and a deletion from an object that cannot be seen. Only after a rejected token is it sent once more, and only
 * when a look at the server does not show it.
 * @param server name for messages, and the journal that keeps the write until its outcome is known.
 * @param send makes the call, with the guard given to it.
 * @throws {ClientError} of kind unknownOutcome when reading does not show the write: it may still come; else what `send`
 * threw, and then nothing was written.
 */
export function settleWrite<R, T>(
  server: WriteServer,
  write: Traces<T>,
  send: (guard: WriteGuard) => Promise<R>,
  { signal, pauses = settlePauses }: WriteOptions = {},
): Promise<WriteOutcome<R, T>> {
  return waited(server.name, signal, (either) => settle(server, write, send, { signal: either, pauses }));
}

async function settle<R, T>(
  server: WriteServer,
  write: Traces<T>,
  send: (guard: WriteGuard) => Promise<R>,
  { signal, pauses }: WriteOptions,
): Promise<WriteOutcome<R, T>> {
  const before = write.kind === 'change' ? [] : await write.read(signal);
  const traces = new SeenTraces(write, new Set(before.map((found) => write.idOf(found))));
  const journalled = await beginEntry(server, write);
  try {
    const outcome = await sendOnce(server.name, traces, send, { signal, pauses });
    await endEntry(() => journalled?.settled());
    return outcome;
  } catch (error) {
    const isOpen = isClientError(error, 'unknownOutcome');
    await endEntry(() =>
      isOpen
        ? journalled?.unknown(reasonOf(error), async () => (await traces.look()) !== undefined)
        : journalled?.settled(),
    );
    throw error;
  }
}

/** @throws {ClientError} of kind storage: what cannot be written down is not sent. */
async function beginEntry({ name, journal }: WriteServer, { kind, object }: JournalledWrite) {
  try {
    return await journal?.begin({ kind, object });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError(
      'storage',
      say('{0} was not sent to {1}: the record of writes under way cannot be kept ({2}).', object, name, why),
      { server: name, isUnsent: true, remedy: say('Make room on the disk, or free the folder, and try again.'), cause },
    );
  }
}

/**
 * Notes how a write came out. What the server said stands, also when that fails: then the entry stays as it was when the
 * write began, and is told of as one whose outcome is not known.
 */
async function endEntry(note: () => Promise<void> | undefined): Promise<void> {
  try {
    await note();
  } catch {
    // The disk does not take it now; the entry that is on it errs on the safe side.
  }
}

/** Why an outcome is not known, without the words that it is not. */
function reasonOf({ cause, message }: ClientError): string {
  return cause instanceof Error ? cause.message : message;
}

/** Where a write goes. */
export interface WriteServer {
  readonly name: string;
  readonly journal?: WriteJournal | undefined;
}

/** What reading shows of a write. */
class SeenTraces<T> {
  readonly write: Traces<T>;
  /** Whether the last look showed no trace of it, not even one with another content. */
  isUntouched = false;
  readonly #known: ReadonlySet<string>;

  constructor(write: Traces<T>, known: ReadonlySet<string>) {
    this.write = write;
    this.#known = known;
  }

  async look(signal?: AbortSignal): Promise<Reconciled<T> | undefined> {
    const present = await this.write.read(signal);
    this.isUntouched = showsNothing(this.write, present, this.#known);
    return matchOf(this.write, present, this.#known);
  }
}

async function sendOnce<R, T>(
  server: string,
  traces: SeenTraces<T>,
  send: (guard: WriteGuard) => Promise<R>,
  { signal, pauses = [] }: WriteOptions,
): Promise<WriteOutcome<R, T>> {
  let wasEmpty = false;
  const guard = {
    answeredEmpty: () => {
      wasEmpty = true;
    },
    beforeResend: async () => {
      const outcome = await traces.look(signal);
      if (outcome) throw new WriteFound(outcome);
    },
  };
  try {
    return { kind: 'answered', reply: await send(guard) };
  } catch (error) {
    if (error instanceof WriteFound) return (error as WriteFound<T>).outcome;
    if (isClientError(error) && !wasEmpty && !isDenial(error) && !isUnknown(error)) throw error;
    // Where the server had answered, one look tells whether its words, or an empty reply, hid a success.
    const isAnswered = isClientError(error) && isDenial(error);
    const found = await seek((look) => traces.look(look), isAnswered ? [0] : pauses, signal);
    if (found) return found;
    if (isAnswered && traces.isUntouched) throw error;
    // A failure of our own after the request went out tells nothing of what the server did.
    throw unknownOutcome(server, traces.write, error instanceof Error ? error : new Error(String(error)));
  }
}

/** The error of a write that reading did not show. */
export function unknownOutcome(server: string, { kind, object }: JournalledWrite, cause: Error): ClientError {
  const sentences = {
    create: () => say('{0} may or may not have created {1}: {2}', server, object, cause.message),
    change: () => say('{0} may or may not have taken {1}: {2}', server, object, cause.message),
    delete: () => say('{0} may or may not have deleted {1}: {2}', server, object, cause.message),
  };
  return new ClientError('unknownOutcome', sentences[kind](), {
    server,
    ...(isClientError(cause) && cause.endpoint !== undefined && { endpoint: cause.endpoint }),
    cause,
  });
}

/** Whether the server answered, and in words or by an empty reply denied what was asked, without a code of its own. */
function isDenial({ kind, code, status }: ClientError): boolean {
  return kind === 'noPermission' || (kind === 'refused' && code === undefined && status === 200);
}

/** Whether the server may have done what was asked although the call failed. */
function isUnknown(error: ClientError): boolean {
  if (error.isUnsent || verdicts.includes(error.kind)) return false;
  // A refusal with the server's own code is a verdict; a bare status, from it or from a gateway, is none.
  return error.kind !== 'refused' || error.code === undefined;
}

/** Looks for the write until it shows, or the caller gives up: then its outcome stays unknown. */
async function seek<T>(
  look: (signal: AbortSignal | undefined) => Promise<Reconciled<T> | undefined>,
  pauses: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Reconciled<T> | undefined> {
  for (const ms of pauses) {
    await delay(ms, undefined, { signal }).catch(() => undefined);
    if (signal?.aborted) return undefined;
    // Where it cannot be read now, the next look may succeed; if none does, the outcome stays unknown.
    const found = await look(signal).catch(() => undefined);
    if (found) return found;
  }
  return undefined;
}

/** Whether what is there shows no trace of a write, not even one that reads back with another content. */
function showsNothing<T>(write: Traces<T>, present: readonly T[], known: ReadonlySet<string>): boolean {
  const { kind } = write;
  if (kind === 'change') return present.every((found) => write.isAsBefore?.(found) ?? !write.hasContent(found));
  if (kind === 'create') return present.every((found) => known.has(write.idOf(found)));
  return present.some((found) => known.has(write.idOf(found)));
}

function matchOf<T>(
  write: Pick<Traces<T>, 'kind' | 'idOf' | 'hasContent'>,
  present: readonly T[],
  known: ReadonlySet<string>,
): Reconciled<T> | undefined {
  if (write.kind === 'delete') {
    // What could not be seen before the deletion proves nothing by not being seen after it.
    const isGone = known.size > 0 && !present.some((found) => known.has(write.idOf(found)));
    return isGone ? { kind: 'reconciled', found: undefined } : undefined;
  }
  const mine = present.filter((found) => !known.has(write.idOf(found)) && write.hasContent(found));
  // Two that are alike: somebody else made one at the same moment, and which is ours cannot be told.
  return mine.length === 1 ? { kind: 'reconciled', found: mine[0] } : undefined;
}
