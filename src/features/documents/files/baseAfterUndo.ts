import type * as vscode from 'vscode';
import { isSameJson } from '../../../objects/merge/canonicalJson.ts';
import { fieldOf, isJsonObject, parseExact, type JsonObject } from '../../../objects/json.ts';
import { findKind } from '../../../objects/kinds/kinds.ts';
import { documentTarget } from '../../../editor/documentUri.ts';
import type { EarlierStep, OpenDocument } from './openDocument.ts';

/** Steps that can be undone one after the other. */
const stepsAtMost = 20;

/**
 * What an edit starts from once it was undone back before a save, or before a reading of what others had changed: fields that
 * the server keeps, such as the time of the last change, are then as they were, and so are those that came from others.
 * Nobody edited them, so that the next save leaves what the server holds.
 * @param before text before the undo: what it left alone stays an edit, whatever it says.
 */
export function baseAfterUndo(
  { base, earlier = [], served }: OpenDocument,
  shown: vscode.TextDocument,
  before = '',
): JsonObject | undefined {
  const mine = earlier.length > 0 ? viewIn(shown.getText()) : undefined;
  if (!base || !mine) return base;
  const kept = findKind(documentTarget(shown.uri)?.kind ?? '')?.shape.readOnly ?? [];
  const wasShown = viewIn(before);
  const isAs = (view: EarlierStep['joined'], name: string) => isSameJson(view[name], fieldOf(mine, name));
  const isServers = (name: string) =>
    [served.view, ...earlier.map(({ started }) => started)].some((view) => isAs(view, name));
  const unjoined = earlier.flatMap(({ joined }) => Object.keys(joined).filter((name) => isAs(joined, name)));
  const fields = [...kept.filter(isServers), ...unjoined].filter((name) => !wasShown || !isAs(wasShown, name));
  const others = Object.entries(base).filter(([name]) => !fields.includes(name));
  return Object.fromEntries([...others, ...Object.entries(mine).filter(([name]) => fields.includes(name))]);
}

/** What undo leads back before, once a document has taken one more step. */
export function withStep({ earlier = [] }: OpenDocument, step: EarlierStep): readonly EarlierStep[] {
  return [step, ...earlier].slice(0, stepsAtMost);
}

/** {@link withStep} for a reading of what others have made of the object. */
export function withReading(document: OpenDocument, view: JsonObject): readonly EarlierStep[] {
  const started = document.served.view;
  const names = Object.keys({ ...started, ...view });
  const changed = names.filter((name) => !isSameJson(fieldOf(started, name), fieldOf(view, name)));
  return withStep(document, { started, joined: fieldsOf(started, changed) });
}

/** Some fields of a view; undefined stands for one that it does not have. */
export function fieldsOf(view: JsonObject, names: readonly string[]): EarlierStep['joined'] {
  return Object.fromEntries(names.map((name) => [name, fieldOf(view, name)]));
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
