import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { NumberTooLarge } from '../store/store.ts';
import { textReply, type Reply } from './reply.ts';

/** Default maximum body length in bytes. */
export const defaultBodyLimit = 16 * 1024 * 1024;
/** Maximum total bytes of the bodies being received. */
const bytesInFlight = 256 * 1024 * 1024;
/** Bytes of a body that are always accepted, regardless of the others being received; most calls are shorter. */
const alwaysRoom = 64 * 1024;
/** Number of chunks joined at once: a chunk of a single byte would take a hundred times its content. */
const piecesAtOnce = 256;
/** Maximum nesting of objects and arrays. */
export const deepest = 200;
/** Maximum total values in a body's objects and arrays: checking each of them takes memory, too. */
export const mostValues = 1_000_000;
/** Maximum bytes read and discarded of a rejected body. */
const mostSkipped = 64 * 1024 * 1024;

let reading = 0;

/** Replies to a complete body. */
type AnswerBody = (body: Buffer) => Reply | Promise<Reply>;

/**
 * Reads the body of a request with a JSON content type, or without a body, and replies with `answer`. Avoids promises:
 * each one would take a good part of a small call's time.
 * @returns that reply, or an error: 415 for another content type, 413 when it is too long, 503 when too many are being
 * read.
 * @throws Error (by its promise) when the client disconnects before the end, and what `answer` throws.
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

/** Collects the bytes of a body. Stops reading once it is rejected. */
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
        // An uncaught error would end the server with all its calls.
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    request.on('data', take);
    request.on('end', end);
    // Emitted only if the client disconnects before the end.
    request.on('error', (error) => {
      letGo();
      reject(error);
    });
  });
}

/**
 * Reads and discards the rest of a request that was answered early: a client that is still sending would otherwise see
 * a broken connection instead of the reply. Disconnects a client that sends far too much.
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
 * @throws Error that describes the problem without quoting the body.
 * @throws {NumberTooLarge} when a whole number in it would lose digits.
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  requireUtf8(bytes);
  // Each level takes one byte to open and one to close.
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

/** @throws Error for bytes that are not valid UTF-8. */
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

/** The parser's own message would quote the body, which may contain a password. */
export function invalidJson(): Error {
  return new Error('The body is not valid JSON.');
}

/** Up to this many bytes, walking the values is faster than searching the text. */
const fewBytes = 256;
/** Many digits, an exponent, the NUL character or a lone surrogate; most bodies contain none of them. */
const mayHoldOddValue = /\d{16}|\d[eE]|\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Rejects values that would not be read back from the store unchanged.
 * @throws for such a whole number or text in `value`, whose JSON is `text`.
 */
export function requireKeepable(value: unknown, text: string): void {
  if (text.length < fewBytes || mayHoldOddValue.test(text)) requireEachKeepable(value);
}

function requireEachKeepable(value: unknown): void {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new NumberTooLarge();
  } else if (typeof value === 'string') {
    if (value.includes('\0')) throw new Error('A text contains a NUL character.');
    if (!value.isWellFormed()) throw new Error('A text contains half of a surrogate pair.');
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

/** Maximum nesting of objects and arrays, and their approximate number of values, found without parsing. */
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
