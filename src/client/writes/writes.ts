import { setTimeout as delay } from 'node:timers/promises';
import type { EndpointPath, ReplyOf, RequestOf } from '../../contract/endpoints.ts';
import type { AnalyticsClient, CallOptions, WriteGuard } from '../client.ts';
import { ClientError, isClientError } from '../clientError.ts';
import { awaitServer } from '../http/cancelScope.ts';
import { say } from '../../l10n/l10n.ts';
import type { JournalledWrite, WriteJournal } from './writeJournal.ts';
import { SeenTraces, type Reconciled, type Traces } from './writeTraces.ts';
import { acceptedOnly, isDenial, isUnknown, unknownOutcome, WriteNotDone } from './writeVerdict.ts';

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

/**
 * What is made of a write that the server accepted, or that a look has found: usually by reading it back. Until it is done the
 * write stays in the journal.
 * @throws {WriteNotDone} when the server has not done what it accepted; {@link ClientError} of kind unknownOutcome when that
 * cannot be told; whatever else it throws becomes unknownOutcome.
 */
export type Conclude<R, T, C> = (outcome: WriteOutcome<R, T>, signal: AbortSignal | undefined) => Promise<C>;

/** {@link Conclude} where the reply says all there is to know. */
export async function asAnswered<O>(outcome: O): Promise<O> {
  return outcome;
}

/** {@link settleWrite} for a write that is one call of `client`. */
export function writeOnce<P extends EndpointPath, T, C>(
  client: AnalyticsClient,
  write: Write<P, T>,
  conclude: Conclude<ReplyOf<P>, T, C>,
  { pauses, ...limits }: CallOptions & WriteOptions = {},
): Promise<C> {
  const send = (guard: WriteGuard) => client.call(write.path, write.body, { ...limits, guard });
  const server = { name: client.target.name, journal: client.journal };
  return settleWrite(server, write, send, conclude, { signal: limits.signal, pauses });
}

/**
 * Sends a write once. When its reply is lost, waits, reads again a bounded number of times and compares; it is not sent
 * again. Creates and deletions first read what is there, so that a create is told from an object that has the name
 * already, and a deletion from an object that cannot be seen. Only after a rejected token is it sent once more, and only
 * when a look at the server does not show it.
 * @param server name for messages, and the journal that keeps the write until its outcome is known.
 * @param send makes the call, with the guard given to it.
 * @throws {ClientError} of kind unknownOutcome when reading does not show the write: it may still come; else what `send`
 * threw, and then nothing was written, or the refusal of `conclude`.
 */
export function settleWrite<R, T, C>(
  server: WriteServer,
  write: Traces<T>,
  send: (guard: WriteGuard) => Promise<R>,
  conclude: Conclude<R, T, C>,
  { signal, pauses = settlePauses }: WriteOptions = {},
): Promise<C> {
  return awaitServer(server.name, signal, async (either) => {
    const before = write.kind === 'change' ? [] : await write.read(either);
    const traces = new SeenTraces(write, new Set(before.map((found) => write.idOf(found))));
    return journalled(server, traces, async () => {
      const outcome = await sendOnce(server.name, traces, send, { signal: either, pauses });
      return concluded(server.name, write, () => conclude(outcome, either));
    });
  });
}

/** The one way a write takes: in the journal before it is sent, and there until its outcome is known. */
async function journalled<T, C>(server: WriteServer, traces: SeenTraces<T>, work: () => Promise<C>): Promise<C> {
  const entry = await beginEntry(server, traces.write);
  try {
    const result = await work();
    await endEntry(() => entry?.settled());
    return result;
  } catch (error) {
    const isOpen = isClientError(error, 'unknownOutcome');
    await endEntry(() =>
      isOpen ? entry?.unknown(reasonOf(error), async () => (await traces.look()) !== undefined) : entry?.settled(),
    );
    throw error;
  }
}

/** Without a word on what came of it, a write that was accepted is one of unknown outcome. */
async function concluded<C>(server: string, write: JournalledWrite, conclude: () => Promise<C>): Promise<C> {
  try {
    return await conclude();
  } catch (error) {
    if (error instanceof WriteNotDone || isClientError(error, 'unknownOutcome')) throw error;
    throw acceptedOnly(server, write, error instanceof Error ? error : new Error(String(error)));
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
    // Where the server had answered, one look tells whether its words hid a success. An empty reply may be from something on
    // the way while the server is still at work, so that it is believed only after all looks.
    const isAnswered = isClientError(error) && isDenial(error);
    const looks = isAnswered ? [0, ...(wasEmpty ? pauses : [])] : pauses;
    const found = await seek((look) => traces.look(look), looks, signal);
    if (found) return found;
    if (isAnswered && traces.isUntouched) throw error;
    // A failure of our own after the request went out tells nothing of what the server did.
    throw unknownOutcome(server, traces.write, error instanceof Error ? error : new Error(String(error)));
  }
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
