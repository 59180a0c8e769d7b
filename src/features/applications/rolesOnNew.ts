import * as vscode from 'vscode';
import type { AnalyticsClient } from '../../client/client.ts';
import type { Connection } from '../../connections/connection.ts';
import { showInformationMessage } from '../../editor/messages.ts';
import { objectServer } from '../../objects/objectServer.ts';
import type { ApplicationSetup } from './applicationSetup.ts';
import type { StoredSetup } from './setupJournal.ts';

/** The part of a wizard's state that is used here. */
interface NewApplication {
  connection: Connection;
  client: AnalyticsClient;
  setup: Pick<ApplicationSetup, 'isVisible' | 'kept'>;
}

type Registered = Pick<StoredSetup, 'applicationId' | 'name'>;

/**
 * Whether the account can see a new application. If not, offers it a role: a new application is invisible to
 * administrators without one. API description, Authentication (Permissions).
 */
export async function canSee({ connection, client, setup }: NewApplication): Promise<boolean> {
  if (await setup.isVisible()) return true;
  const { name } = setup.kept;
  const grant = vscode.l10n.t('Grant Me a Role…');
  const reload = vscode.l10n.t('Reload My Permissions');
  const question = vscode.l10n.t(
    'Application "{0}" is registered on {1}, but you have no role in it.',
    name,
    connection.name,
  );
  const detail = vscode.l10n.t('Without a role, you cannot see it. You can also continue later with New Application.');
  const answer = await showInformationMessage(question, { modal: true, detail }, grant, reload);
  if (answer === reload) await reloadPermissions(connection);
  if (answer === grant) {
    const id = objectServer(client).accountId?.() ?? '';
    const user = { id, name: connection.userName };
    await grantRole(connection, setup.kept, id === '' ? undefined : [user]);
  }
  return answer !== undefined && (await setup.isVisible());
}

/** Reports that an application is ready, and offers to give users roles on it. */
export async function offerRoles(connection: Connection, application: Registered, words: string): Promise<void> {
  const grant = vscode.l10n.t('Grant Application Role…');
  if ((await showInformationMessage(words, grant)) === grant) await grantRole(connection, application);
}

async function grantRole(
  { id: connectionId }: Connection,
  { applicationId: id, name }: Registered,
  users?: readonly { id: string; name: string }[],
): Promise<void> {
  const given = { connectionId, application: { id, name }, ...(users && { users }) };
  await vscode.commands.executeCommand('analytics.role.grant', given);
}

/** Applies changed roles to the account's own session. */
export async function reloadPermissions({ id: connectionId }: Connection): Promise<void> {
  await vscode.commands.executeCommand('analytics.session.reloadPermissions', { connectionId });
}
