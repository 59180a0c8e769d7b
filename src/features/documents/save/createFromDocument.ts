import * as vscode from 'vscode';
import { isSameJson } from '../../../objects/merge/canonicalJson.ts';
import { createObject } from '../../../objects/save/createObject.ts';
import type { PendingCreate } from '../../../objects/save/pendingCreate.ts';
import type { JsonObject } from '../../../objects/json.ts';
import { nameOf, type AskSecret } from '../../../objects/kinds/objectKind.ts';
import type { ConfirmCreateAgain } from './saveQuestions.ts';
import { parentOfNew, type DocumentTarget } from '../../../editor/documentUri.ts';
import { after, type OpenDocument } from '../files/openDocument.ts';
import type { ResolvedDocument } from '../files/resolveDocument.ts';
import { announce, couldNotSave, refusal } from './saveWords.ts';

/** Whom {@link createFromDocument} asks and tells. */
export interface CreateDialogue {
  askSecret: AskSecret;
  askToCreateAgain: ConfirmCreateAgain;
  /** Remembers a create of unknown outcome for the next save. */
  keep: (create: PendingCreate) => void;
  /** Shows the object that an earlier save created, where the text is not what that save sent. */
  found: (target: DocumentTarget) => void;
}

/**
 * Creates the object that a document for a new one describes, and notes it there; gives what the server said of it. After a save of unknown outcome the object
 * is looked for first.
 * @throws {vscode.FileSystemError} when nothing was sent; ClientError when the server refuses, or its answer is not known.
 */
export async function createFromDocument(
  document: OpenDocument,
  { kind, server, target }: ResolvedDocument,
  view: JsonObject,
  { askSecret, askToCreateAgain, keep, found }: CreateDialogue,
): Promise<string | undefined> {
  const what = couldNotSave(kind, target, server.name);
  // A second save would create a second object; to take it for a change of the first one would lose it.
  const isThere = vscode.l10n.t('it was already created. Make this change in the document that shows it.');
  if (document.created) {
    found(document.created);
    throw refusal(what, isThere);
  }
  const outcome = await createObject(server, {
    kind,
    view,
    askSecret,
    parent: parentOfNew(target),
    earlier: document.creates ?? [],
    askToRepeat: (trace) => askToCreateAgain(nameOf(kind, view), server.name, trace),
    onUnknown: keep,
  });
  if (outcome.kind === 'cancelled') throw refusal(what, vscode.l10n.t('No password was entered.'));
  if (outcome.kind === 'declined') {
    throw refusal(what, vscode.l10n.t('it may already exist from the earlier save. Nothing was sent.'));
  }
  const { id, view: sent = view } = outcome;
  document.created = { ...target, id, name: nameOf(kind, sent) };
  // What was written since the save that created it is in this document alone.
  if (!isSameJson(sent, view, kind.shape)) {
    found(document.created);
    throw refusal(what, isThere);
  }
  document.mtime = after(document.mtime);
  const { notTaken, notice } = outcome;
  announce(server.name, kind, { kind: 'saved', view, merged: [], notTaken, ...(notice !== undefined && { notice }) });
  return notice;
}
