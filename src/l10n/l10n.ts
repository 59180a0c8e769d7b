/** Translations by English text, as in media/l10n. */
type Texts = Readonly<Record<string, string>>;

/** The display language, a BCP 47 tag, and its translations; undefined for English. */
interface Configuration {
  language: string;
  contents?: Texts | undefined;
}

let current: Configuration = { language: 'en' };

/**
 * Sets the display language. Called once, before any text is needed. Without it, as in programs without an editor,
 * texts are English.
 */
export function config(configuration: Configuration): void {
  current = configuration;
}

/** What {@link config} was called with, for a page, which has a copy of this module. */
export function configuration(): Configuration {
  return current;
}

/**
 * Translates an English text and replaces {0}, {1}… by `values`. `npm run l10n` collects the texts, so each must be a
 * literal in the call itself.
 */
export function t(text: string, ...values: (string | number | boolean)[]): string {
  return listed(text).replace(/\{(\d+)\}/g, (place, index) => String(values[Number(index)] ?? place));
}

/**
 * Translates a text of a table. The table must be marked `@l10n`, so that `npm run l10n` collects it: tables are created
 * before the language is known, so their texts are translated on use.
 */
export function listed(text: string): string {
  const { contents = {} } = current;
  return Object.hasOwn(contents, text) ? (contents[text] ?? text) : text;
}

/** The display language, for the formats of numbers: a BCP 47 tag. */
export function language(): string {
  return current.language;
}
