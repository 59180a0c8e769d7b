/** Puts values into a sentence with {0}, {1}…; the English sentence is the key of its translations. */
export type Say = (message: string, ...values: (string | number | boolean)[]) => string;

let translated: Say = translatorOf({});

/**
 * The sentence in the language of the editor, with `values` in place of {0}, {1}…. English until {@link setTranslator} is called,
 * and in programs without an editor. `npm run l10n` collects the sentences, so each has to stand in the call itself.
 */
export const say: Say = (message, ...values) => translated(message, ...values);

/**
 * A text of a table in the language of the editor. The table is marked `@l10n`, so that `npm run l10n` collects it: tables are
 * built before the language is known, so their texts are translated where they are used.
 */
export function sayListed(text: string): string {
  return translated(text);
}

/** Sets what translates, for example `vscode.l10n.t`; called once, before anything can fail. */
export function setTranslator(translate: Say): void {
  translated = translate;
}

/** What says the sentences that `texts` has in another language, and the rest as they are. */
export function translatorOf(texts: Readonly<Record<string, string>>): Say {
  return (message, ...values) =>
    (Object.hasOwn(texts, message) ? (texts[message] ?? message) : message).replace(/\{(\d+)\}/g, (place, index) => {
      const value = values[Number(index)];
      return value === undefined ? place : String(value);
    });
}
