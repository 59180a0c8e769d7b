import { setTimeout as delay } from 'node:timers/promises';
import type { EndpointPath, ReplyOf, RequestOf } from '../../contract/endpoints.ts';
import type { AnalyticsClient, CallOptions, WriteGuard } from '../client.ts';
import { ClientError, isClientError } from '../clientError.ts';
import { awaitServer } from '../http/cancelScope.ts';
import { writeAccepted } from '../http/joinedReads.ts';
import * as l10n from '../../l10n/l10n.ts';
import type { JournalledWrite, WriteJournal } from './writeJournal.ts';
import { SeenTraces, type Reconciled, type Traces } from './writeTraces.ts';
import { acceptedOnly, isDenial, isUnknown, unknownOutcome, WriteNotDone } from './writeVerdict.ts';

/** A write that consists of one call. */
export interface Write<P extends EndpointPath, T> extends Traces<T> {
  path: P;
  body: RequestOf<P>;
}

/** Outcome of a write: its reply, or found on the server although the reply was lost. */
export type WriteOutcome<R, T> = { kind: 'answered'; reply: R } | Reconciled<T>;

/** Options for checking the outcome of a write. */
export interface WriteOptions {
  signal?: AbortSignal | undefined;
  /** Pauses, in ms, before each check. Default: {@link settlePauses}. */
  pauses?: readonly number[] | undefined;
}

/** Pauses before each check of the server, in milliseconds: a write may commit after its connection broke. */
export const settlePauses: readonly number[] = [250, 500, 1000, 2000];

/** Thrown into a call to prevent that it is sent again: the write was found. */
class WriteFound<T> extends Error {
  readonly outcome: Reconciled<T>;

  constructor(outcome: Reconciled<T>) {
    super('The write is there.');
    this.outcome = outcome;
  }
}

/**
 * Concludes a write that the server accepted or that was found on it, usually by reading it back. The write stays in
 * the journal until then.
 * @throws {WriteNotDone} when the server did not carry out what it accepted; {@link ClientError} of kind unknownOutcome
 * when that cannot be determined; any other error becomes unknownOutcome.
 */
export type Conclude<R, T, C> = (outcome: WriteOutcome<R, T>, signal: AbortSignal | undefined) => Promise<C>;

/** {@link Conclude} for a write whose reply is sufficient. */
export async function asAnswered<O>(outcome: O): Promise<O> {
  return outcome;
}

/** {@link settleWrite} for a write that consists of one call of `client`. */
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
 * Sends a write once. If its reply is lost, waits, reads a limited number of times and compares; does not send it
 * again. Creates and deletions first read the existing objects, to distinguish a create from an object that already has
 * the name, and a deletion from an object that is not visible. Only after a rejected token is the write sent once more,
 * and only if a check does not find it on the server.
 * @param server name for messages, and the journal that stores the write until its outcome is known.
 * @param send makes the call, with the given guard.
 * @throws {ClientError} of kind unknownOutcome when reading does not show the write, which may still be carried out;
 * otherwise the error of `send`, and then nothing was written, or that of `conclude`.
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

/** Every write goes through here: it is in the journal from before it is sent until its outcome is known. */
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

/** Without a conclusion, an accepted write has an unknown outcome. */
async function concluded<C>(server: string, write: JournalledWrite, conclude: () => Promise<C>): Promise<C> {
  writeAccepted();
  try {
    return await conclude();
  } catch (error) {
    if (error instanceof WriteNotDone || isClientError(error, 'unknownOutcome')) throw error;
    throw acceptedOnly(server, write, error instanceof Error ? error : new Error(String(error)));
  }
}

/** @throws {ClientError} of kind storage: a write that cannot be recorded is not sent. */
async function beginEntry({ name, journal }: WriteServer, { kind, object }: JournalledWrite) {
  try {
    return await journal?.begin({ kind, object });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError(
      'storage',
      l10n.t('{0} was not sent to {1}: the record of pending writes cannot be stored ({2}).', object, name, why),
      {
        server: name,
        isUnsent: true,
        remedy: l10n.t('Free up disk space or unlock the folder, then try again.'),
        cause,
      },
    );
  }
}

/**
 * Records the outcome of a write. The server's answer is valid even if this fails: then the entry remains unchanged and
 * is reported as a write of unknown outcome.
 */
async function endEntry(note: () => Promise<void> | undefined): Promise<void> {
  try {
    await note();
  } catch {
    // The disk is not writable now; the entry on it errs on the safe side.
  }
}

/** Why an outcome is unknown, without saying that it is. */
function reasonOf({ cause, message }: ClientError): string {
  return cause instanceof Error ? cause.message : message;
}

/** Target of a write. */
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
    // If the server answered, one check shows whether the denial hid a success. An empty reply may come from a proxy
    // while the server is still working, so it is accepted only after all checks.
    const isAnswered = isClientError(error) && isDenial(error);
    const looks = isAnswered ? [0, ...(wasEmpty ? pauses : [])] : pauses;
    const found = await seek((look) => traces.look(look), looks, signal);
    if (found) return found;
    if (isAnswered && traces.isUntouched) throw error;
    // A local failure after the request was sent says nothing about the outcome.
    throw unknownOutcome(server, traces.write, error instanceof Error ? error : new Error(String(error)));
  }
}

/** Checks for the write until it is found or the caller cancels: then its outcome stays unknown. */
async function seek<T>(
  look: (signal: AbortSignal | undefined) => Promise<Reconciled<T> | undefined>,
  pauses: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Reconciled<T> | undefined> {
  for (const ms of pauses) {
    await delay(ms, undefined, { signal }).catch(() => undefined);
    if (signal?.aborted) return undefined;
    // If reading fails, the next check may succeed; otherwise the outcome stays unknown.
    const found = await look(signal).catch(() => undefined);
    if (found) return found;
  }
  return undefined;
}
