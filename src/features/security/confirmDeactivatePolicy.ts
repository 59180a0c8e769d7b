import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { restrictedBy, type PolicyAssignee } from '../../access/policyReach.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import { attempt } from '../../editor/commandError.ts';

interface Named {
  id: string;
  name: string;
}

/** For more objects, the names are not listed individually, so that the message fits the window. */
const namedAtMost = 10;

/**
 * Asks for confirmation before policies are deactivated: users restricted by an active policy can then see more rows.
 * Does not ask for policies that restrict no one.
 * @returns whether to continue.
 * @throws {CommandError} if the policies cannot be read: the user must not confirm something unknown.
 */
export async function confirmDeactivatePolicy(server: ObjectServer, policies: readonly Named[]): Promise<boolean> {
  const [first] = policies;
  const question =
    policies.length === 1
      ? vscode.l10n.t('Deactivate policy "{0}" on {1}?', first?.name ?? '', server.name)
      : vscode.l10n.t('Deactivate {0} policies on {1}?', policies.length, server.name);
  return confirm(server, policies, { question, agree: vscode.l10n.t('Deactivate'), isFreed: () => true });
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
  return confirm(server, policies, { question, agree: vscode.l10n.t('Unassign'), isFreed });
}

async function confirm(
  server: ObjectServer,
  policies: readonly Named[],
  words: { question: string; agree: string; isFreed: (assignee: PolicyAssignee) => boolean },
): Promise<boolean> {
  const what = vscode.l10n.t('Could not read the policy assignments on {0}', server.name);
  const restricted = await attempt(what, () =>
    restrictedBy(
      server,
      policies.map(({ id }) => id),
    ),
  );
  const lines = policies.flatMap(({ id, name }) => {
    const freed = (restricted.get(id) ?? []).filter(words.isFreed);
    if (freed.length === 0) return [];
    const line = vscode.l10n.t('{0} will see every row that the policy hides from them now.', namesOf(freed));
    return [policies.length === 1 ? line : `• ${name}: ${line}`];
  });
  if (lines.length === 0) return true;
  const rest = lines.length - namedAtMost;
  const shown = lines.slice(0, namedAtMost);
  const detail = [...shown, ...(rest > 0 ? [vscode.l10n.t('and {0} more', rest)] : [])].join('\n');
  const answer = await showWarningMessage(words.question, { modal: true, detail }, words.agree);
  return answer === words.agree;
}

function namesOf(assignees: readonly PolicyAssignee[]): string {
  const names = assignees
    .slice(0, namedAtMost)
    .map(({ name }) => name)
    .join(', ');
  return assignees.length > namedAtMost ? `${names} … (${assignees.length})` : names;
}
