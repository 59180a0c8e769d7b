import type { EndpointRow } from '../contract/endpointRow.ts';
import { endpoints, type EndpointPath, type ReplyOf } from '../contract/endpoints.ts';
import { readEnvelope } from '../contract/envelope.ts';
import { errorCodes } from '../contract/errorCodes.ts';
import { ClientError, type ClientErrorDetails } from './clientError.ts';
import { JsonLimitError, parseExactJson, RepeatedKeyError, roundedNumbers } from './exactJson.ts';
import { say } from '../words/say.ts';

/** The call that a reply came to. */
type ReplyDetails = ClientErrorDetails & { endpoint: string };

/** A whole reply as it came. */
export interface RawReply {
  status: number;
  contentType: string;
  text: string;
}

/** An empty 204: the token is rejected or the caller lacks permission; only CheckSession can tell which. */
export const emptyReply = Symbol('empty reply');

/**
 * Decodes the reply of `path`. The value returned is the one that came, unchanged, so that it can be sent back whole; an
 * integer beyond 2^53 is a bigint in it, wherever it stands, which is written back exactly.
 * Anything that does not prove success is a failure. API description, Errors.
 * @throws {ClientError} of kind notFound, notTheApi, malformed, notSignedIn or refused.
 */
export function decodeReply<P extends EndpointPath>(
  path: P,
  raw: RawReply,
  server: string,
): ReplyOf<P> | typeof emptyReply {
  const details: ReplyDetails = { server, endpoint: path, status: raw.status };
  if (raw.status === 204) return emptyReply;
  checkStatus(raw, details);
  const row: EndpointRow = endpoints[path];
  const value = readBody(row, raw, details);
  if (value === emptyReply) return emptyReply;
  // Whether it has the right shape, the rounded numbers tell as well.
  const parsed = row.reply.safeParse(/\d{16}/.test(raw.text) ? roundedNumbers(value) : value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.length ? issue.path.join('.') : '/';
    throw new ClientError(
      'malformed',
      say('Unexpected reply of {0} at {1}: {2}.', path, where, issue?.message ?? '?'),
      {
        ...details,
        cause: parsed.error,
      },
    );
  }
  return value as ReplyOf<P>;
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
  if (row.form.shape === 'array') {
    if (Array.isArray(value)) {
      throwIfAllFailed(value, row.form.envelope, details);
      return value;
    }
    throwIfRefused(value, row.form.envelope, details);
    // A refusal comes as one object with the standard fields, even where entries carry none.
    throwIfRefused(value, 'standard', details);
    throw new ClientError(
      'malformed',
      say('{0} should answer a list: {1}', details.endpoint, excerpt(text, details)),
      details,
    );
  }
  throwIfRefused(value, row.form.envelope, details);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ClientError(
      'malformed',
      say('{0} should answer an object: {1}', details.endpoint, excerpt(text, details)),
      details,
    );
  }
  return value;
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
      say('{0} refused {1}: {2}', details.server, details.endpoint, excerpt(value, details)),
      details,
    );
  }
  if (!success && value === '') {
    throw new ClientError('malformed', say('{0} answered nothing.', details.endpoint), details);
  }
  if (!success && parsed !== undefined && typeof parsed !== 'string') {
    // An object, a number or null is no text that was asked for.
    throw new ClientError(
      'malformed',
      say('{0} should answer text: {1}', details.endpoint, excerpt(value, details)),
      details,
    );
  }
  return value;
}

function readNumber(text: string, success: number | 'any', details: ReplyDetails): number {
  const value = tryJson(text);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throwIfRefused(value, 'standard', details);
    throw new ClientError(
      'malformed',
      say('{0} should answer a number: {1}', details.endpoint, excerpt(text, details)),
      details,
    );
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

function throwIfRefused(value: unknown, envelope: Parameters<typeof readEnvelope>[1], details: ReplyDetails): void {
  // Whatever the variant, a rejected token answers with the standard fields.
  throwIfSignedOut(value, details);
  const outcome = readEnvelope(value, envelope);
  if (outcome.ok) return;
  const facts = { ...details, code: outcome.code };
  throw new ClientError(
    'refused',
    say('{0} refused {1} ({2}): {3}', details.server, details.endpoint, outcome.code, outcome.message),
    facts,
  );
}

/**
 * Refuses a list of which every entry tells of a failure: some releases answer so in place of an object, also to a
 * rejected token. One that holds others too is a list with gaps.
 */
function throwIfAllFailed(
  entries: readonly unknown[],
  envelope: Parameters<typeof readEnvelope>[1],
  details: ReplyDetails,
): void {
  const isFailed = (entry: unknown) => !readEnvelope(entry, envelope).ok || !readEnvelope(entry, 'standard').ok;
  if (!entries.every(isFailed)) return;
  throwIfRefused(entries[0], envelope, details);
  throwIfRefused(entries[0], 'standard', details);
}

function throwIfSignedOut(value: unknown, details: ReplyDetails): void {
  const outcome = readEnvelope(value, 'standard');
  if (outcome.ok || outcome.code !== errorCodes.notSignedIn) return;
  throw new ClientError('notSignedIn', `${details.server}: ${outcome.message}`, { ...details, code: outcome.code });
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
    const message =
      text === ''
        ? say('{0} answered an empty body.', details.endpoint)
        : say('{0} answered no valid JSON: {1}', details.endpoint, excerpt(text, details));
    // The parser's own words quote the text.
    throw new ClientError('malformed', message, { ...details, ...(!holdsToken(details) && { cause }) });
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

/** Whether replies of this endpoint hold the session's token. API description, Session. */
function holdsToken({ endpoint }: ReplyDetails): boolean {
  return /^(login|session)\//i.test(endpoint);
}

/** The start of what came, short enough for a message; nothing of a reply that may hold a token. */
function excerpt(text: string, details: ReplyDetails): string {
  if (holdsToken(details)) return say('{0} characters', text.length);
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
