import { fieldOf, type JsonObject } from '../json.ts';

const messageFields = ['ErrorMessage', 'ERROR_MESSAGE', 'error_message'];

/** Messages that only repeat the success code 0, as a single word or a sentence around `success`. */
const plainWords = /^(ok|okay|done|saved|none|null|no error|\d+)[.!]?$/i;
const plainSentence =
  /^(?!.*\b(not|no|but|without|except|un\w+)\b)[\p{L}\p{N} ]*\bsuccess(ful|fully)?\b[\p{L}\p{N} ]*[.!]?$/iu;

/**
 * The server's message about a successful save, from the envelope of its reply. Omits messages without information,
 * such as `Success` or `Saved successfully.`.
 */
export function saveNotice(reply: JsonObject): string | undefined {
  for (const field of messageFields) {
    const message = fieldOf(reply, field);
    if (typeof message !== 'string') continue;
    const text = message.trim();
    if (text !== '' && !plainWords.test(text) && !plainSentence.test(text)) return text;
  }
  return undefined;
}
