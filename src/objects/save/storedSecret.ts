import type { WriteGuard } from '../../client/client.ts';
import { asAnswered, settleWrite } from '../../client/writes/writes.ts';
import { isSameJson } from '../merge/canonicalJson.ts';
import { fieldOf, type JsonObject } from '../json.ts';
import { kindLabel } from '../kinds/kindLabels.ts';
import { isSameRevision, nameOf, type ObjectKind } from '../kinds/objectKind.ts';
import { guardedServer, type ObjectServer } from '../objectServer.ts';
import * as l10n from '../../l10n/l10n.ts';

/** A new value for a secret of an object. */
export interface SecretChange {
  /** A kind that has a {@link ObjectKind.secret}. */
  readonly kind: ObjectKind;
  readonly id: string;
  /** Empty to keep the current one. */
  readonly secret: string;
  /** Fields that change with it. */
  readonly fields?: JsonObject;
  /** Pauses, in ms, before each check of a save of unknown outcome. */
  readonly pauses?: readonly number[];
}

/**
 * Changes a password or other secret of an object on the server; everything else is sent back as just read. A password
 * cannot be read back, so a save whose reply is lost has an unknown outcome unless the server returns this secret. API
 * description, Applications and servers (SaveRegSrv), Email (SaveSMTP), Instance settings (SaveAppSettings).
 * @throws {ClientError} when the server refuses it, or of kind unknownOutcome.
 */
export async function changeSecret(
  server: ObjectServer,
  { kind, id, secret, fields = {}, pauses }: SecretChange,
): Promise<void> {
  const { secret: stored } = kind;
  if (!stored) throw new Error(`Objects of the kind ${kind.name} have no secret.`);
  const full = await kind.read(server, id);
  const traces = {
    kind: 'change' as const,
    object: l10n.t('the secret of {0} "{1}"', kindLabel(kind.name), nameOf(kind, full)),
    read: async () => [await kind.read(server, id)],
    idOf: () => id,
    hasContent: (found: JsonObject) =>
      (secret === '' || fieldOf(found, stored.field) === secret) &&
      Object.entries(fields).every(([name, value]) => isSameJson(fieldOf(found, name), value)),
    // Most servers never return the secret: only an unchanged revision shows that nothing was saved.
    isAsBefore: (found: JsonObject) => isSameRevision(full, found),
  };
  const changed = { ...full, ...fields, ...(secret !== '' && { [stored.field]: secret }) };
  const send = (guard: WriteGuard) => kind.save(guardedServer(server, guard), changed);
  await settleWrite(server, traces, send, asAnswered, { pauses });
}
