import { setTimeout as delay } from 'node:timers/promises';
import { ClientError, isClientError } from '../client/clientError.ts';
import { mayHaveArrived, pausesAfter, settlePauses } from '../client/writes.ts';
import type { ObjectKind } from './objectKind.ts';
import type { ObjectServer } from './objectServer.ts';

/**
 * Deletes an object as it is now. The deletion is sent once; when its reply is lost, the object is looked for.
 * @throws {ClientError} when the server refuses it, or of kind unknownOutcome.
 */
export async function deleteObject(
  server: ObjectServer,
  kind: ObjectKind,
  id: string,
  pauses: readonly number[] = settlePauses,
): Promise<void> {
  if (!kind.remove) {
    throw new ClientError('refused', `The API cannot delete objects of the kind ${kind.name}.`, {
      server: server.name,
    });
  }
  const full = await kind.read(server, id);
  try {
    await kind.remove(server, full);
  } catch (error) {
    if (!isClientError(error) || !mayHaveArrived(error)) throw error;
    if (await isGone(server, kind, id, pausesAfter(error, pauses))) return;
    const message = `${server.name} may or may not have deleted it: ${error.message}`;
    throw new ClientError('unknownOutcome', message, { server: server.name, cause: error });
  }
}

/** Whether the object is missing from its list, or cannot be read because there is none. */
async function isGone(server: ObjectServer, kind: ObjectKind, id: string, pauses: readonly number[]): Promise<boolean> {
  for (const pause of pauses) {
    await delay(pause);
    try {
      const entries = await kind.list?.(server);
      if (entries && !entries.some((entry) => entry.id === id)) return true;
    } catch (error) {
      // It cannot be read now; a later look may succeed.
      if (!isClientError(error)) throw error;
    }
  }
  return false;
}
