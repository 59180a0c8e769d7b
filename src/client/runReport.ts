import { fieldAt } from '../contract/echo.ts';
import type { RequestOf } from '../contract/endpoints.ts';
import { readEnvelope } from '../contract/envelope.ts';
import { errorCodes } from '../contract/errorCodes.ts';
import { idText } from '../contract/idText.ts';
import type { AnalyticsClient } from './client.ts';
import { ClientError } from './clientError.ts';
import { decodeReply } from './http/reply/decode.ts';
import { emptyReply } from './http/reply/rawReply.ts';
import { readResult, type ReadResultOptions, type ResultOutcome } from './results/readResult.ts';
import { defaultCaps } from './results/resultError.ts';
import type { ResultStore } from './results/resultStore.ts';
import type { IncomingReply } from './http/transport.ts';
import * as l10n from '../l10n/l10n.ts';

const reportEndpoint = 'Report/GetReportData';
const auditEndpoint = 'Audit/GetAuditTrail';
const deadlineMs = 30 * 60_000;
/** The reply to a rejected token is shorter than this; a longer result needs no check. */
const headBytes = 1024;

/** A result being read: the store fills while `done` is pending. */
export interface RunningResult {
  readonly store: ResultStore;
  /** The outcome of reading; never rejects. */
  readonly done: Promise<ResultOutcome>;
}

/**
 * Runs a prepared report and streams its rows into a store. Renews a rejected token once before any row is read. API
 * description, Reports (GetReportData).
 * @throws {ClientError} when no result begins: not signed in, no permission, unreachable, cancelled.
 */
export function runReport(
  client: AnalyticsClient,
  body: RequestOf<typeof reportEndpoint>,
  options: ReadResultOptions = {},
): Promise<RunningResult> {
  return streamResult(client, { endpoint: reportEndpoint, body }, { ...options, reportIds: reportIdsOf(body) });
}

/**
 * Streams the audit trail of the embedded server into a store.
 * @throws {ClientError} of kind notFound where a server lacks the call, which the API description does not have.
 */
export function readAuditTrail(client: AnalyticsClient, options: ReadResultOptions = {}): Promise<RunningResult> {
  return streamResult(client, { endpoint: auditEndpoint, body: {} }, options);
}

/** A call whose reply is a report result. */
type ResultCall =
  | { endpoint: typeof reportEndpoint; body: RequestOf<typeof reportEndpoint> }
  | { endpoint: typeof auditEndpoint; body: RequestOf<typeof auditEndpoint> };

async function streamResult(
  client: AnalyticsClient,
  { endpoint, body }: ResultCall,
  options: ReadResultOptions,
): Promise<RunningResult> {
  const maxBytes = options.caps?.maxBytes ?? defaultCaps.maxBytes;
  const asked = { server: client.target.name, endpoint };
  const chunks = await client.withToken(
    endpoint,
    async (token, holder) => {
      const reply = await holder.stream(endpoint, body, token, { deadlineMs, maxBytes, signal: options.signal });
      return reply.status === 200 ? openResult(reply, asked) : rejectStatus(reply, asked);
    },
    options.signal,
    (result) => result === emptyReply,
  );
  if (chunks === emptyReply) {
    const words =
      endpoint === auditEndpoint
        ? l10n.t('{0} returned no audit trail: only administrators may read it.', asked.server)
        : l10n.t('{0} returned no result: the account has no permission for the report.', asked.server);
    throw new ClientError('noPermission', words, asked);
  }
  return readResult(chunks, options);
}

/** The call that a reply belongs to, for error messages. */
interface AskedCall {
  server: string;
  endpoint: ResultCall['endpoint'];
}

/** Ids of the report that is run and of a drill-down target: servers answer with either. */
function reportIdsOf({ Reportobj, TargetReportobj }: RequestOf<typeof reportEndpoint>): string[] {
  const ids = [Reportobj, TargetReportobj].map((metadata) => idText(fieldAt(metadata, 'Report.ReportID')));
  return ids.filter((id) => id !== '' && id !== '0');
}

/** Checks the start of a reply and returns all of it; an empty list, like an empty reply, is inconclusive. */
async function openResult(
  reply: IncomingReply,
  asked: AskedCall,
): Promise<AsyncIterable<Uint8Array> | typeof emptyReply> {
  const iterator = reply.body[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  while (size <= headBytes && !isWhole) {
    const next = await iterator.next();
    if (next.done) isWhole = true;
    else {
      head.push(next.value);
      size += next.value.byteLength;
    }
  }
  if (isWhole) {
    const text = new TextDecoder().decode(Buffer.concat(head)).trim();
    if (/^\[\s*\]$/.test(text)) return emptyReply;
    throwIfTokenRejected(text, asked);
  }
  return replay(head, iterator);
}

function throwIfTokenRejected(text: string, asked: AskedCall): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The scanner gives a more precise error.
    return;
  }
  // Some releases answer with a list that contains one failure.
  const outcome = readEnvelope(Array.isArray(value) ? value[0] : value, 'standard');
  if (outcome.ok || outcome.code !== errorCodes.notSignedIn) return;
  throw new ClientError('notSignedIn', `${asked.server}: ${outcome.message}`, { ...asked, code: outcome.code });
}

/** Throws for a status other than 200; the body has no further details, so it is not read. */
function rejectStatus(reply: IncomingReply, asked: AskedCall): typeof emptyReply {
  const { server, endpoint } = asked;
  const value = decodeReply(endpoint, { ...reply, text: '' }, server);
  if (value === emptyReply) return value;
  throw new ClientError(
    'malformed',
    l10n.t('{0} answered {1} with status {2}.', server, endpoint, reply.status),
    asked,
  );
}

async function* replay(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
