import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { documentScheme } from './documentUri.ts';
import type { CommandServices } from './commands/services.ts';

/** Objects of one kind of documents. */
export interface ChangedObjects {
  kind: string;
  objects: readonly { id: string; name: string }[];
}

/** Lets open documents show what a command changed of their objects on the server; unsaved changes in them stay. */
export async function showChanged(
  services: CommandServices,
  connection: Connection,
  ...changed: readonly ChangedObjects[]
): Promise<void> {
  if (!vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === documentScheme)) return;
  const documents = await services.documents();
  for (const { kind, objects } of changed) {
    for (const { id, name } of objects) documents.changedOnServer({ connectionId: connection.id, kind, id, name });
  }
}
