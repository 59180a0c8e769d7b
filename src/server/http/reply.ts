import { StreamedJson } from '../calls/handlers.ts';
import type { EndpointRow, EnvelopeVariant } from '../../contract/endpointRow.ts';
import type { EndpointPath } from '../../contract/endpoints.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import { neverTimestamp } from '../calls/timestamps.ts';

/** What goes back to the client, before compression. */
export interface Reply {
  status: number;
  contentType?: string;
  /** None for 204. */
  body?: string | StreamedJson;
  headers?: Readonly<Record<string, string>>;
}

const json = 'application/json; charset=utf-8';
const plain = 'text/plain; charset=utf-8';

/** A value written as JSON, or a JSON document that is still being made. */
export function jsonReply(value: unknown, status = 200): Reply {
  return { status, contentType: json, body: value instanceof StreamedJson ? value : JSON.stringify(value) };
}

/** Plain text. */
export function textReply(body: string, status = 200): Reply {
  return { status, contentType: plain, body };
}

/**
 * Answers a failure the way the endpoint's replies are read: in its envelope, as its text or as its number. An endpoint
 * that answers a list, or a text of which any value is valid, answers the standard envelope instead, so that a failure
 * is never taken for data. API description, Envelope variants.
 */
export function failureReply(row: EndpointRow, code: number, message: string): Reply {
  const standard = { ErrorCode: code, ErrorMessage: message };
  switch (row.form.kind) {
    case 'json':
      return jsonReply(row.form.shape === 'array' ? standard : envelope(row.form.envelope, code, message));
    case 'text':
      return row.form.success ? textReply(message) : jsonReply(standard);
    case 'number':
      // Where 1 is success, failure is 0; elsewhere the error code itself.
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

/** What a session that is not in force shows. API description, Session. */
const noSession = { SessionToken: null, SessionFlag: 0, isGuestSession: false, SessionExpir: neverTimestamp };
const sessionPaths: readonly EndpointPath[] = ['Session/CheckSession', 'Session/RefreshSession'];

/**
 * Answers a token that is unknown or expired: 101 where an object is expected, an empty array where a list is, and
 * nothing (204) where a text or a number is. API description, Authentication.
 */
export function rejectedToken(path: EndpointPath, row: EndpointRow): Reply {
  if (row.form.kind !== 'json') return { status: 204 };
  if (row.form.shape === 'array') return jsonReply([]);
  const rejection = { ErrorCode: errorCodes.notSignedIn, ErrorMessage: 'Session Expired' };
  if (sessionPaths.includes(path)) return jsonReply({ ...rejection, ...noSession });
  // Whoever runs a report is told to look at HasError alone.
  return jsonReply(row.form.envelope === 'run' ? { ...rejection, HasError: true } : rejection);
}
