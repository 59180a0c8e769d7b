import * as vscode from 'vscode';
import { findKind } from '../../../objects/kinds/kinds.ts';
import type { ObjectKind } from '../../../objects/kinds/objectKind.ts';
import type { ObjectServer } from '../../../objects/objectServer.ts';
import { documentTarget, type DocumentTarget } from '../../../editor/documentUri.ts';
import { couldNotReach, reasonOf, refusal } from '../save/saveWords.ts';

/** Location of a document's object. */
export interface ResolvedDocument {
  readonly kind: ObjectKind;
  readonly server: ObjectServer;
  readonly target: DocumentTarget;
}

/**
 * Finds the server of a document.
 * @param serverOf returns the server of a connection; the same instance as long as the server is unchanged.
 * @throws {vscode.FileSystemError} also if another installation responds at the server's address.
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
    // The local server ends with the window that started it, for example on reload: a new one may be running.
    const other = await serverNow();
    if (other === server) throw error;
    return { server: other, installation: await other.installation() };
  }
}
