import type { Json } from '../../objects/json.ts';

const longest = 80;

/** A value as one short line of JSON. Values that differ look different: characters that cannot be seen are written as escapes. */
export function inOneLine(value: Json): string {
  const text = JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, escaped);
  return text.length > longest ? `${text.slice(0, longest).replace(/\p{Cs}$/u, '')}…` : text;
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
