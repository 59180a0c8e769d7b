import * as vscode from 'vscode';
import { showInformationMessage } from '../../editor/messages.ts';
import { signsIn, testConnection as sendTest } from './applications.ts';
import { longWork } from '../../editor/longWork.ts';
import { adminServerOf } from '../../editor/pickers/adminServer.ts';
import { chosenNodes } from '../../editor/nodes/chosenNodes.ts';
import { attempt } from '../../editor/commandError.ts';
import { askText } from '../../editor/pickers/inputSteps.ts';
import { pickObject } from '../../editor/pickers/objectPicks.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { shownServer } from '../../editor/pickers/shownServer.ts';

/** Lets the analytics server try to reach a registered database server; asks for the password, which replies leave empty. */
export async function testConnection(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Test Connection');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await shownServer(connection, argument);
  const [node] = chosenNodes(services, argument, undefined, 'registeredServer')?.nodes ?? [];
  const database = node
    ? { id: node.database.serverId, name: node.database.name }
    : await pickObject(connection, 'databases', { title, placeholder: vscode.l10n.t('Registered server') });
  if (!database) return;
  const what = vscode.l10n.t('{0} could not connect to "{1}"', connection.name, database.name);
  const password = (await attempt(what, async () => signsIn(await shown.server(), database.id)))
    ? await askPassword(database.name)
    : '';
  if (password === undefined) return;
  await longWork(vscode.l10n.t('{0} connects to {1}…', connection.name, database.name), ({ signal }) =>
    attempt(what, async () => sendTest(await shown.server(signal), database.id, password)),
  );
  void showInformationMessage(vscode.l10n.t('{0} reaches "{1}": the test passed.', connection.name, database.name));
}

async function askPassword(database: string): Promise<string | undefined> {
  const answer = await askText({
    title: vscode.l10n.t('Test Connection: {0}', database),
    isPassword: true,
    placeholder: vscode.l10n.t('Database password'),
    prompt: vscode.l10n.t('The server never shows the password that it keeps. Leave it empty to try without.'),
    accept: async () => undefined,
  });
  return typeof answer === 'string' ? answer : undefined;
}
