import * as z from 'zod';
import type { EndpointRow } from '../../../contract/endpointRow.ts';
import { codeFieldOf, envelopeFields } from '../../../contract/envelope.ts';
import { errorCodes } from '../../../contract/errorCodes.ts';
import { idText } from '../../../contract/idText.ts';
import { fieldAt } from '../../../contract/echo.ts';
import { ClientError } from '../../clientError.ts';
import {
  JsonLimitError,
  parseExactJson,
  RepeatedKeyError,
  endOfString,
  maxDepth,
  parseCounted,
  tooDeep,
} from './exactJson.ts';
import { emptyReply, type RawReply } from './rawReply.ts';
import { malformed, startOf, throwIfAllFailed, throwIfRefused, type ReplyDetails } from './replyProblem.ts';
import * as l10n from '../../../l10n/l10n.ts';

/**
 * Reads the body of a 200 reply in the form that its endpoint returns, a long list in steps. API description, Errors.
 * @throws {ClientError} for a body of another form, one that reports a failure, or one that does not prove success.
 */
export function* readBody(row: EndpointRow, raw: RawReply, details: ReplyDetails): Generator<void, unknown> {
  const text = raw.text.trim();
  if (raw.contentType.includes('html') || /^<(!doctype|html)/i.test(text)) {
    throw new ClientError(
      'notTheApi',
      l10n.t('{0} answered {1} with a web page.', details.server, details.endpoint),
      details,
    );
  }
  switch (row.form.kind) {
    case 'json':
      return yield* readJson(row, text, details);
    case 'text':
      return yield* readText(raw.text, row.form.success, details);
    case 'number':
      return readNumber(text, row.form.success, details);
  }
}

function* readJson(row: EndpointRow, text: string, details: ReplyDetails): Generator<void, unknown> {
  const value = yield* parseJson(text, details);
  if (row.form.kind !== 'json') return value;
  const { shape, envelope } = row.form;
  if (shape === 'array') {
    if (Array.isArray(value)) {
      const entries: unknown[] = value;
      throwIfAllFailed(entries, envelope, details);
      return entries;
    }
    // A refusal is a single object, even where entries have no such fields.
    throwIfRefused(value, envelope, details);
    throw malformed(l10n.t('{0} should return a list.', details.endpoint), text, details);
  }
  throwIfRefused(value, envelope, details);
  if (!isRecord(value)) throw malformed(l10n.t('{0} should return an object.', details.endpoint), text, details);
  const doubt = whyUnproved(row, value, details);
  if (doubt !== undefined) throw malformed(doubt, text, details);
  return value;
}

/**
 * Why an object that reports no failure does not prove success either: a proxy may return an object of its own. A read
 * must contain one of the fields listed for it; a write or a session check must contain its success code or the object.
 */
function whyUnproved(row: EndpointRow, value: Record<string, unknown>, details: ReplyDetails): string | undefined {
  if (row.form.kind !== 'json' || !(row.reply instanceof z.ZodObject)) return undefined;
  const { endpoint, server } = details;
  const { envelope } = row.form;
  if ((envelope === 'metadata' || envelope === 'prompts') && !isRecord(value.Report)) {
    return l10n.t('{0} answered {1} without a report.', server, endpoint);
  }
  const listed = Object.keys(row.reply.shape);
  const codeField = codeFieldOf(envelope);
  if ((row.isSafe && !isAboutSession(endpoint)) || codeField === undefined || !listed.includes(codeField)) {
    const isKnown = listed.some((field) => !envelopeFields.has(field) && Object.hasOwn(value, field));
    return isKnown ? undefined : l10n.t('{0} answered {1} with none of the expected fields.', server, endpoint);
  }
  const isCoded = value[codeField] !== undefined && value[codeField] !== null && value[codeField] !== '';
  const proof = row.proof === undefined ? undefined : fieldAt(value, row.proof);
  const isProved = isRecord(proof) || !['', '0'].includes(idText(proof));
  return isCoded || isProved ? undefined : l10n.t('{0} answered {1} without reporting success.', server, endpoint);
}

