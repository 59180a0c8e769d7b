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
import * as l10n from '../../../l10n/l10n.ts';
import { objectsIn } from '../../../objects/objectParts.ts';
import { isSameRisk, riskyChanges, type RiskyChange } from '../../../objects/save/riskyChanges.ts';
import type { ConfirmWrite, PlannedWrite } from '../../../objects/save/saveObject.ts';
import { readingOnce, type ObjectServer } from '../../../objects/objectServer.ts';
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
    const name = (isNew && nameOf(kind, write.after)) || target.name;
    if (!(await ask(asked, name, server.name, lines))) return 'unconfirmed';
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
  if (kind.name === 'user' && isNewObject(target)) return newUserEffect(server, after);
  const edit = editOf(document, write);
  if (!edit) return noEffect;
  if (kind.name !== 'settings') return accessEffect(server, edit);
  // Whether all users are in All Users decides about folders too.
  const [rows, folders] = await Promise.all([accessEffect(server, edit), membershipEffect(server, edit)]);
  return bothEffects(rows, folders);
}

/**
 * Groups decide about folders too. Whether a server takes those of a new user is unknown: users join groups by another
 * call. API description, Groups (AddUser).
 */
async function newUserEffect(server: ObjectServer, fields: JsonObject): Promise<AccessEffect> {
  const groups = objectsIn(fields, 'SecurityGroups');
  const without = creatingUsers([{ fields, groups: [] }]);
  if (groups.length === 0) return accessEffect(server, without);
  const edit = creatingUsers([{ fields, groups }]);
  // Both cases are computed from the same objects.
  const once = readingOnce(server);
  const [ignored, rows, folders] = await Promise.all([
    accessEffect(once, without),
    accessEffect(once, edit),
    membershipEffect(once, edit),
  ]);
  const taken = bothEffects(rows, folders);
  if (isSameJson([...taken.lines], [...ignored.lines])) return taken;
  const below = (words: string, { lines }: AccessEffect) =>
    lines.length > 0 ? [words, ...lines.map((line) => `– ${line}`)] : [];
  const lines = [
    ...below(l10n.t('If {0} takes the groups of the new user:', server.name), taken),
    ...below(l10n.t('If it ignores them:'), ignored),
  ];
  return { ...bothEffects(taken, ignored), lines };
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
  return kind.name === 'tag' || kind.name === 'policy' ? creating(kind.name, after) : undefined;
}
