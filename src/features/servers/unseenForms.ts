import * as vscode from 'vscode';
import type { ListName } from '../../client/dialect/lists.ts';
import type { Connection } from '../../connections/connection.ts';
import { StoredState } from '../../connections/storedState.ts';
import { showInformationMessage } from '../../editor/messages.ts';

/** State key of the lists that messages were shown for. */
export function unseenFormsKey(serverId: string): string {
  return `analytics.unseenForms ${serverId}/`;
}

/**
 * Says once per server and list that the server has not been seen to take the form in which the list is sent: the API
 * description leaves it open, and no object of the server shows another one.
 */
export function showUnseenForm(state: vscode.Memento, connection: Connection, list: ListName): void {
  const key = unseenFormsKey(connection.id);
  const stored = new StoredState(state, { version: 1, parse: textsOf });
  const shown = stored.get(key) ?? [];
  if (shown.includes(list)) return;
  void stored.update(key, [...shown, list]);
  void showInformationMessage(
    vscode.l10n.t(
      '{0} has no {1} yet that show their form, and the API does not define it. They are sent in the likeliest form, which this server has not been seen to take. Check the result.',
      connection.name,
      labelOf(list),
    ),
  );
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;
}

function labelOf(list: ListName): string {
  switch (list) {
    case 'totals':
      return vscode.l10n.t('totals in reports');
    case 'links':
      return vscode.l10n.t('linked reports');
    case 'joins':
      return vscode.l10n.t('joins in report types');
    case 'userValues':
      return vscode.l10n.t('tag values of users');
  }
}
