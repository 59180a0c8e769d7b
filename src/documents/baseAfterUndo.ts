import type * as vscode from 'vscode';
import { isSameJson } from '../objects/canonicalJson.ts';
import { fieldOf, isJsonObject, parseExact, type JsonObject } from '../objects/json.ts';
import { findKind } from '../objects/kinds.ts';
import { documentTarget } from './documentUri.ts';
import type { OpenDocument } from './openDocument.ts';

/**
 * What an edit starts from once it was undone back before a save: fields that the server keeps, such as the time of the last
 * change, are then as they were, and nobody edited them.
 */
export function baseAfterUndo(
  { base, earlier = [], served }: OpenDocument,
  shown: vscode.TextDocument,
): JsonObject | undefined {
  const kept = findKind(documentTarget(shown.uri)?.kind ?? '')?.shape.readOnly ?? [];
  const mine = base && earlier.length > 0 ? viewIn(shown.getText()) : undefined;
  if (!mine) return base;
  const isServers = (name: string) =>
    [served.view, ...earlier].some((view) => isSameJson(fieldOf(view, name), fieldOf(mine, name)));
  const fields = kept.filter((name) => Object.hasOwn(mine, name) && isServers(name));
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
