import * as z from 'zod';
import type { EndpointRow } from '../contract/endpointRow.ts';
import { endpoints, type EndpointPath, type ReplyOf } from '../contract/endpoints.ts';
import { codeFieldOf, envelopeFields } from '../contract/envelope.ts';
import { errorCodes } from '../contract/errorCodes.ts';
import { idText } from '../contract/idText.ts';
import { fieldAt } from '../contract/echo.ts';
import { ClientError } from './clientError.ts';
import { JsonLimitError, parseExactJson, RepeatedKeyError, roundedNumbers } from './exactJson.ts';
import { malformed, startOf, throwIfAllFailed, throwIfRefused, type ReplyDetails } from './replyProblem.ts';
import { pause } from './waitFor.ts';
import { say } from '../words/say.ts';

/** A whole reply as it came. */
export interface RawReply {
  status: number;
  contentType: string;
  text: string;
}

/** An empty 204: the token is rejected or the caller lacks permission; only CheckSession can tell which. */
export const emptyReply = Symbol('empty reply');

/** Entries of one list that are read; real lists have some ten thousand. */
const maxEntries = 1_000_000;
/** Entries that are checked between two looks at the clock. */
const entriesAtOnce = 64;
/** How long the checks of a long list hold everything else up, in milliseconds. */
const sliceMs = 12;

/** What reading a reply needs besides it. */
export interface DecodeOptions {
  /** Takes what the request kept secret out of what is shown of the reply. */
  hide?: ((text: string) => string) | undefined;
}

/**
 * Decodes the reply of `path`. The value returned is the one that came, unchanged, so that it can be sent back whole; an
 * integer beyond 2^53 is a bigint in it, wherever it stands, which is written back exactly.
 * Anything that does not prove success is a failure. API description, Errors.
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
 * {@link decodeReply} that lets everything else go on while a long list is checked.
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
  // Where any success counts as accepted, what it brought about is read back.
  if (row.form.kind === 'number' && row.form.success === 'any' && isAccepted(raw.status)) return raw.status;
  checkStatus(raw, details);
  const value = readBody(row, raw, details);
  if (value === emptyReply) return emptyReply;
  // Whether it has the right shape, the rounded numbers tell as well.
  const rounded = /\d{16}/.test(raw.text) ? roundedNumbers : (same: unknown) => same;
  if (!Array.isArray(value) || !(row.reply instanceof z.ZodArray)) {
    throwIfUnexpected(row.reply, rounded(value), [], details);
    return value;
  }
  if (value.length > maxEntries) {
    throw new ClientError('tooLarge', say('{0} answered more than {1} entries.', path, maxEntries), details);
  }
  const entries: readonly unknown[] = value;
  for (const [index, entry] of entries.entries()) {
    // One that is wrong is enough: a list of wrong ones would take minutes to describe.
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
  const message = say('Unexpected reply of {0} at {1}: {2}.', details.endpoint, where, issue?.message ?? '?');
  throw new ClientError('malformed', message, { ...details, cause: parsed.error });
}

/** A success that needs no body. One of 200 has a number in it, or is a page of something on the way. */
function isAccepted(status: number): boolean {
  return status > 200 && status < 300;
}

function checkStatus(raw: RawReply, details: ReplyDetails): void {
  if (raw.status === 200) return;
  const { server, endpoint } = details;
  if (raw.status === 404) {
    throw new ClientError('notFound', say('{0} has no {1} (404): wrong address or prefix?', server, endpoint), details);
  }
  if (raw.status >= 300 && raw.status < 400) {
    throw new ClientError(
      'notTheApi',
      say('{0} answered {1} with a redirect ({2}).', server, endpoint, raw.status),
      details,
    );
  }
  if (raw.status === 500) {
    throw new ClientError(
      'refused',
      say('{0} failed on {1} (500): a required value may be missing.', server, endpoint),
      details,
    );
  }
  throw new ClientError('refused', say('{0} answered {1} with status {2}.', server, endpoint, raw.status), details);
}

function readBody(row: EndpointRow, raw: RawReply, details: ReplyDetails): unknown {
  const text = raw.text.trim();
  if (raw.contentType.includes('html') || /^<(!doctype|html)/i.test(text)) {
    throw new ClientError(
      'notTheApi',
      say('{0} answered {1} with a web page.', details.server, details.endpoint),
      details,
    );
  }
  switch (row.form.kind) {
    case 'json':
      return readJson(row, text, details);
    case 'text':
      return readText(raw.text, row.form.success, details);
    case 'number':
      return readNumber(text, row.form.success, details);
  }
}

