import { StreamedJson } from '../calls/handlers.ts';

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
