/** Shorter ones are part of any sentence: they are taken out where they stand alone. */
const shortestSecret = 6;
/** Shorter ones still are taken for words. */
const shortestWord = 3;
/** Of secrets that are searched for by a pattern, which has some hundred for each. */
const patternCharacters = 1024;
const star = 0x2a;

/** Fields of requests that hold secrets: Pin, UserPassword, DatabasePassword, DbPass, mfa_clientsecret, sessionToken… */
const secretField = /^(pin|dbpass|.*(password|passwd|pwd|secret|token))$/i;
const switches = ['true', 'false'];

/** What takes a call's token and the secrets in its body out of a text, however a server may quote them. */
export function hiderOf(token: string | undefined, body: unknown): (text: string) => string {
  let search: { pattern: RegExp; plain: readonly string[] } | undefined;
  return (text) => {
    // Most calls succeed, and bodies may be large.
    search ??= searchFor([...(token === undefined ? [] : [token]), ...secretsIn(body)]);
    const rest = search.plain.reduce((left, secret) => left.replaceAll(secret, '…'), text);
    return rest.replace(search.pattern, '…');
  };
}

/** Takes secrets out of the words of a failure and of its causes: servers may quote in a refusal what they were sent. */
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
 * The shortest secrets, up to {@link patternCharacters}, are found as they are, and as JSON, a URL or a web page write them, mixed
 * at will; the others, certificates perhaps, as each of these writes them alone.
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
 * How one character may be written, as patterns. Backslashes may stand before it, doubled where JSON is quoted in JSON; every
 * repetition has an end, so that no text makes the search slow.
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

/** Digits of a number in either case. */
function hex(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
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
  const [first = 0] = wanted;
  let at = bytes.indexOf(first, Math.max(0, bytes.length - wanted.length + 1));
  for (; at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (bytes.subarray(at).equals(wanted.subarray(0, bytes.length - at))) return bytes.length - at;
  }
  return 0;
}
