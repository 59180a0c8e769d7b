import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { restrictedBy, type PolicyAssignee } from '../../access/policyReach.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import { accessEffect } from '../../access/rows/accessEffect.ts';
import { onOneLine } from '../../access/rows/accessWords.ts';
import { changing, unassigning, type AccessEdit } from '../../access/rows/accessEdits.ts';
import { attempt } from '../../editor/commandError.ts';

interface Named {
  id: string;
  name: string;
}

/** For more objects, the names are not listed individually, so that the message fits the window. */
const namedAtMost = 10;

/**
 * Asks for confirmation before policies are deactivated, with the rows that users then see. Does not ask for policies
 * that restrict no one.
 * @returns whether to continue.
 * @throws {CommandError} if the policies cannot be read: the user must not confirm something unknown.
 */
export async function confirmDeactivatePolicy(server: ObjectServer, policies: readonly Named[]): Promise<boolean> {
  const [first] = policies;
  const question =
    policies.length === 1
      ? vscode.l10n.t('Deactivate policy "{0}" on {1}?', first?.name ?? '', server.name)
      : vscode.l10n.t('Deactivate {0} policies on {1}?', policies.length, server.name);
  const ids = policies.map(({ id }) => id);
  return confirm(server, policies, {
    question,
    agree: vscode.l10n.t('Deactivate'),
    isFreed: () => true,
    edit: changing('policy', ids, (policy) => ({ ...policy, isActive: false })),
  });
}

/**
 * Asks for confirmation before policies are unassigned from groups and users, like {@link confirmDeactivatePolicy}.
 * @returns whether to continue.
 */
export async function confirmUnassignment(
  server: ObjectServer,
  policies: readonly Named[],
  assignees: readonly Pick<PolicyAssignee, 'kind' | 'id'>[],
): Promise<boolean> {
  const [first] = policies;
  const question =
    policies.length === 1
      ? vscode.l10n.t('Unassign policy "{0}" on {1}?', first?.name ?? '', server.name)
      : vscode.l10n.t('Unassign {0} policies on {1}?', policies.length, server.name);
  const isFreed = ({ kind, id }: PolicyAssignee) =>
    assignees.some((assignee) => assignee.kind === kind && assignee.id === id);
  const ids = policies.map(({ id }) => id);
  const edit = unassigning(ids, assignees);
  return confirm(server, policies, { question, agree: vscode.l10n.t('Unassign'), isFreed, edit });
}

async function confirm(
  server: ObjectServer,
  policies: readonly Named[],
  words: { question: string; agree: string; isFreed: (assignee: PolicyAssignee) => boolean; edit: AccessEdit },
): Promise<boolean> {
  const what = vscode.l10n.t('Could not read the policy assignments on {0}', server.name);
  const ids = policies.map(({ id }) => id);
  const [restricted, effect] = await attempt(what, () =>
    Promise.all([restrictedBy(server, ids), accessEffect(server, words.edit)]),
  );
  const lines = policies.flatMap(({ id, name }) => {
    const freed = (restricted.get(id) ?? []).filter(words.isFreed);
    if (freed.length === 0) return [];
    const line = vscode.l10n.t('The policy no longer restricts {0}.', namesOf(freed));
    return [policies.length === 1 ? line : `• ${onOneLine(name)}: ${line}`];
  });
  if (lines.length === 0 && !effect.givesRows) return true;
  const unchanged = vscode.l10n.t('No user will see other rows.');
  const rest = lines.length - namedAtMost;
  const shown = lines.slice(0, namedAtMost);
  const rows = effect.lines.length > 0 ? effect.lines : [unchanged];
  const detail = [...rows, ...shown, ...(rest > 0 ? [vscode.l10n.t('and {0} more', rest)] : [])].join('\n');
  const answer = await showWarningMessage(words.question, { modal: true, detail }, words.agree);
  return answer === words.agree;
}

function namesOf(assignees: readonly PolicyAssignee[]): string {
  const names = assignees
    .slice(0, namedAtMost)
    .map(({ name }) => onOneLine(name))
    .join(', ');
  return assignees.length > namedAtMost ? `${names} … (${assignees.length})` : names;
}
