import type { WriteGuard } from '../client/client.ts';
import { ClientError, isClientError } from '../client/clientError.ts';
import { settleWrite, type Traces } from '../client/writes.ts';
import type { ObjectEntry } from './objectEntry.ts';
import { kindWord } from './kindWords.ts';
import { nameOf, type ObjectKind } from './objectKind.ts';
import { guardedServer, type ObjectServer } from './objectServer.ts';
import { say } from '../words/say.ts';

/**
 * Deletes an object as it is now. The deletion is sent once, and the list read back; when its reply is lost, the object is looked for.
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
  const traces: Traces<ObjectEntry> = {
    kind: 'delete',
    object: `${kindWord(kind.name)} "${nameOf(kind, full)}"`,
    read: async () => ((await kind.list?.(server)) ?? []).filter((entry) => entry.id === id),
    idOf: (entry) => entry.id,
    hasContent: () => true,
  };
  const remove = async (guard: WriteGuard) => kind.remove?.(guardedServer(server, guard), full);
  const { kind: outcome } = await settleWrite(server, traces, remove, { pauses });
  if (outcome === 'answered') await throwIfStillThere(server, traces);
}

/** What a server says of a deletion is one thing, what it lists afterwards another. */
async function throwIfStillThere(server: ObjectServer, traces: Traces<ObjectEntry>): Promise<void> {
  let present: readonly ObjectEntry[];
  try {
    present = await traces.read(undefined);
  } catch (cause) {
    if (!isClientError(cause)) throw cause;
    const message = say(
      '{0} accepted to delete {1}, but could not be asked: {2}',
      server.name,
      traces.object,
      cause.message,
    );
    throw new ClientError('unknownOutcome', message, { server: server.name, cause });
  }
  if (present.length === 0) return;
  throw new ClientError('refused', say('{0} accepted to delete {1}, but still lists it.', server.name, traces.object), {
    server: server.name,
    remedy: say('Refresh, and look what else uses it.'),
  });
}
