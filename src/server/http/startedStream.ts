import { StreamedJson } from '../calls/handlers.ts';

type Chunk = Uint8Array | string;

/**
 * Waits for the first piece of a document, so that one which fails at once can still be answered as a failure; returns
 * the whole document.
 */
export async function startStream(document: StreamedJson): Promise<StreamedJson> {
  const source = document.chunks[Symbol.asyncIterator]();
  let first: IteratorResult<Chunk> | undefined = await source.next();
  // No generator: ending one that has not been asked for anything would leave `source` open.
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

/** Ends a document that nobody will read, so that its source lets go of what it holds. */
export async function abandonStream(document: StreamedJson): Promise<void> {
  await document.chunks[Symbol.asyncIterator]().return?.();
}
