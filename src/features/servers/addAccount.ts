import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { accountDraft, accountSteps, finishAccount } from './accountSteps.ts';
import { walkSteps } from '../../editor/pickers/inputSteps.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** Signs in to a saved server as another user as well; both accounts stay in the list, each with its own session. */
export async function addAccount(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Sign in to which server as another user?'));
  if (!connection) return;
  const draft = accountDraft(vscode.l10n.t('Sign In as Another User'), 0, serverBehind(connection, services));
  const isComplete = await walkSteps(accountSteps(draft, services));
  await finishAccount(draft, isComplete, services);
}

/** The server, under the name it has without an account. */
function serverBehind({ entry }: Connection, { connections }: CommandServices) {
  const first = connections.list().find((other) => other.kind === entry.kind && other.entry.apiBase === entry.apiBase);
  const { kind, apiBase, installationId } = entry;
  return { kind, apiBase, installationId, name: first?.name ?? entry.name };
}
