import { withoutUnseen } from './displayText.ts';

/** More than any surface shows; a text of a server must not fill a dialog. */
const longest = 4_000;

/** What keeps signs apart that would mean something together. */
const thinSpace = '\u2009';

/**
 * Text as every surface of the editor shows it: as words, never as something to click or an icon. VS Code draws `[label](address)`
 * in notifications, prompts and messages of input boxes as a link, one that runs a command if its address begins with `command:`,
 * and `$(name)` as an icon in lists, buttons, the status bar and code lenses. A thin space between the two signs ends both; it is
 * hardly seen, and what is copied can be read. It is no zero-width character: those are dropped where a text is cleaned a second
 * time, and the link would be back. Lines stay lines; other characters that cannot be seen go.
 */
export function inertText(text: string): string {
  const lines = text.slice(0, 2 * longest).split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/u);
  const seen = lines.map((line) => withoutUnseen(line.replaceAll('\t', ' '))).join('\n');
  const inert = seen.replaceAll('](', `]${thinSpace}(`).replaceAll('$(', `$${thinSpace}(`);
  return inert.length > longest ? `${withoutUnseenEnd(inert.slice(0, longest))}…` : inert;
}

/** {@link inertText} where there may be none. */
export function inertOrNone<T extends string | undefined>(text: T): T | string {
  return text === undefined ? text : inertText(text);
}

/**
 * {@link inertText} as Markdown that shows exactly that. Each sign, and a space that would count, is written as its number,
 * which Markdown draws but does not read: no link, image, HTML or icon begins with it, and none of the addresses that are links without any sign around them.
 */
export function asMarkdown(text: string): string {
  return inertText(text).replace(/[^\p{L}\p{M}\p{N} ]|(?<=^| ) /gu, (sign) => `&#${sign.codePointAt(0) ?? 0};`);
}

function withoutUnseenEnd(text: string): string {
  return text.replace(/\p{Cs}$/u, '');
}
