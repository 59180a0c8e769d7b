import { StreamedJson } from '../calls/handlers.ts';
import type { EndpointRow, EnvelopeVariant } from '../../contract/endpointRow.ts';
import type { EndpointPath } from '../../contract/endpoints.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import { neverTimestamp } from '../calls/timestamps.ts';
import { ServerStopping } from './runningCall.ts';

/** How a call ended, as operators count it. */
export type CallOutcome =
  | 'success'
  /** The endpoint answered an error. */
  | 'refused'
  | 'malformed'
  /** The token is unknown or expired. */
  | 'signed_out'
  | 'no_permission'
  /** Unexpectedly; the log says more. */
  | 'failed'
  /** The client disconnected. */
  | 'cut_off'
  /** The server stops. */
  | 'stopping';

/** A reply before compression. */
export interface Reply {
  status: number;
  /** Default `success`. */
  outcome?: CallOutcome;
  contentType?: string;
  /** Omitted for 204. */
  body?: string | StreamedJson;
  headers?: Readonly<Record<string, string>>;
}

const json = 'application/json; charset=utf-8';
const plain = 'text/plain; charset=utf-8';

/** A value written as JSON, or a streamed JSON document. */
export function jsonReply(value: unknown, status = 200): Reply {
  return { status, contentType: json, body: value instanceof StreamedJson ? value : JSON.stringify(value) };
}

export function textReply(body: string, status = 200): Reply {
  return { status, contentType: plain, body };
}

/**
 * Returns a failure in the form of the endpoint's replies: in its envelope, as its text or as its number. Endpoints
 * that return a list, or a text of which any value is valid, use the standard envelope, so that a failure is never
 * taken for data. API description, Envelope variants.
 */
export function failureReply(row: EndpointRow, code: number, message: string, outcome: CallOutcome = 'refused'): Reply {
  return { ...failureOf(row, code, message), outcome };
}

/** Refuses a call because the server stops: in the endpoint's own form, with status 503, which clients may repeat. */
export function stoppingReply(row: EndpointRow): Reply {
  const reply = failureReply(row, errorCodes.notCompleted, new ServerStopping().message, 'stopping');
  return { ...reply, status: 503, headers: { 'Retry-After': '10' } };
}

function failureOf(row: EndpointRow, code: number, message: string): Reply {
  const standard = { ErrorCode: code, ErrorMessage: message };
  switch (row.form.kind) {
    case 'json':
      return jsonReply(row.form.shape === 'array' ? standard : envelope(row.form.envelope, code, message));
    case 'text':
      return row.form.success ? textReply(message) : jsonReply(standard);
    case 'number':
      // If 1 means success, failure is 0; otherwise it is the error code itself.
      return textReply(row.form.success === 1 ? '0' : String(code));
  }
}

function envelope(variant: EnvelopeVariant, code: number, message: string): object {
  switch (variant) {
    case 'standard':
    case 'none':
      return { ErrorCode: code, ErrorMessage: message };
    case 'upper':
      return { ERROR_CODE: code, ERROR_MESSAGE: message };
    case 'lower':
      return { error_code: code, error_message: message };
    case 'return':
      return { returncode: code, message };
    case 'code':
      return { Code: code, Message: message };
    case 'run':
      return { ErrorCode: 0, ErrorMessage: message, HasError: true };
    case 'metadata':
    case 'prompts':
      return { Report: { ErrorCode: code, ErrorMessage: message }, Prompts: null };
  }
}

/** Fields of an invalid session. API description, Session. */
const noSession = { SessionToken: null, SessionFlag: 0, isGuestSession: false, SessionExpir: neverTimestamp };
const sessionPaths: readonly EndpointPath[] = ['Session/CheckSession', 'Session/RefreshSession'];

/**
 * Replies to an unknown or expired token: 101 for an object, an empty array for a list, and no content (204) for a text
 * or a number. API description, Authentication.
 */
export function rejectedToken(path: EndpointPath, row: EndpointRow): Reply {
  return { ...rejectionOf(path, row), outcome: 'signed_out' };
}

function rejectionOf(path: EndpointPath, row: EndpointRow): Reply {
  if (row.form.kind !== 'json') return { status: 204 };
  if (row.form.shape === 'array') return jsonReply([]);
  const rejection = { ErrorCode: errorCodes.notSignedIn, ErrorMessage: 'Session Expired' };
  if (sessionPaths.includes(path)) return jsonReply({ ...rejection, ...noSession });
  // Clients that run reports are documented to check HasError only.
  return jsonReply(row.form.envelope === 'run' ? { ...rejection, HasError: true } : rejection);
}
