/** Shorter secrets may be part of any sentence, so they are only removed as whole words. */
const shortestSecret = 6;
/** Even shorter ones are treated as ordinary words. */
const shortestWord = 3;
/** Limit for secrets searched by pattern, which takes some hundred characters per character. */
const patternCharacters = 1024;
const star = 0x2a;

/** Request fields that contain secrets: Pin, UserPassword, DatabasePassword, DbPass, mfa_clientsecret, sessionToken… */
const secretField = /^(pin|dbpass|.*(password|passwd|pwd|secret|token))$/i;
const switches = ['true', 'false'];

/**
 * Returns a function that removes the call's token and the secrets in its body from a text, however a server quotes
 * them.
 */
export function hiderOf(token: string | undefined, body: unknown): (text: string) => string {
  let search: { pattern: RegExp; plain: readonly string[] } | undefined;
  return (text) => {
    // Created on demand: most calls succeed, and bodies may be large.
    search ??= searchFor([...(token === undefined ? [] : [token]), ...secretsIn(body)]);
    const rest = search.plain.reduce((left, secret) => left.replaceAll(secret, '…'), text);
    return rest.replace(search.pattern, '…');
  };
}

/** Removes secrets from the messages of an error and its causes: a server may quote what it received. */
export function hideSecrets(error: unknown, hide: (text: string) => string): void {
  for (let current = error; current instanceof Error; current = current.cause) {
    const message = hide(current.message);
    if (message !== current.message) current.message = message;
    const stack = hide(current.stack ?? '');
    if (stack !== current.stack && current.stack !== undefined) current.stack = stack;
  }
}

function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    if (typeof part !== 'string') return secretsIn(part);
    return secretField.test(name) && !switches.includes(part.toLowerCase()) ? [part] : [];
  });
}

/**
 * Secrets up to {@link patternCharacters} are matched as plain text, JSON, URL or HTML, in any mixture; longer ones,
 * such as certificates, only in one of these forms throughout.
 */
function searchFor(secrets: readonly string[]): { pattern: RegExp; plain: readonly string[] } {
  const shortestFirst = [...new Set(secrets)]
    .filter(({ length }) => length >= shortestWord)
    .sort((a, b) => a.length - b.length);
  let left = patternCharacters;
  const inPattern = shortestFirst.filter(({ length }) => (left -= length) >= 0);
  const plain = shortestFirst.slice(inPattern.length).reverse();
  return { pattern: patternOf(inPattern.reverse()), plain: plain.flatMap(plainSpellings) };
}

function plainSpellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}

function patternOf(longestFirst: readonly string[]): RegExp {
  const patterns = longestFirst.map((secret) => {
    const written = [...secret].map((character) => `(?:${spellingsOf(character).join('|')})`).join('');
    return isLong(secret) ? written : `(?<![\\p{L}\\p{N}])${written}(?![\\p{L}\\p{N}])`;
  });
  return new RegExp(patterns.length === 0 ? '(?!)' : patterns.join('|'), 'gu');
}

/**
 * Patterns for the ways to write one character. Backslashes may precede it, doubled for JSON quoted in JSON; every
 * repetition is bounded, so that no text makes the search slow.
 */
function spellingsOf(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const units = character.split('').map((unit) => unit.charCodeAt(0));
  const bytes = [...Buffer.from(character)];
  const named: Partial<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
  const letters: Partial<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };
  return [
    /\s/.test(character) ? '[\\s+]{1,20}' : `\\\\{0,8}${literal(character)}`,
    units.map((unit) => `\\\\{1,8}u${hex(unit, 4)}`).join(''),
    bytes.map((byte) => `%${hex(byte, 2)}`).join(''),
    `&#0{0,8}${code};`,
    `&#[xX]0{0,8}${hex(code, 1)};`,
    ...(named[character] === undefined ? [] : [`&${named[character]};`]),
    ...(letters[character] === undefined ? [] : [`\\\\{1,8}${letters[character]}`]),
  ];
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, (special) => `\\${special}`);
}

/** Hexadecimal digits of a number in either case. */
function hex(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * Replaces `secret` by asterisks, across chunk boundaries: a streamed reply may also quote the token in an error, a row
 * or invalid JSON. Only bytes that may start the secret are held back for the next chunk.
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

/** `bytes`, or a copy with each `wanted` replaced by asterisks. */
function starred(bytes: Buffer, wanted: Buffer): Buffer {
  let at = bytes.indexOf(wanted);
  if (at < 0) return bytes;
  const copy = Buffer.from(bytes);
  for (; at >= 0; at = copy.indexOf(wanted, at + wanted.length)) copy.fill(star, at, at + wanted.length);
  return copy;
}

/** Number of bytes at the end of `bytes` that are the start of `wanted`. */
function openEnd(bytes: Buffer, wanted: Buffer): number {
  const [first = 0] = wanted;
  let at = bytes.indexOf(first, Math.max(0, bytes.length - wanted.length + 1));
  for (; at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (bytes.subarray(at).equals(wanted.subarray(0, bytes.length - at))) return bytes.length - at;
  }
  return 0;
}
