import * as vscode from 'vscode';
import { findKind } from '../../../objects/kinds/kinds.ts';
import type { ObjectKind } from '../../../objects/kinds/objectKind.ts';
import type { ObjectServer } from '../../../objects/objectServer.ts';
import { documentTarget, type DocumentTarget } from '../../../editor/documentUri.ts';
import { couldNotReach, reasonOf, refusal } from '../save/saveWords.ts';

/** Where the object of a document is. */
export interface ResolvedDocument {
  readonly kind: ObjectKind;
  readonly server: ObjectServer;
  readonly target: DocumentTarget;
}

/**
 * Finds the server that a document belongs to.
 * @param serverOf gives the server of a connection; the same one as long as the same server is meant.
 * @throws {vscode.FileSystemError} also when another installation answers at the address of the server.
 */
export async function resolveDocument(
  uri: vscode.Uri,
  serverOf: (connectionId: string) => Promise<ObjectServer>,
): Promise<ResolvedDocument> {
  const target = documentTarget(uri);
  const kind = target && findKind(target.kind);
  if (!kind) throw vscode.FileSystemError.FileNotFound(uri);
  let server: ObjectServer;
  let installation: string;
  try {
    ({ server, installation } = await reach(() => serverOf(target.connectionId)));
  } catch (error) {
    throw refusal(couldNotReach(kind, target), reasonOf(error), error);
  }
  if (installation === uri.query) return { kind, server, target };
  const why = vscode.l10n.t(
    'another installation now answers at this address. Open the object again from the sidebar.',
  );
  throw refusal(couldNotReach(kind, target), why);
}

/** The server with the id of its installation. */
async function reach(serverNow: () => Promise<ObjectServer>) {
  const server = await serverNow();
  try {
    return { server, installation: await server.installation() };
  } catch (error) {
    // The local server ends with the window that started it, as at a reload: then another one is there by now.
    const other = await serverNow();
    if (other === server) throw error;
    return { server: other, installation: await other.installation() };
  }
}
