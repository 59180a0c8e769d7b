import type { WriteGuard } from '../client/client.ts';
import { ClientError } from '../client/clientError.ts';
import { settleWrite } from '../client/writes.ts';
import type { ObjectEntry } from './objectEntry.ts';
import { kindWord } from './kindWords.ts';
import { nameOf, type ObjectKind } from './objectKind.ts';
import { guardedServer, type ObjectServer } from './objectServer.ts';
import { say } from '../words/say.ts';

/**
 * Deletes an object as it is now. The deletion is sent once; when its reply is lost, the object is looked for.
 * @param pauses in ms, before each look at whether a deletion of unknown outcome arrived.
 * @throws {ClientError} when the server refuses it, or of kind unknownOutcome.
 */
export async function deleteObject(
  server: ObjectServer,
  kind: ObjectKind,
  id: string,
  pauses?: readonly number[],
): Promise<void> {
  if (!kind.remove) {
    throw new ClientError('refused', say('The API cannot delete objects of the kind {0}.', kind.name), {
      server: server.name,
    });
  }
  const full = await kind.read(server, id);
  const traces = {
    kind: 'delete' as const,
    object: `${kindWord(kind.name)} "${nameOf(kind, full)}"`,
    read: async () => ((await kind.list?.(server)) ?? []).filter((entry) => entry.id === id),
    idOf: (entry: ObjectEntry) => entry.id,
    hasContent: () => true,
  };
  const remove = async (guard: WriteGuard) => kind.remove?.(guardedServer(server, guard), full);
  await settleWrite(server, traces, remove, { pauses });
}
