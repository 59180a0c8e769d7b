import type { WriteGuard } from '../../client/client.ts';
import { ClientError } from '../../client/clientError.ts';
import { settleWrite, type WriteOutcome } from '../../client/writes/writes.ts';
import type { Traces } from '../../client/writes/writeTraces.ts';
import { WriteNotDone } from '../../client/writes/writeVerdict.ts';
import type { ObjectEntry } from '../kinds/objectEntry.ts';
import { kindLabel } from '../kinds/kindLabels.ts';
import { nameOf, type ObjectKind } from '../kinds/objectKind.ts';
import { guardedServer, type ObjectServer } from '../objectServer.ts';
import * as l10n from '../../l10n/l10n.ts';

/**
 * Deletes an object in its current state. The deletion is sent once and the list is read back; if the reply is lost,
 * the object is looked for.
 * @param pauses in ms, before each check of a deletion of unknown outcome.
 * @param proof a check of the server that has begun: nothing is sent until it has succeeded.
 * @throws {ClientError} when the server refuses it, or of kind unknownOutcome.
 */
export async function deleteObject(
  server: ObjectServer,
  kind: ObjectKind,
  id: string,
  pauses?: readonly number[],
  proof?: Promise<unknown>,
): Promise<void> {
  proof?.catch(() => undefined);
  if (!kind.remove) {
    throw new ClientError('refused', l10n.t('The API cannot delete objects of type {0}.', kind.name), {
      server: server.name,
    });
  }
  const entries = async () => (await kind.list?.(server))?.filter((entry) => entry.id === id);
  const reading = kind.read(server, id);
  let listing: ReturnType<typeof entries> | undefined = entries();
  for (const begun of [reading, listing]) begun.catch(() => undefined);
  await proof;
  const full = await reading;
  const object = `${kindLabel(kind.name)} "${nameOf(kind, full)}"`;
  /** The list; for the first time, that which was requested with the object, before the deletion. */
  const listed = () => {
    const begun = listing ?? entries();
    listing = undefined;
    return begun;
  };
  const traces: Traces<Pick<ObjectEntry, 'id'>> = {
    kind: 'delete',
    object,
    // If a server has only one object of the kind, reading it shows whether it still exists.
    read: async () => (await listed()) ?? (kind.isSet?.(await kind.read(server, id)) === true ? [{ id }] : []),
    idOf: (entry) => entry.id,
    hasContent: () => true,
  };
  if (kind.isSet?.(full) === false) throw nothingThere(server, object);
  const remove = async (guard: WriteGuard) => kind.remove?.(guardedServer(server, guard), full);
  // The server's reply to a deletion is not enough: check that the object is gone.
  const confirm = async ({ kind: outcome }: WriteOutcome<void, unknown>) => {
    if (outcome === 'answered' && (await traces.read(undefined)).length > 0) throw stillThere(server, object);
  };
  await settleWrite(server, traces, remove, confirm, { pauses });
}

function stillThere(server: ObjectServer, object: string): WriteNotDone {
  return new WriteNotDone(l10n.t('{0} accepted the deletion of {1} but still lists it.', server.name, object), {
    server: server.name,
    remedy: l10n.t('Refresh and check what else uses it.'),
  });
}

function nothingThere(server: ObjectServer, object: string): ClientError {
  return new ClientError('refused', l10n.t('{0} has nothing to delete: {1} is empty.', server.name, object), {
    server: server.name,
    remedy: l10n.t('Refresh. It may already have been deleted.'),
  });
}
