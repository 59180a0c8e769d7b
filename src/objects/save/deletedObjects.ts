import { isClientError, type ClientErrorKind } from '../../client/clientError.ts';
import { runWithSignal } from '../../client/http/cancelScope.ts';
import { fieldOf, identifierText, type JsonObject } from '../json.ts';
import { folderKind } from '../kinds/libraryKinds.ts';
import type { ObjectKind } from '../kinds/objectKind.ts';
import type { ObjectServer } from '../objectServer.ts';

/** Kinds of failures that are the server's own answer to reading an object. */
const answers: readonly ClientErrorKind[] = ['refused', 'noPermission', 'notFound', 'malformed'];

/** Maximum delay of an error message to collect more information, in milliseconds. */
const momentMs = 2_000;

/** Whether a failure to read an object is an answer of the server, so that the object may have been deleted. */
export function isAnswer(error: unknown): boolean {
  return isClientError(error) && answers.includes(error.kind);
}

/** Whether the server lists objects of a kind without this one. Never rejects. */
export async function isGone(server: ObjectServer, kind: ObjectKind, id: string): Promise<boolean> {
  return (await deletedOf(server, kind, [id])).length > 0;
}

/**
 * The given objects of a kind that the server does not list although it lists others. Empty if it does not answer soon:
 * the user is waiting for an error message. Never rejects.
 */
export async function deletedOf(server: ObjectServer, kind: ObjectKind, ids: readonly string[]): Promise<string[]> {
  try {
    const entries = await runWithSignal(AbortSignal.timeout(momentMs), async () => kind.list?.(server));
    const listed = new Set(entries?.map(({ id }) => id));
    return listed.size > 0 ? ids.filter((id) => !listed.has(id)) : [];
  } catch {
    // The earlier refusal is more specific.
    return [];
  }
}

/** Whether the folder for an object has been deleted. Never rejects. */
export async function isFolderDeleted(server: ObjectServer, kind: ObjectKind, view: JsonObject): Promise<boolean> {
  const id = kind.folderField === undefined ? undefined : identifierText(fieldOf(view, kind.folderField));
  return id !== undefined && !['', '0'].includes(id) && isGone(server, folderKind, id);
}
