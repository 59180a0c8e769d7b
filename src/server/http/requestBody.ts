import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { NumberTooLarge } from '../store/store.ts';
import { textReply, type Reply } from './reply.ts';

/** A body is read up to this many bytes. */
export const defaultBodyLimit = 16 * 1024 * 1024;
/** Bodies being read take no more than this many bytes together. */
const bytesInFlight = 256 * 1024 * 1024;
/** A body finds room for so many bytes however many others are being read: most calls are shorter. */
const alwaysRoom = 64 * 1024;
/** Pieces of a body are joined by so many: one of a single byte would take a hundred times what it holds. */
const piecesAtOnce = 256;
/** Objects and arrays may nest this deep. */
export const deepest = 200;
/** Objects and arrays of a body hold no more values than this together: checking each of them takes memory, too. */
export const mostValues = 1_000_000;
/** Of a refused body, this many bytes are taken in. */
const mostSkipped = 64 * 1024 * 1024;

let reading = 0;

/** Answers a body that is there as a whole. */
type AnswerBody = (body: Buffer) => Reply | Promise<Reply>;

/**
 * Reads the body of a request that is announced as JSON, or has none, and lets `answer` reply to it: of a small call, each
 * promise more would be a good part of its time.
 * @returns that reply, or a refusal: 415 for another content type, 413 when it is too long, 503 when too many are being read.
 * @throws Error (by its promise) when the client goes away before the end, and what `answer` throws.
 */
export function replyToBody(request: IncomingMessage, limit: number, answer: AnswerBody): Reply | Promise<Reply> {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return answer(Buffer.alloc(0));
  if (!isJson(headers['content-type']) || headers['content-encoding'] !== undefined) {
    return textReply('Send the body as application/json without a content encoding.', 415);
  }
  if (Number(headers['content-length'] ?? 0) > limit) return tooLong(limit);
  return collect(request, limit, answer);
}

function tooLong(limit: number): Reply {
  return textReply(`The body is longer than ${limit} bytes.`, 413);
}

/** Collects the bytes of a body. One that is refused is not read any further. */
function collect(request: IncomingMessage, limit: number, answer: AnswerBody): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const pieces: Buffer[] = [];
    let length = 0;
    const letGo = () => {
      reading -= length;
      length = 0;
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      reading += chunk.length;
      if (pieces.push(chunk) === piecesAtOnce) parts.push(Buffer.concat(pieces.splice(0)));
      if (length <= limit && (length <= alwaysRoom || reading <= bytesInFlight)) return;
      request.off('data', take);
      request.off('end', end);
      resolve(length > limit ? tooLong(limit) : textReply('The server is busy reading. Try again.', 503));
      letGo();
    };
    const end = () => {
      letGo();
      const [only] = pieces;
      const body = parts.length === 0 && pieces.length === 1 && only ? only : Buffer.concat([...parts, ...pieces]);
      try {
        resolve(answer(body));
      } catch (error) {
        // Thrown on, it would end the server with everybody's calls.
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    request.on('data', take);
    request.on('end', end);
    // Heard of only when the client goes away before the end.
    request.on('error', (error) => {
      letGo();
      reject(error);
    });
  });
}

/**
 * Takes in what is left of a request that was answered before its end, and forgets it: a client that is still sending
 * would otherwise see a broken connection instead of the answer. One that sends far too much is cut off.
 */
export function skipRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) {
      resolve();
      return;
    }
    let skipped = 0;
    request.on('data', (chunk: Buffer) => {
      skipped += chunk.length;
      if (skipped > mostSkipped) request.destroy();
    });
    request.once('end', resolve).once('close', resolve);
  });
}

/**
 * Parses a body; an empty one counts as an object without fields.
 * @throws Error that says what is wrong, without repeating anything of the body.
 * @throws {NumberTooLarge} when a whole number in it would not be the same any more.
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  requireUtf8(bytes);
  // Each level takes a byte to open and one to close.
  if (bytes.length > 2 * deepest) {
    const { depth, values } = extentOf(bytes);
    if (depth > deepest) throw new Error('The body nests too deeply.');
    if (values > mostValues) throw new Error(`The body holds more than ${mostValues} values.`);
  }
  const text = bytes.toString();
  const value = parsed(text);
  requireKeepable(value, text);
  return value;
}

/** @throws Error for bytes that would become other ones as text. */
export function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Error('The body is not UTF-8 text.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson();
  }
}

/** The parser's own message would quote the body, which may hold a password. */
export function invalidJson(): Error {
  return new Error('The body is not valid JSON.');
}

/** Of so few bytes the values are looked through sooner than the text is searched. */
const fewBytes = 256;
/** Many digits, an exponent, the character NUL or half a character; most bodies have none of them. */
const mayHoldOddValue = /\d{16}|\d[eE]|\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Refuses what would come back from the store as something else.
 * @throws for such a whole number or text in `value`, which is written as `text`.
 */
export function requireKeepable(value: unknown, text: string): void {
  if (text.length < fewBytes || mayHoldOddValue.test(text)) requireEachKeepable(value);
}

function requireEachKeepable(value: unknown): void {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new NumberTooLarge();
  } else if (typeof value === 'string') {
    if (value.includes('\0')) throw new Error('A text holds the character NUL.');
    if (!value.isWellFormed()) throw new Error('A text holds half of a surrogate pair.');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      requireEachKeepable(key);
      requireEachKeepable(each);
    }
  }
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const [type, ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return type?.trim() === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma] = Buffer.from('"\\{}[],');

/** Deepest nesting of objects and arrays, and about how many values they hold, found without parsing. */
function extentOf(bytes: Buffer): { depth: number; values: number } {
  let depth = 0;
  let most = 0;
  let values = 0;
  let isInText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isInText) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === comma) values += 1;
    else if (byte === openBrace || byte === openBracket) {
      most = Math.max(most, (depth += 1));
      values += 1;
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return { depth: most, values };
}