function readJson(row: EndpointRow, text: string, details: ReplyDetails): unknown {
  const value = parseJson(text, details);
  if (row.form.kind !== 'json') return value;
  const { shape, envelope } = row.form;
  if (shape === 'array') {
    if (Array.isArray(value)) {
      throwIfAllFailed(value, envelope, details);
      return value;
    }
    // A refusal comes as one object, even where entries carry no such fields.
    throwIfRefused(value, envelope, details);
    throw malformed(say('{0} should answer a list.', details.endpoint), text, details);
  }
  throwIfRefused(value, envelope, details);
  if (!isRecord(value)) throw malformed(say('{0} should answer an object.', details.endpoint), text, details);
  const doubt = whyUnproved(row, value, details);
  if (doubt !== undefined) throw malformed(doubt, text, details);
  return value;
}

/**
 * Why an object that tells of no failure is no success either: anything on the way may answer an object of its own. A read
 * must show a field that is listed for it; a write, and what asks about the session, the code of its success, or the object.
 */
function whyUnproved(row: EndpointRow, value: Record<string, unknown>, details: ReplyDetails): string | undefined {
  if (row.form.kind !== 'json' || !(row.reply instanceof z.ZodObject)) return undefined;
  const { endpoint, server } = details;
  const { envelope } = row.form;
  if ((envelope === 'metadata' || envelope === 'prompts') && !isRecord(value.Report)) {
    return say('{0} answered {1} without a report.', server, endpoint);
  }
  const listed = Object.keys(row.reply.shape);
  const codeField = codeFieldOf(envelope);
  if ((row.isSafe && !isAboutSession(endpoint)) || codeField === undefined || !listed.includes(codeField)) {
    const isKnown = listed.some((field) => !envelopeFields.has(field) && Object.hasOwn(value, field));
    return isKnown ? undefined : say('{0} answered {1} with none of the fields that it should have.', server, endpoint);
  }
  const isCoded = value[codeField] !== undefined && value[codeField] !== null && value[codeField] !== '';
  const proof = row.proof === undefined ? undefined : fieldAt(value, row.proof);
  const isProved = isRecord(proof) || !['', '0'].includes(idText(proof));
  return isCoded || isProved ? undefined : say('{0} answered {1} without saying that it succeeded.', server, endpoint);
}

function isAboutSession(endpoint: string): boolean {
  return /^session\//i.test(endpoint);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readText(
  text: string,
  success: readonly string[] | undefined,
  details: ReplyDetails,
): string | typeof emptyReply {
  const trimmed = text.trim();
  // As everywhere, an empty list may be a rejected token.
  if (/^\[\s*\]$/.test(trimmed)) return emptyReply;
  // What begins like an object is read as one or not at all: a refusal that was cut short is no text that was asked for.
  if (/^\{\s*["}]/.test(trimmed)) throwIfRefused(parseJson(trimmed, details), 'standard', details);
  const parsed = tryJson(trimmed);
  const value = typeof parsed === 'string' ? parsed : trimmed;
  if (success && !success.includes(value)) {
    throw new ClientError(
      'refused',
      say('{0} refused {1}: {2}', details.server, details.endpoint, startOf(value, details)),
      details,
    );
  }
  if (!success && value === '') {
    throw new ClientError('malformed', say('{0} answered nothing.', details.endpoint), details);
  }
  if (!success && parsed !== undefined && typeof parsed !== 'string') {
    // An object, a number or null is no text that was asked for.
    throw malformed(say('{0} should answer text.', details.endpoint), value, details);
  }
  return value;
}

function readNumber(text: string, success: number | 'any', details: ReplyDetails): number {
  const value = tryJson(text);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throwIfRefused(value, 'standard', details);
    throw malformed(say('{0} should answer a number.', details.endpoint), text, details);
  }
  if (success !== 'any' && number !== success) {
    const code = number === errorCodes.notSignedIn ? 'notSignedIn' : 'refused';
    throw new ClientError(code, say('{0} refused {1} ({2}).', details.server, details.endpoint, number), {
      ...details,
      code: number,
    });
  }
  return number;
}

function parseJson(text: string, details: ReplyDetails): unknown {
  try {
    return parseExactJson(text);
  } catch (cause) {
    if (cause instanceof JsonLimitError) {
      throw new ClientError('tooLarge', say('The reply of {0} is not read: {1}.', details.endpoint, cause.message), {
        ...details,
        cause,
        remedy: say('Ask whoever runs the server what is wrong with the object.'),
      });
    }
    if (cause instanceof RepeatedKeyError) {
      const message = say('The reply of {0} is not read: {1}.', details.endpoint, cause.message);
      throw new ClientError('malformed', message, { ...details, cause });
    }
    if (text === '') {
      throw new ClientError('malformed', say('{0} answered an empty body.', details.endpoint), details);
    }
    // The parser's own words quote the text, cut anywhere: they are no cause to keep.
    throw malformed(say('{0} answered no valid JSON.', details.endpoint), text, details);
  }
}

function tryJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    // Not JSON, or none to read: the caller decides whether plain text is what it wants.
    return undefined;
  }
}
