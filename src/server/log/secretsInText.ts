/** Replaces a secret. */
const mask = '***';

/** Fields whose values are secrets, in JSON, query strings, connection strings and messages of drivers. */
const secretField =
  /(["']?\b(?:\w*password|passwd|pwd|pin|\w*token|\w*secret|passphrase|authorization|cookie)\b["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?:(?:Bearer|Basic)\s+)?[^\s,;&"'}\])]+)/gi;
const accountInUrl = /(\/\/)[^\s/@"']+:[^\s/@"']+@/g;
/** The session of a page is in its address. */
const sessionInUrl = /([?&]s=)[^\s&"']+/g;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
/** 32 random bytes, as session tokens are. */
const token = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** Masks what may be a secret in a text for the log: errors of drivers and stack traces may quote what they were given. */
export function withoutSecrets(text: string): string {
  return text
    .replace(privateKey, mask)
    .replace(secretField, `$1${mask}`)
    .replace(accountInUrl, `$1${mask}@`)
    .replace(sessionInUrl, `$1${mask}`)
    .replace(token, mask);
}
