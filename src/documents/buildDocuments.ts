import * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { objectServer } from '../objects/objectServer.ts';
import { BaseStore } from './baseStore.ts';
import { ConflictQuestion } from './conflictQuestion.ts';
import { DocumentFileSystem } from './documentFileSystem.ts';
import { Documents } from './documents.ts';
import type { ExplicitSaves } from './explicitSaves.ts';

/** What the documents room is built from. */
export interface DocumentParts {
  connections: ConnectionStore;
  saves: ExplicitSaves;
  /** Keeps what unsaved documents started from. */
  state: vscode.Memento;
}

/** Builds the documents room. */
export function buildDocuments({ connections, saves, state }: DocumentParts) {
  const question = new ConflictQuestion();
  const server = async (connectionId: string) => {
    const connection = connections.get(connectionId);
    if (!connection) throw new Error(vscode.l10n.t('The server of this document is no longer in the list.'));
    return objectServer(await connection.client());
  };
  const files = new DocumentFileSystem({
    server,
    saves,
    bases: new BaseStore(state),
    askAboutConflict: question.ask,
    askSecret,
  });
  const documents = new Documents();
  const dispose = (): void => {
    question.dispose();
    files.dispose();
  };
  return { files, documents, dispose };
}

async function askSecret(field: string, server: string): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('{0} on {1}', field, server),
    prompt: vscode.l10n.t('The server keeps this password to itself, so a save must carry it again.'),
    password: true,
    ignoreFocusOut: true,
  });
}
