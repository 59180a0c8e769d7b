import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import { StreamedJson } from '../calls/handlers.ts';
import type { Reply } from './reply.ts';

/** Minimum body length worth compressing. */
const shortestToCompress = 2_048;
/** Milliseconds without progress after which a client's connection is closed. */
const patience = 300_000;
const compression = { level: 4 } as const;
const gzipAsync = promisify(gzip);

/**
 * Writes a reply with all its `headers`, compressed if the client accepts it and it is worthwhile. Returns nothing if
 * it is written synchronously.
 */
export function writeReply(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, contentType }: Reply,
  headers: Readonly<Record<string, string>>,
): Promise<void> | undefined {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return undefined;
  }
  const isCompressed = (typeof body !== 'string' || body.length >= shortestToCompress) && acceptsGzip(request);
  if (typeof body !== 'string') {
    return writeStream(response, status, { ...headers, 'Content-Type': contentType }, body, isCompressed);
  }
  if (isCompressed) return writeCompressed(response, status, { ...headers, 'Content-Type': contentType }, body);
  // As text, which Node sends together with the headers.
  const length = Buffer.byteLength(body);
  const own = ['Content-Type', contentType ?? '', 'Content-Length', String(length)];
  // A pure ASCII text needs no encoding.
  response.writeHead(status, listOf(headers).concat(own)).end(body, length === body.length ? 'latin1' : 'utf8');
  return undefined;
}

async function writeCompressed(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
): Promise<void> {
  const bytes = await gzipAsync(body, compression);
  const own = { 'Content-Encoding': 'gzip', 'Content-Length': bytes.length };
  response.writeHead(status, { ...headers, ...own }).end(bytes);
}

const lists = new WeakMap<object, string[]>();

/** Headers as a list of names and values, which Node writes without looking up each; common lists are cached. */
function listOf(headers: Readonly<Record<string, string>>): string[] {
  let list = lists.get(headers);
  if (!list) lists.set(headers, (list = Object.entries(headers).flat()));
  return list;
}

/**
 * Writes a document as it is produced, at the pace of the client. Headers are sent with the first chunk, so that a
 * source that fails immediately can still return an error; a later failure aborts the reply, which the client sees as
 * an incomplete body.
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
 * Writes a chunk. Resolves when `target` accepts more or the client has disconnected; for bytes, only once they are no
 * longer needed, because their memory is reused for the next ones.
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

type Chunk = Uint8Array | string;

/**
 * Waits for the first chunk of a document, so that an immediate failure can still return an error; returns the whole
 * document.
 */
export async function startStream(document: StreamedJson): Promise<StreamedJson> {
  const source = document.chunks[Symbol.asyncIterator]();
  let first: IteratorResult<Chunk> | undefined = await source.next();
  // Not a generator: ending one before its first `next` would leave `source` open.
  const resumed: AsyncIterableIterator<Chunk> = {
    next: () => {
      if (!first) return source.next();
      const result = Promise.resolve(first);
      first = undefined;
      return result;
    },
    return: async () => (await source.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]: () => resumed,
  };
  return new StreamedJson(resumed);
}

/** Ends a document that will not be read, so that its source releases its resources. */
export async function abandonStream(document: StreamedJson): Promise<void> {
  await document.chunks[Symbol.asyncIterator]().return?.();
}
