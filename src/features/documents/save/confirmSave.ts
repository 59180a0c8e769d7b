import {
  accessEffect,
  databaseEffect,
  noEffect,
  reportTypeEffect,
  type AccessEffect,
} from '../../../access/rows/accessEffect.ts';
import { creating, creatingUsers, saving, type AccessEdit } from '../../../access/rows/accessEdits.ts';
import { objectsIn } from '../../../objects/objectParts.ts';
import { isSameRisk, riskyChanges, type RiskyChange } from '../../../objects/save/riskyChanges.ts';
import type { ConfirmWrite, PlannedWrite } from '../../../objects/save/saveObject.ts';
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
  const edit = editOf(document, write);
  return edit ? accessEffect(server, edit) : noEffect;
}

function editOf({ kind, target }: ResolvedDocument, { before, after }: PlannedWrite): AccessEdit | undefined {
  if (!isNewObject(target)) return saving(kind.name, target.id, after, before);
  if (kind.name === 'user') return creatingUsers([{ fields: after, groups: objectsIn(after, 'SecurityGroups') }]);
  return kind.name === 'tag' || kind.name === 'policy' ? creating(kind.name, after) : undefined;
}
