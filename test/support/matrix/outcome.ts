import { readEnvelope } from '../../../src/contract/envelope.ts';
import type { EndpointRow } from '../../../src/contract/endpointRow.ts';
import { endpoints, type EndpointPath } from '../../../src/contract/endpoints.ts';
import { isRecord } from '../isRecord.ts';
import { type ServerReply } from '../server.ts';

/**
 * What became of a call, as one sign: `+` done, `-` 204, `0` an empty list, `1` error code 101, `!` refused with
 * another code, text or number of the endpoint's own form.
 */
export type Outcome = '+' | '-' | '0' | '1' | '!';

/** Reads a reply by the form that the contract gives its endpoint. @throws Error when it has another one. */
export function outcomeOf(path: EndpointPath, { status, text, json }: ServerReply): Outcome {
  const { form }: EndpointRow = endpoints[path];
  if (status === 204 && text === '') return '-';
  if (status !== 200) throw new Error(`${path} answered status ${status}: ${text.slice(0, 200)}`);
  // Lists and free texts are refused by the standard envelope in their place.
  const isEnvelope = isRecord(json) && 'ErrorCode' in json && 'ErrorMessage' in json;
  switch (form.kind) {
    case 'text':
      if (form.success) return form.success.includes(text) ? '+' : '!';
      return isEnvelope ? '!' : '+';
    case 'number':
      if (!/^\d+$/.test(text)) throw new Error(`${path} answered no number: ${text.slice(0, 200)}`);
      return Number(text) === (form.success === 'any' ? 1 : form.success) ? '+' : '!';
    case 'json':
      if (form.shape === 'array' && Array.isArray(json)) return json.length === 0 ? '0' : '+';
      if (!isRecord(json)) throw new Error(`${path} answered no JSON object: ${text.slice(0, 200)}`);
      return outcomeOfObject(form.shape === 'array' || form.envelope === 'none' ? 'standard' : form.envelope, json);
  }
}

function outcomeOfObject(variant: Parameters<typeof readEnvelope>[1], json: Record<string, unknown>): Outcome {
  const read = readEnvelope(json, variant);
  if (read.ok) return '+';
  return read.code === 101 ? '1' : '!';
}

/** What a refused call shows: the error code, or the text or number that stands for it. For the printed matrix. */
export function shownReply(path: EndpointPath, reply: ServerReply): string {
  const { form }: EndpointRow = endpoints[path];
  const { status, text, json } = reply;
  if (status !== 200) return text === '' ? String(status) : `status ${status}`;
  if (text === '[]') return '`[]`';
  if (form.kind === 'number') return `\`${text}\``;
  if (form.kind === 'text' && !isRecord(json)) return outcomeOf(path, reply) === '+' ? 'text' : 'error text';
  if (Array.isArray(json)) return 'list';
  if (!isRecord(json)) throw new Error(`${path} answered ${text.slice(0, 200)}`);
  if (json.HasError === true) return 'HasError';
  const holder = isRecord(json.Report) ? json.Report : json;
  const code = [holder.ErrorCode, holder.ERROR_CODE, holder.error_code, holder.returncode, holder.Code].find(
    (value) => value !== undefined && value !== null,
  );
  return code === undefined ? 'object' : String(Number(code));
}
