import { ClientError } from '../../client/clientError.ts';
import { editableView } from '../merge/editableView.ts';
import type { JsonObject } from '../json.ts';
import { nameOf, type ObjectKind } from '../kinds/objectKind.ts';
import type { ObjectServer } from '../objectServer.ts';
import { saveObject, type ConfirmWrite } from './saveObject.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Asks for a secret that a save requires; undefined if cancelled. */
export type AskSecret = (field: string) => Promise<string | undefined>;

/** For kinds of objects without secrets. */
export const noSecret: AskSecret = async () => undefined;

/**
 * Changes an object without opening it: reads it, calls `change` for the new view and saves it like a document: merged
 * with concurrent changes and read back.
 * @param confirm asks before it is sent.
 * @returns the object as read back; undefined if it needs a secret.
 * @throws {ClientError} when the save is not confirmed, the server refuses, others have just changed the same fields, the outcome is unknown, or
 * the server accepted the save but reads back without the change.
 */
export async function changeObject(
  server: ObjectServer,
  kind: ObjectKind,
  id: string,
  change: (view: JsonObject) => JsonObject,
  confirm?: ConfirmWrite,
): Promise<JsonObject | undefined> {
  const base = editableView(await kind.read(server, id), kind.shape);
  const outcome = await saveObject(server, { kind, id, base, mine: change(base), askSecret: noSecret, confirm });
  const name = nameOf(kind, base);
  const failure = (reason: 'refused' | 'unknownOutcome', message: string) =>
    new ClientError(reason, message, { server: server.name });
  switch (outcome.kind) {
    case 'saved':
      if (outcome.notTaken.length === 0) return outcome.view;
      throw failure(
        'refused',
        l10n.t('{0} accepted "{1}", but the saved object lacks: {2}.', server.name, name, outcome.notTaken.join(', ')),
      );
    case 'cancelled':
      return undefined;
    case 'unconfirmed':
      throw failure('refused', l10n.t('The change was not confirmed. Nothing was sent.'));
    case 'conflict':
      throw failure('refused', l10n.t('Someone else just changed the same part of "{0}" on {1}.', name, server.name));
    case 'readOnly':
      throw failure(
        'refused',
        l10n.t('{0} sets these parts of "{1}" itself: {2}.', server.name, name, outcome.paths.join(', ')),
      );
    case 'unknown':
      throw new ClientError('unknownOutcome', l10n.t('{0} may or may not have applied "{1}".', server.name, name), {
        server: server.name,
        cause: outcome.cause,
      });
  }
}
