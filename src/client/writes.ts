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
  /** Identifies one of them; a create is recognised by an id that was not there before it. */
  idOf(found: T): string;
  /** Whether `found` has the content that was written. */
  hasContent(found: T): boolean;
  kind: 'create' | 'change' | 'delete';
}

/** How a write came out: with its reply, or found to be done although its reply was lost. */
export type WriteOutcome<P extends EndpointPath, T> =
  { kind: 'answered'; reply: ReplyOf<P> } | { kind: 'reconciled'; found: T | undefined };

/** Pauses before each look at the server, in milliseconds: a write may commit after its connection broke. */
export const settlePauses: readonly number[] = [250, 500, 1000, 2000];

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
 * again. A create first reads what is there, so that its own object is told from one that has the name already.
 * @throws {ClientError} of kind unknownOutcome when reading does not show the write: it may still come; else as
 * {@link AnalyticsClient.call}.
 */
export async function writeOnce<P extends EndpointPath, T>(
  client: AnalyticsClient,
  write: Write<P, T>,
  options: CallOptions & { pauses?: readonly number[] } = {},
): Promise<WriteOutcome<P, T>> {
  const { pauses = settlePauses, ...limits } = options;
  const known =
    write.kind === 'create'
      ? new Set((await write.read(limits.signal)).map((found) => write.idOf(found)))
      : new Set<string>();
  try {
    return { kind: 'answered', reply: await client.call(write.path, write.body, limits) };
  } catch (error) {
    if (!isClientError(error) || !isUnknown(error)) throw error;
    const found = await settle(write, known, pauses);
    if (found) return found;
    throw new ClientError(
      'unknownOutcome',
      `${client.target.name} may or may not have taken ${write.object}: ${error.message}`,
      { server: client.target.name, endpoint: write.path, cause: error },
    );
  }
}

/** Whether the server may have done what was asked although the call failed. */
export function isUnknown(error: ClientError): boolean {
  if (error.isUnsent || verdicts.includes(error.kind)) return false;
  // A refusal with the server's own code is a verdict; a bare status, from it or from a gateway, is none.
  return error.kind !== 'refused' || error.code === undefined;
}

/** Looks for the write until it shows. The caller's signal is not heard: whoever cancels a write must know its fate. */
async function settle<P extends EndpointPath, T>(
  write: Write<P, T>,
  known: ReadonlySet<string>,
  pauses: readonly number[],
): Promise<{ kind: 'reconciled'; found: T | undefined } | undefined> {
  for (const ms of pauses) {
    await delay(ms);
    let present: readonly T[];
    try {
      present = await write.read(undefined);
    } catch (error) {
      // It cannot be read now; the next look may succeed, and if none does the outcome stays unknown.
      if (!isClientError(error)) throw error;
      continue;
    }
    const match = matchOf(write, present, known);
    if (match) return match;
  }
  return undefined;
}

function matchOf<T>(
  write: Pick<Write<EndpointPath, T>, 'kind' | 'idOf' | 'hasContent'>,
  present: readonly T[],
  known: ReadonlySet<string>,
): { kind: 'reconciled'; found: T | undefined } | undefined {
  if (write.kind === 'delete') return present.length === 0 ? { kind: 'reconciled', found: undefined } : undefined;
  const mine = present.filter((found) => !known.has(write.idOf(found)) && write.hasContent(found));
  // Two that are alike: somebody else made one at the same moment, and which is ours cannot be told.
  return mine.length === 1 ? { kind: 'reconciled', found: mine[0] } : undefined;
}
