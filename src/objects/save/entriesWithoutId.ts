import { ClientError } from '../../client/clientError.ts';
import { say } from '../../l10n/l10n.ts';
import { isSameJson } from '../merge/canonicalJson.ts';
import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { ObjectKind } from '../kinds/objectKind.ts';

/**
 * Makes sure that what is to be sent names by id whom it restricts: a server may leave an entry without one out, and a list that
 * loses its only entry lets everybody in.
 * @param before view of the object as the server holds it; what stands there already may have another form, unless a save has to
 * name it by id as well ({@link ObjectKind.namedById}).
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

/** Ids that the entries of a list name, for a save that carries them beside the list. */
export function idsIn(object: JsonObject, field: string, key: string): string[] {
  return listOf(object, field).flatMap((entry) => entryId(entry, key) ?? []);
}

/** Id that an entry of a list names; some servers list bare ids in place of objects. */
export function entryId(entry: Json, key: string): string | undefined {
  return identifierText(isJsonObject(entry) ? fieldOf(entry, key) : entry);
}

function withoutId(server: string, field: string, key: string): ClientError {
  return new ClientError('refused', say('An entry of {0} has no {1}.', field, key), {
    server,
    remedy: say('Give it the id, which the editor suggests, or take it out. Nothing was sent.'),
  });
}

function otherForm(server: string, field: string, key: string): ClientError {
  return new ClientError(
    'refused',
    say('{0} lists {1} without {2}: a save would take them away.', server, field, key),
    {
      server,
      remedy: say('Change it in the pages of the server. Nothing was sent.'),
    },
  );
}

function listOf(object: JsonObject, field: string): readonly Json[] {
  const list = fieldOf(object, field);
  return Array.isArray(list) ? list : [];
}
