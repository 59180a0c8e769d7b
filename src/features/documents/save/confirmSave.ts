import * as vscode from 'vscode';
import { accessEffect } from '../../../access/rows/accessEffect.ts';
import { creating, saving, type AccessEdit } from '../../../access/rows/accessEdits.ts';
import type { JsonObject } from '../../../objects/json.ts';
import { isSameRisk, riskyChanges } from '../../../objects/save/riskyChanges.ts';
import { unknownBase } from '../../../objects/save/saveObject.ts';
import { isNewObject } from '../../../editor/documentUri.ts';
import type { ResolvedDocument } from '../files/resolveDocument.ts';
import type { Confirmation, ConfirmRisk } from './saveQuestions.ts';
import { couldNotSave, refusal } from './saveWords.ts';

const nothing: Confirmation = { risky: [], rows: [] };

/**
 * Asks for confirmation before a save that changes who has access, or that shows more rows to a user.
 * @param base base view of the edit; undefined if it is unknown.
 * @param confirmed before a conflict; not asked again.
 * @throws {vscode.FileSystemError} if it is not confirmed; ClientError if the server cannot be reached.
 */
export async function confirmSave(
  { kind, server, target }: ResolvedDocument,
  { base, mine }: { base: JsonObject | undefined; mine: JsonObject },
  ask: ConfirmRisk,
  confirmed: Confirmation = nothing,
): Promise<Confirmation> {
  const isNew = isNewObject(target);
  const risky = isNew ? [] : riskyChanges(kind, base ?? unknownBase(mine, kind.shape), mine);
  const edit = isNew ? creatingEdit(kind.name, mine) : saving(kind.name, target.id, mine, base);
  const { lines, givesRows } = edit ? await accessEffect(server, edit) : { lines: [], givesRows: false };
  const rows = givesRows ? lines : [];
  const asked = risky.filter((change) => !confirmed.risky.some((other) => isSameRisk(change, other)));
  const isAsked = asked.length > 0 || rows.some((line) => !confirmed.rows.includes(line));
  if (isAsked && !(await ask(asked, target.name, server.name, lines))) {
    throw refusal(
      couldNotSave(kind, target, server.name),
      vscode.l10n.t('the change was not confirmed. Nothing was sent.'),
    );
  }
  return { risky, rows };
}

function creatingEdit(kind: string, mine: JsonObject): AccessEdit | undefined {
  return kind === 'tag' || kind === 'policy' ? creating(kind, mine) : undefined;
}
