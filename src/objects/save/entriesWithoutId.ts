import { ClientError } from '../../client/clientError.ts';
import * as l10n from '../../l10n/l10n.ts';
import { isSameJson } from '../merge/canonicalJson.ts';
import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { ObjectKind } from '../kinds/objectKind.ts';

/**
 * Checks that a restricting list to be sent identifies its entries by id: a server may drop an entry without one, and a
 * list that loses its only entry gives access to everyone.
 * @param before view of the object on the server; its existing entries may have another form, unless a save must also
 * name them by id ({@link ObjectKind.namedById}).
 * @throws {ClientError} of kind refused, before anything is sent.
 */
export function checkEntryIds(
  server: { readonly name: string },
  kind: ObjectKind,
  view: JsonObject,
  before: JsonObject,
) {
  for (const [field, { key, isRestriction }] of Object.entries(kind.shape.fields ?? {})) {
    if (key === undefined || !isRestriction) continue;
    const known = listOf(before, field);
    const isKnown = (entry: Json) => known.some((other) => isSameJson(entry, other));
    const unnamed = listOf(view, field).filter((entry) => entryId(entry, key) === undefined);
    if (unnamed.some((entry) => !isKnown(entry))) throw withoutId(server.name, field, key);
    if (unnamed.length > 0 && kind.namedById?.includes(field)) throw otherForm(server.name, field, key);
  }
}

/** Ids of the entries of a list, for a save that sends them in addition to the list. */
export function idsIn(object: JsonObject, field: string, key: string): string[] {
  return listOf(object, field).flatMap((entry) => entryId(entry, key) ?? []);
}

/** Id of a list entry; some servers list bare ids instead of objects. */
export function entryId(entry: Json, key: string): string | undefined {
  return identifierText(isJsonObject(entry) ? fieldOf(entry, key) : entry);
}

function withoutId(server: string, field: string, key: string): ClientError {
  return new ClientError('refused', l10n.t('An entry in {0} has no {1}.', field, key), {
    server,
    remedy: l10n.t('Add the ID that the editor suggests, or remove the entry. Nothing was sent.'),
  });
}

function otherForm(server: string, field: string, key: string): ClientError {
  return new ClientError(
    'refused',
    l10n.t('{0} lists {1} without {2}. Saving would remove them.', server, field, key),
    {
      server,
      remedy: l10n.t('Change it in the web pages of the server. Nothing was sent.'),
    },
  );
}

function listOf(object: JsonObject, field: string): readonly Json[] {
  const list = fieldOf(object, field);
  return Array.isArray(list) ? list : [];
}
