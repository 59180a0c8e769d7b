import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { StreamedJson } from '../calls/handlers.ts';
import type { Reply } from './reply.ts';

/** Shorter bodies are not worth compressing. */
const shortestToCompress = 2_048;
/** A client that takes nothing for this long, in milliseconds, is given up. */
const patience = 300_000;
const compression = { level: 4 } as const;
const gzipAsync = promisify(gzip);

/** Writes a reply with all its `headers`, compressed when the client asks for that and it is worth it. */
export async function writeReply(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, contentType }: Reply,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const common = { ...headers, 'Content-Type': contentType };
  const isCompressed = acceptsGzip(request) && (typeof body !== 'string' || body.length >= shortestToCompress);
  if (typeof body !== 'string') {
    await writeStream(response, status, common, body, isCompressed);
    return;
  }
  if (!isCompressed) {
    // As text, which Node sends together with the headers.
    response.writeHead(status, { ...common, 'Content-Length': Buffer.byteLength(body) }).end(body);
    return;
  }
  const bytes = await gzipAsync(body, compression);
  const encoding = { 'Content-Encoding': 'gzip', 'Content-Length': bytes.length };
  response.writeHead(status, { ...common, ...encoding }).end(bytes);
}

/**
 * Writes a document as it is made, never faster than the client takes it. Headers go out with the first piece, so that
 * a source which fails at once can still be answered as a failure; one that fails later cuts the reply off, which the
 * client sees as an incomplete body.
 */
async function writeStream(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  { chunks }: StreamedJson,
  isCompressed: boolean,
): Promise<void> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    let next = await source.next();
    response.writeHead(status, { ...headers, ...(isCompressed && { 'Content-Encoding': 'gzip' }) });
    response.setTimeout(patience, () => response.destroy());
    const target = isCompressed ? createGzip(compression) : response;
    if (target !== response) target.pipe(response);
    for (let isFirst = true; !next.done && !response.destroyed; isFirst = false) {
      const written = write(target, next.value, response);
      // The first rows should not wait for the compressor's window to fill.
      if (isFirst && 'flush' in target) target.flush(constants.Z_SYNC_FLUSH);
      await written;
      next = await source.next();
    }
    target.end();
  } finally {
    await source.return?.();
  }
}

/**
 * Writes a piece. Resolves when `target` takes more or the client is gone; behind bytes only when nobody needs them any
 * more, since their memory is used again for the next ones.
 */
function write(
  target: NodeJS.WritableStream,
  piece: string | Uint8Array,
  response: ServerResponse,
): Promise<void> | undefined {
  const { promise, resolve } = Promise.withResolvers<void>();
  const isText = typeof piece === 'string';
  const isFull = isText ? !target.write(piece) : !target.write(piece, () => resolve());
  if (isText && !isFull) return undefined;
  response.once('close', resolve);
  if (isText) target.once('drain', resolve);
  return promise.finally(() => {
    response.off('close', resolve);
    target.off('drain', resolve);
  });
}

function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = request.headers['accept-encoding'];
  if (typeof accepted !== 'string') return false;
  return accepted.split(',').some((part) => /^\s*(gzip|\*)\s*(;\s*q\s*=\s*(1|0?\.\d*[1-9]\d*)[\d.]*\s*)?$/i.test(part));
}
