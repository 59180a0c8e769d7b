import * as z from 'zod';
import type { EndpointRow } from '../../../contract/endpointRow.ts';
import { endpoints, type EndpointPath, type ReplyOf } from '../../../contract/endpoints.ts';
import { ClientError } from '../../clientError.ts';
import { roundedNumbers } from './exactJson.ts';
import { emptyReply, type RawReply } from './rawReply.ts';
import { readBody } from './replyBody.ts';
import type { ReplyDetails } from './replyProblem.ts';
import { pause } from '../waitFor.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** Maximum number of entries in a list; real lists have about ten thousand. */
const maxEntries = 1_000_000;
/** Entries checked between two looks at the clock. */
const entriesAtOnce = 64;
/** Maximum time that checking a long list blocks other work, in milliseconds. */
const sliceMs = 12;

/** Options for decoding a reply. */
export interface DecodeOptions {
  /** Removes the request's secrets from the parts of a reply that are shown. */
  hide?: ((text: string) => string) | undefined;
}

/**
 * Decodes the reply of `path`. Returns the received value unchanged, so that it can be sent back whole; integers beyond
 * 2^53 become bigints, which are written back exactly. Anything that does not prove success is a failure. API
 * description, Errors.
 * @throws {ClientError} of kind notFound, notTheApi, malformed, tooLarge, notSignedIn or refused.
 */
export function decodeReply<P extends EndpointPath>(
  path: P,
  raw: RawReply,
  server: string,
  options: DecodeOptions = {},
): ReplyOf<P> | typeof emptyReply {
  const steps = decodeSteps(path, raw, server, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value as ReplyOf<P> | typeof emptyReply;
  }
}

/**
 * Like {@link decodeReply}, but yields to other work while checking a long list.
 * @throws {ClientError} also of kind cancelled or timeout.
 */
export async function decodeInSlices<P extends EndpointPath>(
  path: P,
  raw: RawReply,
  server: string,
  limits: DecodeOptions & { signal?: AbortSignal | undefined; deadlineMs: number },
): Promise<ReplyOf<P> | typeof emptyReply> {
  const steps = decodeSteps(path, raw, server, limits);
  const { deadlineMs, signal } = limits;
  for (let began = performance.now(); ;) {
    const step = steps.next();
    if (step.done) return step.value as ReplyOf<P> | typeof emptyReply;
    if (performance.now() - began < sliceMs) continue;
    await pause(0, { signal, deadlineMs }, { server, endpoint: path });
    began = performance.now();
  }
}

function* decodeSteps(
  path: EndpointPath,
  raw: RawReply,
  server: string,
  { hide = (text) => text }: DecodeOptions,
): Generator<void, unknown> {
  const details: ReplyDetails = { server, endpoint: path, status: raw.status, hide };
  if (raw.status === 204) return emptyReply;
  const row: EndpointRow = endpoints[path];
  // Where any number counts as success, the caller reads the result back.
  if (row.form.kind === 'number' && row.form.success === 'any' && isAccepted(raw.status)) return raw.status;
  checkStatus(raw, details);
  const value = yield* readBody(row, raw, details);
  if (value === emptyReply) return emptyReply;
  // Rounded numbers are sufficient to check the shape.
  const rounded = /\d{16}/.test(raw.text) ? roundedNumbers : (same: unknown) => same;
  if (!Array.isArray(value) || !(row.reply instanceof z.ZodArray)) {
    throwIfUnexpected(row.reply, rounded(value), [], details);
    return value;
  }
  if (value.length > maxEntries) {
    throw new ClientError('tooLarge', l10n.t('{0} returned more than {1} entries.', path, maxEntries), details);
  }
  const entries: readonly unknown[] = value;
  for (const [index, entry] of entries.entries()) {
    // One invalid entry is enough: describing a list of them would take minutes.
    throwIfUnexpected(row.reply.element, rounded(entry), [index], details);
    if (index % entriesAtOnce === entriesAtOnce - 1) yield;
  }
  return entries;
}

function throwIfUnexpected(
  schema: z.core.$ZodType,
  value: unknown,
  place: readonly number[],
  details: ReplyDetails,
): void {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return;
  const issue = parsed.error.issues[0];
  const where = [...place, ...(issue?.path ?? [])].join('.') || '/';
  const message = l10n.t('Unexpected reply of {0} at {1}: {2}.', details.endpoint, where, issue?.message ?? '?');
  throw new ClientError('malformed', message, { ...details, cause: parsed.error });
}

/**
 * Whether the status is a success without a body. A 200 must contain a number; otherwise it may be a page from a proxy.
 */
function isAccepted(status: number): boolean {
  return status > 200 && status < 300;
}

function checkStatus(raw: RawReply, details: ReplyDetails): void {
  if (raw.status === 200) return;
  const { server, endpoint } = details;
  if (raw.status === 404) {
    throw new ClientError(
      'notFound',
      l10n.t('{0} has no {1} (404). The address or prefix may be wrong.', server, endpoint),
      details,
    );
  }
  if (raw.status >= 300 && raw.status < 400) {
    throw new ClientError(
      'notTheApi',
      l10n.t('{0} answered {1} with a redirect ({2}).', server, endpoint, raw.status),
      details,
    );
  }
  if (raw.status === 500) {
    throw new ClientError(
      'refused',
      l10n.t('{0} failed on {1} (500): a required value may be missing.', server, endpoint),
      details,
    );
  }
  throw new ClientError('refused', l10n.t('{0} answered {1} with status {2}.', server, endpoint, raw.status), details);
}
