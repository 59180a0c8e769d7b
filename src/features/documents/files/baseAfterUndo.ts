import type * as vscode from 'vscode';
import { isSameJson } from '../../../objects/merge/canonicalJson.ts';
import { fieldOf, isJsonObject, parseExact, type JsonObject } from '../../../objects/json.ts';
import { findKind } from '../../../objects/kinds/kinds.ts';
import { documentTarget } from '../../../editor/documentUri.ts';
import type { EarlierStep, OpenDocument } from './openDocument.ts';

/** Maximum number of consecutive steps that can be undone. */
const stepsAtMost = 20;

/**
 * The base of an edit after undo went back before a save or before merging changes of others: fields maintained by the
 * server, such as the modification time, and fields that came from others then have their earlier values. These are not
 * edits, so the next save must leave the server's values.
 * @param before text before the undo: the fields that undo did not change remain edits, whatever their values.
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

/** The steps that undo can go back before, after a document has taken one more step. */
export function withStep({ earlier = [] }: OpenDocument, step: EarlierStep): readonly EarlierStep[] {
  return [step, ...earlier].slice(0, stepsAtMost);
}

/** {@link withStep} after reading changes that others made to the object. */
export function withReading(document: OpenDocument, view: JsonObject): readonly EarlierStep[] {
  const started = document.served.view;
  const names = Object.keys({ ...started, ...view });
  const changed = names.filter((name) => !isSameJson(fieldOf(started, name), fieldOf(view, name)));
  return withStep(document, { started, joined: fieldsOf(started, changed) });
}

/** The named fields of a view; undefined for missing ones. */
export function fieldsOf(view: JsonObject, names: readonly string[]): EarlierStep['joined'] {
  return Object.fromEntries(names.map((name) => [name, fieldOf(view, name)]));
}

function viewIn(text: string): JsonObject | undefined {
  try {
    const view = parseExact(text);
    return isJsonObject(view) ? view : undefined;
  } catch {
    // Undone to a state in the middle of typing.
    return undefined;
  }
}
