import { setTimeout as delay } from 'node:timers/promises';
import type { EndpointPath, ReplyOf, RequestOf } from '../contract/endpoints.ts';
import type { AnalyticsClient, CallOptions } from './client.ts';
import { ClientError, isClientError, type ClientErrorKind } from './clientError.ts';

/** One write, and how to find out afterwards what became of it. */
export interface Write<P extends EndpointPath, T> {
  path: P;
  body: RequestOf<P>;
  /** What is written, for messages, for example `the data tag Region`. */
  object: string;
  /**
   * Reads what has the natural key of the object now: for a change the object itself, for a create all that carry the
   * name in that place, for a deletion likewise.
   */
  read(signal: AbortSignal | undefined): Promise<readonly T[]>;
  /** Identifies one of them: a create is recognised by an id that was not there before, a deletion by one that was. */
  idOf(found: T): string;
  /** Whether `found` has the content that was written. */
  hasContent(found: T): boolean;
  kind: 'create' | 'change' | 'delete';
}

/** How a write came out: with its reply, or found to be done although its reply was lost. */
export type WriteOutcome<P extends EndpointPath, T> = { kind: 'answered'; reply: ReplyOf<P> } | Reconciled<T>;

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

/**
 * Sends a write once. When its reply is lost, waits, reads again a bounded number of times and compares; it is not sent
 * again. Creates and deletions first read what is there, so that a create is told from an object that has the name
 * already, and a deletion from an object that cannot be seen. Only after a rejected token is it sent once more, and only
 * when a look at the server does not show it.
 * @throws {ClientError} of kind unknownOutcome when reading does not show the write: it may still come; else as
 * {@link AnalyticsClient.call}, and then nothing was written.
 */
export async function writeOnce<P extends EndpointPath, T>(
  client: AnalyticsClient,
  write: Write<P, T>,
  options: CallOptions & { pauses?: readonly number[] } = {},
): Promise<WriteOutcome<P, T>> {
  const { pauses = settlePauses, ...limits } = options;
  const before = write.kind === 'change' ? [] : await write.read(limits.signal);
  const known = new Set(before.map((found) => write.idOf(found)));
  const look = async (signal?: AbortSignal) => matchOf(write, await write.read(signal), known);
  let wasEmpty = false;
  const guard = {
    answeredEmpty: () => {
      wasEmpty = true;
    },
    beforeResend: async () => {
      const outcome = await look(limits.signal);
      if (outcome) throw new WriteFound(outcome);
    },
  };
  try {
    return { kind: 'answered', reply: await client.call(write.path, write.body, { ...limits, guard }) };
  } catch (error) {
    if (error instanceof WriteFound) return (error as WriteFound<T>).outcome;
    if (!isClientError(error)) throw error;
    // The server had answered, so one look tells whether the empty reply hid a success.
    const isDenied = error.kind === 'noPermission';
    if (!wasEmpty && !isDenied && !isUnknown(error)) throw error;
    const { found, wasSeen } = await settle(look, isDenied ? [0] : pauses);
    if (found) return found;
    if (isDenied && wasSeen) throw error;
    const message = `${client.target.name} may or may not have taken ${write.object}: ${error.message}`;
    throw new ClientError('unknownOutcome', message, {
      server: client.target.name,
      endpoint: write.path,
      cause: error,
    });
  }
}

/** Whether the server may have done what was asked although the call failed. */
export function isUnknown(error: ClientError): boolean {
  if (error.isUnsent || verdicts.includes(error.kind)) return false;
  // A refusal with the server's own code is a verdict; a bare status, from it or from a gateway, is none.
  return error.kind !== 'refused' || error.code === undefined;
}

/** Whether a failed write may still be there: its outcome is unknown, or its reply was empty, which may hide a success. */
export function mayHaveArrived(error: ClientError): boolean {
  return isUnknown(error) || error.kind === 'noPermission';
}

/** Pauses before the looks at what became of a write: after an empty reply one look tells, as the server had answered. */
export function pausesAfter(error: ClientError, pauses: readonly number[]): readonly number[] {
  return error.kind === 'noPermission' ? [0] : pauses;
}

/** Looks for the write until it shows. The caller's signal is not heard: whoever cancels a write must know its fate. */
async function settle<T>(
  look: () => Promise<Reconciled<T> | undefined>,
  pauses: readonly number[],
): Promise<{ found?: Reconciled<T>; wasSeen: boolean }> {
  let wasSeen = false;
  for (const ms of pauses) {
    await delay(ms);
    try {
      const found = await look();
      wasSeen = true;
      if (found) return { found, wasSeen };
    } catch (error) {
      // It cannot be read now; the next look may succeed, and if none does the outcome stays unknown.
      if (!isClientError(error)) throw error;
    }
  }
  return { wasSeen };
}

function matchOf<T>(
  write: Pick<Write<EndpointPath, T>, 'kind' | 'idOf' | 'hasContent'>,
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
