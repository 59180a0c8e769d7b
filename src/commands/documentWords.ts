import * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { displayText } from '../connections/displayText.ts';
import { documentTarget } from '../documents/documentUri.ts';
import { kindWord } from '../objects/kindWords.ts';

type Servers = Pick<ConnectionStore, 'get'>;

/** What failed, for example `Could not compare policy "Tenants" with Production`. */
export function couldNotCompare(servers: Servers, uri: vscode.Uri): string {
  return vscode.l10n.t('Could not compare {0} "{1}" with {2}', ...wordsOf(servers, uri));
}

/** What failed, for example `Could not reload policy "Tenants" from Production`. */
export function couldNotReload(servers: Servers, uri: vscode.Uri): string {
  return vscode.l10n.t('Could not reload {0} "{1}" from {2}', ...wordsOf(servers, uri));
}

/** Asks whether what was typed in a document may be lost. */
export function reloadQuestion(servers: Servers, uri: vscode.Uri): string {
  return vscode.l10n.t(
    'Reload {0} "{1}" from {2} and give up the changes that are not saved?',
    ...wordsOf(servers, uri),
  );
}

/** Kind and name of a document's object, and the name of its server; of other files the name and nothing else. */
function wordsOf(servers: Servers, uri: vscode.Uri): [kind: string, name: string, server: string] {
  const target = documentTarget(uri);
  if (!target) return ['', displayText(uri.path), ''];
  const server = servers.get(target.connectionId)?.name ?? vscode.l10n.t('its server');
  return [kindWord(target.kind), displayText(target.name), displayText(server)];
}
