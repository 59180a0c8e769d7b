const longest = 300;
/** More of a text is not looked at. */
const looked = 10 * longest;

const dropped = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;

/**
 * Text of a server as a part of what the interface shows: control, direction and zero-width characters and halves of characters are
 * dropped, but for joiners that emoji, Arabic or Indic scripts are written with; white space is one space, and very long text
 * is cut. What the whole text would draw as a link or an icon, the functions of this room take out.
 */
export function displayText(text: string | null | undefined): string {
  const line = withoutUnseen((text ?? '').slice(0, looked).replace(/\s/gu, ' '))
    .replace(/ +/g, ' ')
    .trim();
  // No half of a character may stay at the cut: no address can hold it, and names become part of addresses.
  return line.length > longest ? `${withoutUnseen(line.slice(0, longest))}…` : line;
}

/** Made where the first joiner is met: emoji are many. */
let droppedBesideJoiners: RegExp | undefined;

/** One line without the characters that nothing shows, or that change what other characters look like. */
export function withoutUnseen(text: string): string {
  if (!/[\u200C\u200D]/.test(text)) return text.replace(dropped, '');
  droppedBesideJoiners ??= new RegExp(`(${neededJoiners()})|${dropped.source}`, 'gv');
  return text.replace(droppedBesideJoiners, '$1');
}

/**
 * Joiners that writing needs: in emoji, between letters of Arabic that would join, and beside the sign of an Indic script that
 * takes a consonant its vowel. Elsewhere they are not seen, and could tell apart what looks the same.
 */
function neededJoiners(): string {
  const places = [
    /\p{RGI_Emoji_ZWJ_Sequence}/v,
    // Not after letters that never join with the one behind them.
    /(?<=(?![\u0621-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB\u06CD\u06CF\u06D2-\u06D5\u06EE\u06EF])[\p{L}&&\p{Script=Arabic}]\p{Mn}{0,3})\u200C(?=[\p{L}&&\p{Script=Arabic}])/v,
    /(?<=[\p{L}&&[\u0900-\u0DFF]]\p{Mn}{0,3}[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D](?=[\p{L}&&[\u0900-\u0DFF]])/v,
    /(?<=[\p{L}&&[\u0900-\u0DFF]])\u200D(?=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA][\p{L}&&[\u0900-\u0DFF]])/v,
  ];
  return places.map(({ source }) => source).join('|');
}

/** More than any surface shows; a text of a server must not fill a dialog. */
const longestInert = 4_000;

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
  const lines = text.slice(0, 2 * longestInert).split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/u);
  const seen = lines.map((line) => withoutUnseen(line.replaceAll('\t', ' '))).join('\n');
  const inert = seen.replaceAll('](', `]${thinSpace}(`).replaceAll('$(', `$${thinSpace}(`);
  return inert.length > longestInert ? `${withoutUnseenEnd(inert.slice(0, longestInert))}…` : inert;
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

/** How the values of properties are changed on their way. */
export type Changes<O> = { readonly [K in keyof O]?: (value: O[K]) => O[K] };

/**
 * An object of the editor whose texts are made inert when they are set. It is used in place of the editor's own, so that no
 * text can be set past it.
 * @param changes of what is set, and `readings` of what is read.
 */
export function inertObject<O extends object>(object: O, changes: Changes<O>, readings: Changes<O> = {}): O {
  const changeOf = new Map<PropertyKey, (value: never) => unknown>(Object.entries(changes) as never);
  const readingOf = new Map<PropertyKey, (value: never) => unknown>(Object.entries(readings) as never);
  return new Proxy(object, {
    set: (target, key, value) => Reflect.set(target, key, changeOf.get(key)?.(value as never) ?? value),
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      const reading = readingOf.get(key);
      if (reading) return reading(value as never);
      // The editor's objects keep their state in fields that only they can read.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The lines of a tooltip that say something. */
export function lines(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}
