import * as vscode from 'vscode';
import { createApplication } from '../administration/applications.ts';
import { displayText } from '../connections/displayText.ts';
import { adminServerOf } from './adminServer.ts';
import { attempt } from './commandError.ts';
import { askText, walkSteps, type StepAnswer } from './inputSteps.ts';
import { listObjects } from './objectPicks.ts';
import type { CommandServices } from './services.ts';

/** Registers an application: its name and what it is for. Its database is added afterwards. */
export async function newApplication(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('New Application');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const client = await connection.client();
  const what = vscode.l10n.t('Could not create an application on {0}', connection.name);
  const names = new Set((await attempt(what, () => listObjects(client, 'applications'))).map(({ name }) => name));
  const draft = { name: '', description: '' };
  const ask = async (field: keyof typeof draft, step: 1 | 2, placeholder: string): Promise<StepAnswer<true>> => {
    const answer = await askText({
      title: vscode.l10n.t('{0} on {1}', title, connection.name),
      step: [step, 2],
      value: draft[field],
      placeholder,
      accept: async (value) => (field === 'name' ? nameFault(value, names) : undefined),
    });
    if (typeof answer !== 'string') return answer;
    draft[field] = answer.trim();
    return true;
  };
  const isComplete = await walkSteps([
    () => ask('name', 1, vscode.l10n.t('Name, as report authors see it')),
    () => ask('description', 2, vscode.l10n.t('What it is for (may be empty)')),
  ]);
  if (!isComplete) return;
  const created = await attempt(what, () => createApplication(client, draft.name, draft.description));
  await services.tree.refreshObjects(connection, 'application');
  const words = created.isVisible
    ? vscode.l10n.t('Application "{0}" created on {1}. It needs a database next.', draft.name, connection.name)
    : vscode.l10n.t(
        'Application "{0}" created on {1}. You do not see it before you have a role in it: edit your user, then reload your permissions.',
        draft.name,
        connection.name,
      );
  const reload = vscode.l10n.t('Reload My Permissions');
  const chosen = await vscode.window.showInformationMessage(words, ...(created.isVisible ? [] : [reload]));
  const target = { connectionId: connection.id };
  if (chosen === reload) await vscode.commands.executeCommand('analytics.session.reloadPermissions', target);
}

function nameFault(value: string, names: ReadonlySet<string>): string | undefined {
  const name = value.trim();
  if (displayText(name) === '') return vscode.l10n.t('Enter a name.');
  return names.has(name) ? vscode.l10n.t('There is an application of that name already.') : undefined;
}
