import * as vscode from 'vscode';
import { membershipEffect } from '../../access/folderEffect.ts';
import { accessEffect, bothEffects, type AccessEffect } from '../../access/rows/accessEffect.ts';
import { joining, leaving, type AccessEdit } from '../../access/rows/accessEdits.ts';
import type { Connection } from '../../connections/connection.ts';
import { attempt } from '../../editor/commandError.ts';
import { showWarningMessage } from '../../editor/messages.ts';
import type { VerifiedServer } from '../../editor/pickers/verifiedServer.ts';

interface Named {
  id: string;
  name: string;
}

/** A user's membership in a group. */
export interface Membership {
  user: Named;
  group: Named;
}

/** For more objects, the names are not listed individually, so that the message fits the window. */
export const namedAtMost = 10;

/** Reads who sees more after users join a group, which can open folders and have values of data tags. */
export async function joiningEffect(
  connection: Connection,
  shown: VerifiedServer,
  users: readonly Named[],
  group: Named,
  roleId: string,
): Promise<AccessEffect> {
  const ids = users.map(({ id }) => id);
  const { rows, folders } = await effectsOf(connection, shown, joining(group.id, group.name, ids, roleId));
  return bothEffects(rows, folders);
}

/** Asks for confirmation if users see more rows or folders in the group. */
export async function confirmJoining(
  connection: Connection,
  users: readonly Named[],
  group: Named,
  { lines, givesRows }: AccessEffect,
): Promise<boolean> {
  if (!givesRows) return true;
  const add = vscode.l10n.t('Add');
  const [only] = users;
  const question =
    users.length === 1 && only
      ? vscode.l10n.t('Add {0} to {1} on {2}?', only.name, group.name, connection.name)
      : vscode.l10n.t('Add {0} users to {1} on {2}?', users.length, group.name, connection.name);
  return (await showWarningMessage(question, { modal: true, detail: lines.join('\n') }, add)) === add;
}

/**
 * Asks for confirmation by name, with the rows that removed members then see, often more if policies use the group, and
 * the folders that they lose or keep.
 */
export async function confirmRemoval(
  connection: Connection,
  shown: VerifiedServer,
  memberships: readonly Membership[],
): Promise<boolean> {
  const { name: server } = connection;
  const members = memberships.map(({ user, group }) => ({ userId: user.id, groupId: group.id }));
  const { rows, folders } = await effectsOf(connection, shown, leaving(members));
  const remove = vscode.l10n.t('Remove');
  const [only] = memberships;
  const question =
    memberships.length === 1 && only
      ? vscode.l10n.t('Remove {0} from {1} on {2}?', only.user.name, only.group.name, server)
      : vscode.l10n.t('Remove {0} members from their groups on {1}?', memberships.length, server);
  const lines = memberships
    .slice(0, namedAtMost)
    .map(({ user, group }) => vscode.l10n.t('{0} in {1}', user.name, group.name));
  const rest = memberships.length - lines.length;
  const names = [...lines, ...(rest > 0 ? [vscode.l10n.t('and {0} more', rest)] : [])];
  const { lines: effects } = bothEffects(rows, folders);
  const same = folders.lines.length > 0 ? [] : [vscode.l10n.t('The same folders will be visible.')];
  const delay = vscode.l10n.t(
    'Open sessions may keep this access: on some servers until the user signs in again or reloads permissions.',
  );
  const detail = [...(memberships.length === 1 ? [] : names), ...effects, ...same, delay].join('\n');
  return (await showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}

/** What users see after an edit of their groups, read once for both. */
function effectsOf({ name }: Connection, shown: VerifiedServer, edit: AccessEdit) {
  const what = vscode.l10n.t('Could not determine who sees more rows on {0}', name);
  return attempt(what, () =>
    shown.read(async (server) => {
      const [rows, folders] = await Promise.all([accessEffect(server, edit), membershipEffect(server, edit)]);
      return { rows, folders };
    }),
  );
}
