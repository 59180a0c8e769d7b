import * as vscode from 'vscode';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { displayText } from '../../editor/displayText.ts';
import { documentTarget } from '../../editor/documentUri.ts';
import { objectWords } from '../../editor/objectWords.ts';

type Servers = Pick<ConnectionStore, 'get'>;

/** What failed, for example `Could not compare policy "Tenants" with Production`. */
export function couldNotCompare(servers: Servers, uri: vscode.Uri): string {
  return vscode.l10n.t('Could not compare {0} with {1}', objectWords(uri), serverOf(servers, uri));
}

/** What failed, for example `Could not reload policy "Tenants" from Production`. */
export function couldNotReload(servers: Servers, uri: vscode.Uri): string {
  return vscode.l10n.t('Could not reload {0} from {1}', objectWords(uri), serverOf(servers, uri));
}

/** Asks whether what was typed in a document may be lost. */
export function reloadQuestion(servers: Servers, uri: vscode.Uri): string {
  const words = [objectWords(uri), serverOf(servers, uri)] as const;
  return vscode.l10n.t('Reload {0} from {1} and give up the changes that are not saved?', ...words);
}

function serverOf(servers: Servers, uri: vscode.Uri): string {
  const server = servers.get(documentTarget(uri)?.connectionId ?? '');
  return displayText(server?.name ?? vscode.l10n.t('its server'));
}
