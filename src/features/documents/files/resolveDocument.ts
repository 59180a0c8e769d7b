import * as vscode from 'vscode';
import { isClientError } from '../../../client/clientError.ts';
import { findKind } from '../../../objects/kinds/kinds.ts';
import type { ObjectKind } from '../../../objects/kinds/objectKind.ts';
import type { ObjectServer } from '../../../objects/objectServer.ts';
import { documentTarget, type DocumentTarget } from '../../../editor/documentUri.ts';
import { cancelledUnsent, couldNotReach, reasonOf, refusal } from '../save/saveWords.ts';

/** Location of a document's object. */
export interface ResolvedDocument {
  readonly kind: ObjectKind;
  readonly server: ObjectServer;
  readonly target: DocumentTarget;
}

/**
 * Finds the server of a document, and reads from it while the installation is checked.
 * @param serverOf returns the server of a connection; the same instance as long as the server is unchanged.
 * @param read begins at once; its result is available only if the installation is the document's.
 * @throws {vscode.FileSystemError} also if another installation responds at the server's address.
 */
export async function resolveDocument<T = undefined>(
  uri: vscode.Uri,
  serverOf: (connectionId: string) => Promise<ObjectServer>,
  read: (resolved: ResolvedDocument) => Promise<T> | undefined = () => undefined,
): Promise<ResolvedDocument & { readonly reading: Promise<T> | undefined }> {
  const target = documentTarget(uri);
  const kind = target && findKind(target.kind);
  if (!kind) throw vscode.FileSystemError.FileNotFound(uri);
  try {
    const begin = (server: ObjectServer) => read({ kind, server, target });
    const { server, reading, installation } = await reach(() => serverOf(target.connectionId), begin);
    if (installation === uri.query) return { kind, server, target, reading };
  } catch (error) {
    if (isClientError(error, 'cancelled')) throw cancelledUnsent(error);
    throw refusal(couldNotReach(kind, target), reasonOf(error), error);
  }
  const why = vscode.l10n.t(
    'another installation now answers at this address. Open the object again from the sidebar.',
  );
  throw refusal(couldNotReach(kind, target), why, new Error(why));
}

/** The server with the id of its installation, and what is read from it meanwhile. */
async function reach<T>(
  serverNow: () => Promise<ObjectServer>,
  begin: (server: ObjectServer) => Promise<T> | undefined,
) {
  const ask = async (server: ObjectServer) => {
    const reading = begin(server);
    // Its failure is reported by the reader, if the installation is the right one.
    reading?.catch(() => undefined);
    return { server, reading, installation: await server.installation() };
  };
  const server = await serverNow();
  try {
    return await ask(server);
  } catch (error) {
    // The local server ends with the window that started it, for example on reload: a new one may be running.
    const other = await serverNow();
    if (other === server) throw error;
    return ask(other);
  }
}
