import * as vscode from 'vscode';
import { isSameJson } from '../../../objects/merge/canonicalJson.ts';
import { createObject } from '../../../objects/save/createObject.ts';
import type { ConfirmWrite } from '../../../objects/save/saveObject.ts';
import type { PendingCreate } from '../../../objects/save/pendingCreate.ts';
import type { JsonObject } from '../../../objects/json.ts';
import { nameOf, type AskSecret } from '../../../objects/kinds/objectKind.ts';
import type { ConfirmCreateAgain } from './saveQuestions.ts';
import { parentOfNew, type DocumentTarget } from '../../../editor/documentUri.ts';
import { after, type OpenDocument } from '../files/openDocument.ts';
import type { ResolvedDocument } from '../files/resolveDocument.ts';
import { announce, couldNotSave, refusal, saveFailureText } from './saveWords.ts';

/** Callbacks of {@link createFromDocument}. */
export interface CreateDialogue {
  askSecret: AskSecret;
  confirm: ConfirmWrite;
  askToCreateAgain: ConfirmCreateAgain;
  /** Stores a create of unknown outcome for the next save. */
  keep: (create: PendingCreate) => void;
  /** Shows the object that an earlier save created, if the text differs from what that save sent. */
  found: (target: DocumentTarget) => void;
}

/**
 * Creates the object of a document for a new one, and records it there; returns the server's message. After a save of
 * unknown outcome, looks for the object first.
 * @throws {vscode.FileSystemError} if nothing was sent; ClientError if the server refuses, or the outcome is unknown.
 */
export async function createFromDocument(
  document: OpenDocument,
  { kind, server, target }: ResolvedDocument,
  view: JsonObject,
  { askSecret, confirm, askToCreateAgain, keep, found }: CreateDialogue,
): Promise<string | undefined> {
  const what = couldNotSave(kind, target, server.name);
  // Another create would duplicate the object; handling it as a change of the first object would lose the edit.
  const isThere = vscode.l10n.t('it was already created. Make this change in the document that shows it.');
  if (document.created) {
    found(document.created);
    throw refusal(what, isThere);
  }
  const outcome = await createObject(server, {
    kind,
    view,
    askSecret,
    confirm,
    parent: parentOfNew(target),
    earlier: document.creates ?? [],
    askToRepeat: (trace) => askToCreateAgain(nameOf(kind, view), server.name, trace),
    onUnknown: keep,
  });
  if (outcome.kind === 'cancelled') throw refusal(what, vscode.l10n.t('No password was entered.'));
  if (outcome.kind === 'unconfirmed') throw refusal(what, saveFailureText(outcome, server.name));
  if (outcome.kind === 'declined') {
    throw refusal(what, vscode.l10n.t('it may already exist from the earlier save. Nothing was sent.'));
  }
  const { id, view: sent = view } = outcome;
  document.created = { ...target, id, name: nameOf(kind, sent) };
  // Edits made since the save that created the object exist only in this document.
  if (!isSameJson(sent, view, kind.shape)) {
    found(document.created);
    throw refusal(what, isThere);
  }
  document.mtime = after(document.mtime);
  const { notTaken, notice } = outcome;
  announce(server.name, kind, { kind: 'saved', view, merged: [], notTaken, ...(notice !== undefined && { notice }) });
  return notice;
}
