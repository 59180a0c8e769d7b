import type * as vscode from 'vscode';
import { isSameJson } from '../objects/canonicalJson.ts';
import { fieldOf, isJsonObject, parseExact, type JsonObject } from '../objects/json.ts';
import { findKind } from '../objects/kinds.ts';
import { documentTarget } from './documentUri.ts';
import type { OpenDocument } from './openDocument.ts';

/**
 * What an edit starts from once it was undone back before a save: fields that the server keeps, such as the time of the last
 * change, are then as they were, and those in which the save was joined with changes of others as they were sent. Nobody
 * edited them, so that the next save leaves what the server holds.
 */
export function baseAfterUndo(
  { base, earlier = [], served }: OpenDocument,
  shown: vscode.TextDocument,
): JsonObject | undefined {
  const kept = findKind(documentTarget(shown.uri)?.kind ?? '')?.shape.readOnly ?? [];
  const mine = base && earlier.length > 0 ? viewIn(shown.getText()) : undefined;
  if (!mine) return base;
  const isAs = (view: JsonObject, name: string) => isSameJson(fieldOf(view, name), fieldOf(mine, name));
  const isServers = (name: string) =>
    [served.view, ...earlier.map(({ started }) => started)].some((view) => isAs(view, name));
  const unjoined = earlier.flatMap(({ joined }) => Object.keys(joined).filter((name) => isAs(joined, name)));
  const fields = [...kept.filter(isServers), ...unjoined].filter((name) => Object.hasOwn(mine, name));
  return { ...base, ...Object.fromEntries(fields.map((name) => [name, mine[name] ?? null])) };
}

function viewIn(text: string): JsonObject | undefined {
  try {
    const view = parseExact(text);
    return isJsonObject(view) ? view : undefined;
  } catch {
    // Undone into the middle of something that was typed.
    return undefined;
  }
}