function isAboutSession(endpoint: string): boolean {
  return /^session\//i.test(endpoint);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* readText(
  text: string,
  success: readonly string[] | undefined,
  details: ReplyDetails,
): Generator<void, string | typeof emptyReply> {
  const trimmed = text.trim();
  // As everywhere, an empty list can mean a rejected token.
  if (/^\[\s*\]$/.test(trimmed)) return emptyReply;
  // Text that starts like an object is parsed as one or rejected: it may be a truncated refusal.
  if (/^\{\s*["}]/.test(trimmed)) throwIfRefused(yield* parseJson(trimmed, details), 'standard', details);
  const parsed = tryJson(trimmed);
  const value = typeof parsed === 'string' ? parsed : trimmed;
  if (success && !success.includes(value)) {
    throw new ClientError(
      'refused',
      l10n.t('{0} refused {1}: {2}', details.server, details.endpoint, startOf(value, details)),
      details,
    );
  }
  if (!success && value === '') {
    throw new ClientError('malformed', l10n.t('{0} returned nothing.', details.endpoint), details);
  }
  if (!success && parsed !== undefined && typeof parsed !== 'string') {
    // An object, a number or null is not the requested text.
    throw malformed(l10n.t('{0} should return text.', details.endpoint), value, details);
  }
  return value;
}

function readNumber(text: string, success: number | 'any', details: ReplyDetails): number {
  const value = tryJson(text);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throwIfRefused(value, 'standard', details);
    throw malformed(l10n.t('{0} should return a number.', details.endpoint), text, details);
  }
  if (success !== 'any' && number !== success) {
    const code = number === errorCodes.notSignedIn ? 'notSignedIn' : 'refused';
    throw new ClientError(code, l10n.t('{0} refused {1} ({2}).', details.server, details.endpoint, number), {
      ...details,
      code: number,
    });
  }
  return number;
}

function* parseJson(text: string, details: ReplyDetails): Generator<void, unknown> {
  try {
    return yield* parseExactJsonInSteps(text);
  } catch (cause) {
    if (cause instanceof JsonLimitError) {
      throw new ClientError('tooLarge', l10n.t('Cannot read the reply of {0}: {1}.', details.endpoint, cause.message), {
        ...details,
        cause,
        remedy: l10n.t('Ask the server administrator what is wrong with the object.'),
      });
    }
    if (cause instanceof RepeatedKeyError) {
      const message = l10n.t('Cannot read the reply of {0}: {1}.', details.endpoint, cause.message);
      throw new ClientError('malformed', message, { ...details, cause });
    }
    if (text === '') {
      throw new ClientError('malformed', l10n.t('{0} returned an empty body.', details.endpoint), details);
    }
    // The parser's message quotes the text at any position, so it is not kept as a cause.
    throw malformed(l10n.t('{0} returned invalid JSON.', details.endpoint), text, details);
  }
}

function tryJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    // Invalid or missing JSON: the caller decides whether plain text is acceptable.
    return undefined;
  }
}

/** Characters of a list parsed at once: a few milliseconds of work. */
const charsAtOnce = 500_000;

const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const comma = 0x2c;
const quote = 0x22;

/**
 * {@link parseExactJson} that yields after every piece of a long list, so that callers can continue or cancel: replies
 * with thousands of users have tens of megabytes. Anything else is parsed at once.
 * @throws {SyntaxError}, {RepeatedKeyError} and {JsonLimitError} like `parseExactJson`.
 */
export function* parseExactJsonInSteps(text: string, atOnce = charsAtOnce): Generator<void, unknown> {
  if (text.length <= atOnce || text.charCodeAt(0) !== openList) return parseExactJson(text);
  const entries: unknown[] = [];
  let count = 0;
  const reader = new EntryReader(text);
  for (;;) {
    const piece = reader.next(atOnce);
    // An entry must not be empty, between two commas or after the last one.
    if (piece.trim() === '' && !(reader.isAtEnd && entries.length === 0)) throw new SyntaxError('an entry is missing');
    const { value, values } = parseCounted(`[${piece}]`, count);
    count = values;
    if (Array.isArray(value)) for (const entry of value) entries.push(entry);
    if (reader.isAtEnd) return entries;
    yield;
  }
}

/** Splits the text of a list at the commas between its entries. */
class EntryReader {
  readonly #text: string;
  #start = 1;
  /** Whether the list has ended. */
  isAtEnd = false;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Returns whole entries of at least `atOnce` characters, with the commas between them. @throws {SyntaxError} for an
   * unterminated list.
   */
  next(atOnce: number): string {
    const text = this.#text;
    let depth = 1;
    for (let at = this.#start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === openList || code === openObject) {
        depth += 1;
        if (depth > maxDepth) throw tooDeep();
      } else if (code === quote) at = endOfString(text, at);
      else if (code === closeList || code === closeObject) {
        depth -= 1;
        if (depth === 0) return this.#end(at);
      } else if (code === comma && depth === 1 && at - this.#start >= atOnce) {
        const piece = text.slice(this.#start, at);
        this.#start = at + 1;
        return piece;
      }
    }
    throw new SyntaxError('the list has no end');
  }

  #end(at: number): string {
    if (this.#text.charCodeAt(at) !== closeList || this.#text.slice(at + 1).trim() !== '') {
      throw new SyntaxError('the list does not end where its text ends');
    }
    this.isAtEnd = true;
    return this.#text.slice(this.#start, at);
  }
}
