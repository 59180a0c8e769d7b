import * as z from 'zod';
import type { PendingCreate } from '../../../objects/save/pendingCreate.ts';
import { isJsonObject, parseExact } from '../../../objects/json.ts';
import { documentText } from './documentText.ts';

const keptCreates = z.array(z.object({ text: z.string(), known: z.array(z.string()) }));

/** Serializes creates of unknown outcome, for a document that outlives its window. */
export function keptTextOf(creates: readonly PendingCreate[]): string {
  return JSON.stringify(creates.map(({ view, known }) => ({ text: documentText(view), known })));
}

/** Parses the result of {@link keptTextOf}; empty if `text` is invalid. */
export function parsePendingCreates(text: string): PendingCreate[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return (keptCreates.safeParse(value).data ?? []).flatMap(({ text: written, known }) => {
    const view = parseExact(written);
    return isJsonObject(view) ? [{ view, known }] : [];
  });
}
