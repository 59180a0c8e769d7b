/** Shorter ones are part of any sentence. */
const shortestSecret = 6;
const star = 0x2a;

/** Takes secrets out of the words of a failure and of its causes: servers may quote in a refusal what they were sent. */
export function hideSecrets(error: unknown, secrets: readonly unknown[]): void {
  const hidden = secrets.filter((secret) => typeof secret === 'string').filter(isLong);
  if (hidden.length === 0) return;
  for (let current = error; current instanceof Error; current = current.cause) {
    for (const secret of hidden) {
      if (current.message.includes(secret)) current.message = current.message.replaceAll(secret, '…');
      if (current.stack?.includes(secret)) current.stack = current.stack.replaceAll(secret, '…');
    }
  }
}

/**
 * The same bytes with asterisks in place of `secret`, wherever a chunk ends: a reply that is read while it arrives may quote
 * the token as well, in an error, in a row, or in what is no JSON. Only bytes that may begin the secret wait for the next chunk.
 */
export async function* withoutSecret(
  chunks: AsyncIterable<Uint8Array>,
  secret: string | undefined,
): AsyncGenerator<Uint8Array> {
  if (secret === undefined || !isLong(secret)) {
    yield* chunks;
    return;
  }
  const wanted = Buffer.from(secret);
  let kept: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = kept.length > 0 ? Buffer.concat([kept, chunk]) : asBuffer(chunk);
    const clean = starred(bytes, wanted);
    const open = openEnd(clean, wanted);
    kept = clean.subarray(clean.length - open);
    if (open < clean.length) yield clean.subarray(0, clean.length - open);
  }
  if (kept.length > 0) yield kept;
}

function isLong(secret: string): boolean {
  return secret.length >= shortestSecret;
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** `bytes`, or a copy where `wanted` stands in them. */
function starred(bytes: Buffer, wanted: Buffer): Buffer {
  let at = bytes.indexOf(wanted);
  if (at < 0) return bytes;
  const copy = Buffer.from(bytes);
  for (; at >= 0; at = copy.indexOf(wanted, at + wanted.length)) copy.fill(star, at, at + wanted.length);
  return copy;
}

/** How many bytes at the end of `bytes` are the beginning of `wanted`. */
function openEnd(bytes: Buffer, wanted: Buffer): number {
  for (let length = Math.min(wanted.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(wanted.subarray(0, length))) return length;
  }
  return 0;
}
