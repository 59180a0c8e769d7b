/** Inserts values into a message with {0}, {1}…; the English message is the key of its translations. */
export type Say = (message: string, ...values: (string | number | boolean)[]) => string;

let translated: Say = translatorOf({});

/**
 * Translates a message into the language of the editor and replaces {0}, {1}… by `values`. English until {@link
 * setTranslator} is called, and in programs without an editor. `npm run l10n` collects the messages, so each must be a
 * literal in the call itself.
 */
export const say: Say = (message, ...values) => translated(message, ...values);

/**
 * Translates a text of a table into the language of the editor. The table must be marked `@l10n`, so that `npm run
 * l10n` collects it: tables are created before the language is known, so their texts are translated on use.
 */
export function sayListed(text: string): string {
  return translated(text);
}

/** Sets the translator, for example `vscode.l10n.t`; called once, before any message is needed. */
export function setTranslator(translate: Say): void {
  translated = translate;
}

/** A translator that uses `texts` and leaves all other messages unchanged. */
export function translatorOf(texts: Readonly<Record<string, string>>): Say {
  return (message, ...values) =>
    (Object.hasOwn(texts, message) ? (texts[message] ?? message) : message).replace(/\{(\d+)\}/g, (place, index) => {
      const value = values[Number(index)];
      return value === undefined ? place : String(value);
    });
}
