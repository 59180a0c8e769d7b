import * as vscode from 'vscode';
import { showErrorMessage } from '../../editor/messages.ts';
import { isClientError } from '../../client/clientError.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { objectServer, type ObjectServer } from '../../objects/objectServer.ts';
import { askSecret } from '../../editor/pickers/askSecret.ts';
import { BaseStore } from './files/openDocuments.ts';
import { confirmRisk } from '../../editor/pickers/confirmRisk.ts';
import { conflictQuestion, confirmCreateAgain } from './save/saveQuestions.ts';
import { DocumentFileSystem } from './files/documentFileSystem.ts';
import { Documents } from './documents.ts';
import { documentUri } from '../../editor/documentUri.ts';
import type { ExplicitSaves } from './save/explicitSaves.ts';
import type { SavedDocument } from './files/openDocument.ts';
import { SaveProblems } from './save/saveProblems.ts';
import { reasonOf } from './save/saveWords.ts';
import { ServerStates } from './files/serverStates.ts';

/** Dependencies of the documents feature. */
export interface DocumentParts {
  connections: ConnectionStore;
  saves: ExplicitSaves;
  /** Stores the base of unsaved documents. */
  state: vscode.Memento;
  /** Called after an object was saved. */
  readonly onDidSave: (saved: SavedDocument) => void;
}

/** Creates the documents feature. */
export function buildDocuments({ connections, saves, state, onDidSave }: DocumentParts) {
  const states = new ServerStates();
  const problems = new SaveProblems();
  const servers = new WeakMap<AnalyticsClient, ObjectServer>();
  const server = async (connectionId: string) => {
    const connection = connections.get(connectionId);
    if (!connection) throw new Error(vscode.l10n.t('The server of this document is no longer in the server list.'));
    const client = await connection.client();
    const known = servers.get(client) ?? objectServer(client);
    servers.set(client, known);
    return known;
  };
  const files = new DocumentFileSystem({
    server,
    saves,
    bases: new BaseStore(state),
    askAboutConflict: conflictQuestion(states),
    askAboutRisk: confirmRisk,
    askToCreateAgain: confirmCreateAgain,
    askSecret,
    problems,
    onDidSave: (saved) => {
      onDidSave(saved);
      if (saved.isNew) void show(() => documents.replaceNew(saved.uri, saved.target));
    },
    onDidFind: (target) => {
      onDidSave({ uri: documentUri(target, ''), target, isNew: false });
      void show(() => documents.open(target, vscode.ViewColumn.Beside));
    },
  });
  const show = async (open: () => Promise<void>) => {
    try {
      await open();
    } catch (error) {
      if (isClientError(error, 'cancelled') || error instanceof vscode.CancellationError) return;
      void showErrorMessage(reasonOf(error));
    }
  };
  const documents: Documents = new Documents({ server, files, states, askSecret });
  const dispose = (): void => {
    for (const part of [states, problems, files]) part.dispose();
  };
  return { files, documents, dispose };
}
