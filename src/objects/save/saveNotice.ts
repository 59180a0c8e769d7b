import { fieldOf, type JsonObject } from '../json.ts';

const messageFields = ['ErrorMessage', 'ERROR_MESSAGE', 'error_message'];

/** Words that say no more than the code 0 does, in full or as a sentence around `success`. */
const plainWords = /^(ok|okay|done|saved|none|null|no error|\d+)[.!]?$/i;
const plainSentence =
  /^(?!.*\b(not|no|but|without|except|un\w+)\b)[\p{L}\p{N} ]*\bsuccess(ful|fully)?\b[\p{L}\p{N} ]*[.!]?$/iu;

/**
 * What a server has to say of a save that it carried out: the message in the envelope of its reply. Servers that put a word such
 * as `Success` or `Saved successfully.` there say nothing with it.
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
