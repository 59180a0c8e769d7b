import {
  accessEffect,
  bothEffects,
  databaseEffect,
  noEffect,
  reportTypeEffect,
  type AccessEffect,
} from '../../../access/rows/accessEffect.ts';
import { creating, creatingUsers, saving, type AccessEdit } from '../../../access/rows/accessEdits.ts';
import { decidesFolder, folderEffect, membershipEffect, reportMoveEffect } from '../../../access/folderEffect.ts';
import { fieldOf, identifierText, type JsonObject } from '../../../objects/json.ts';
import { nameOf } from '../../../objects/kinds/objectKind.ts';
import { isSameJson } from '../../../objects/merge/canonicalJson.ts';
import { objectsIn } from '../../../objects/objectParts.ts';
import { isSameRisk, riskyChanges, type RiskyChange } from '../../../objects/save/riskyChanges.ts';
import type { ConfirmWrite, PlannedWrite } from '../../../objects/save/saveObject.ts';
import type { ObjectServer } from '../../../objects/objectServer.ts';
import { isNewObject } from '../../../editor/documentUri.ts';
import type { ResolvedDocument } from '../files/resolveDocument.ts';
import type { ConfirmRisk } from '../../../editor/pickers/confirmRisk.ts';

/**
 * Asks for confirmation before a save that changes who has access, or that shows more rows to a user. What was
 * confirmed once is not asked again.
 */
export function confirmingWrites(document: ResolvedDocument, ask: ConfirmRisk): ConfirmWrite {
  const { kind, server, target } = document;
  const isNew = isNewObject(target);
  let confirmed: { risky: readonly RiskyChange[]; statements: readonly string[] } = { risky: [], statements: [] };
  return async (write) => {
    const risky = isNew ? [] : riskyChanges(kind, write.before, write.after);
    const { lines, statements, givesRows } = await effectOf(document, write);
    const asked = risky.filter((change) => !confirmed.risky.some((other) => isSameRisk(change, other)));
    const isNewEffect = givesRows && statements.some((statement) => !confirmed.statements.includes(statement));
    if (asked.length === 0 && !isNewEffect) return 'sure';
    if (!(await ask(asked, target.name, server.name, lines))) return 'unconfirmed';
    confirmed = { risky, statements };
    return 'asked';
  };
}

async function effectOf(document: ResolvedDocument, write: PlannedWrite): Promise<AccessEffect> {
  const { kind, server, target } = document;
  const { before, after } = write;
  if (!isNewObject(target) && kind.name === 'reporttype') return reportTypeEffect(server, before, after);
  if (!isNewObject(target) && kind.name === 'server') return databaseEffect(server, before, after);
  if (kind.name === 'folder' && !isNewObject(target)) return folderSaveEffect(server, target.id, write);
  if (kind.name === 'report' && !isNewObject(target)) {
    const [from, to] = [before, after].map((view) => identifierText(fieldOf(view, 'folderid')) ?? '');
    if (!from || !to || from === to) return noEffect;
    return reportMoveEffect(server, [{ name: nameOf(kind, after), folderId: from }], to);
  }
  const edit = editOf(document, write);
  if (!edit) return noEffect;
  // Groups decide about folders too: those of a new user, and whether all users are in All Users.
  const changesGroups = isNewObject(target) && objectsIn(after, 'SecurityGroups').length > 0;
  if (kind.name !== 'settings' && !changesGroups) return accessEffect(server, edit);
  const [rows, folders] = await Promise.all([accessEffect(server, edit), membershipEffect(server, edit)]);
  return bothEffects(rows, folders);
}

async function folderSaveEffect(
  server: ObjectServer,
  id: string,
  { before, after }: PlannedWrite,
): Promise<AccessEffect> {
  const changed = Object.keys({ ...before, ...after }).filter(
    (field) => !isSameJson(fieldOf(before, field) ?? null, fieldOf(after, field) ?? null),
  );
  if (!decidesFolder(changed)) return noEffect;
  const fields: JsonObject = Object.fromEntries(changed.map((field) => [field, fieldOf(after, field) ?? null]));
  return folderEffect(server, [{ id, fields }]);
}

function editOf({ kind, target }: ResolvedDocument, { before, after }: PlannedWrite): AccessEdit | undefined {
  if (!isNewObject(target)) return saving(kind.name, target.id, after, before);
  if (kind.name === 'user') return creatingUsers([{ fields: after, groups: objectsIn(after, 'SecurityGroups') }]);
  return kind.name === 'tag' || kind.name === 'policy' ? creating(kind.name, after) : undefined;
}
