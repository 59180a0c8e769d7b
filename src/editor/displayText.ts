const longest = 300;
/** Text after this length is ignored. */
const looked = 10 * longest;

const dropped = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;

/**
 * Cleans server text for display: removes control, direction and zero-width characters and unpaired surrogates, except
 * joiners required by emoji, Arabic or Indic scripts; collapses white space to one space and truncates very long text.
 * Link and icon syntax is neutralized by the functions in this folder.
 */
export function displayText(text: string | null | undefined): string {
  const line = withoutUnseen((text ?? '').slice(0, looked).replace(/\s/gu, ' '))
    .replace(/ +/g, ' ')
    .trim();
  // Truncation must not leave an unpaired surrogate: names become part of URIs, which cannot contain one.
  return line.length > longest ? `${withoutUnseen(line.slice(0, longest))}…` : line;
}

/** Compiled when the first joiner is found: the emoji classes are large. */
let droppedBesideJoiners: RegExp | undefined;

/** One line without invisible characters and characters that change how others are displayed. */
export function withoutUnseen(text: string): string {
  if (!/[\u200C\u200D]/.test(text)) return text.replace(dropped, '');
  droppedBesideJoiners ??= new RegExp(`(${neededJoiners()})|${dropped.source}`, 'gv');
  return text.replace(droppedBesideJoiners, '$1');
}

/**
 * Joiners required for writing: in emoji, between joining Arabic letters, and next to an Indic virama. Elsewhere they
 * are invisible and would make identical-looking names different.
 */
function neededJoiners(): string {
  const places = [
    /\p{RGI_Emoji_ZWJ_Sequence}/v,
    // Not after letters that never join the following letter.
    /(?<=(?![\u0621-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB\u06CD\u06CF\u06D2-\u06D5\u06EE\u06EF])[\p{L}&&\p{Script=Arabic}]\p{Mn}{0,3})\u200C(?=[\p{L}&&\p{Script=Arabic}])/v,
    /(?<=[\p{L}&&[\u0900-\u0DFF]]\p{Mn}{0,3}[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D](?=[\p{L}&&[\u0900-\u0DFF]])/v,
    /(?<=[\p{L}&&[\u0900-\u0DFF]])\u200D(?=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA][\p{L}&&[\u0900-\u0DFF]])/v,
  ];
  return places.map(({ source }) => source).join('|');
}

/** More than any UI element shows; text from a server must not fill a dialog. */
const longestInert = 4_000;

/** Separates characters that would form markup together. */
const thinSpace = '\u2009';

/**
 * Text displayed literally everywhere in the editor, never as a link or an icon. VS Code renders `[label](address)` in
 * notifications, prompts and input box messages as a link, which runs a command if the address starts with `command:`,
 * and `$(name)` as an icon in lists, buttons, the status bar and code lenses. A thin space between the two characters
 * prevents both; it is barely visible, and copied text stays readable. A zero-width character would not work: cleaning
 * the text a second time would remove it and restore the link. Line breaks are preserved; other invisible characters
 * are removed.
 */
export function inertText(text: string): string {
  const lines = text.slice(0, 2 * longestInert).split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/u);
  const seen = lines.map((line) => withoutUnseen(line.replaceAll('\t', ' '))).join('\n');
  const inert = seen.replaceAll('](', `]${thinSpace}(`).replaceAll('$(', `$${thinSpace}(`);
  return inert.length > longestInert ? `${withoutUnseenEnd(inert.slice(0, longestInert))}…` : inert;
}

/** {@link inertText} for optional text. */
export function inertOrNone<T extends string | undefined>(text: T): T | string {
  return text === undefined ? text : inertText(text);
}

/**
 * {@link inertText} as Markdown that displays exactly that text. Punctuation and significant spaces are written as
 * numeric character references, which Markdown renders but does not parse: they cannot start a link, image, HTML or
 * icon, nor an autolinked address.
 */
export function asMarkdown(text: string): string {
  return inertText(text).replace(/[^\p{L}\p{M}\p{N} ]|(?<=^| ) /gu, (sign) => `&#${sign.codePointAt(0) ?? 0};`);
}

function withoutUnseenEnd(text: string): string {
  return text.replace(/\p{Cs}$/u, '');
}

/** Transformations applied to property values. */
export type Changes<O> = { readonly [K in keyof O]?: (value: O[K]) => O[K] };

/**
 * Wraps a VS Code object so that its texts are made inert when set. Used in place of the original, so that no text
 * bypasses it.
 * @param changes applied to values that are set; `readings` to values that are read.
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
      // VS Code objects store their state in private fields.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Joins the non-empty lines of a tooltip. */
export function lines(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}
