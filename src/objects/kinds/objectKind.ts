import type * as z from 'zod';
import { ClientError } from '../../client/clientError.ts';
import type { EndpointRow } from '../../contract/endpointRow.ts';
import { endpoints, type EndpointPath } from '../../contract/endpoints.ts';
import { readEnvelope, type Outcome } from '../../contract/envelope.ts';
import { isSameJson } from '../merge/canonicalJson.ts';
import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { textField, type ObjectEntry } from './objectEntry.ts';
import type { ObjectShape } from './objectShape.ts';
import { callForList, type ObjectServer } from '../objectServer.ts';
import { say } from '../../l10n/l10n.ts';

/** Everything that is known of one kind of administered object. */
export interface ObjectKind {
  /** Word used in URIs and file names, for example `policy` in `Tenants.policy.json`. */
  readonly name: string;
  /** Codicon. */
  readonly icon: string;
  readonly idField: string;
  /** Field that names the object; undefined where a server has only one of the kind. */
  readonly nameField: string | undefined;
  /** Field that holds who changed the object last, where the API tells. */
  readonly authorField?: string;
  /** Contract of the full object, for checks and for the JSON schema. */
  readonly schema: z.ZodObject;
  readonly shape: ObjectShape;
  /** Fields, kept by the server, that say where an object is: a copy of it is to be in the same place. */
  readonly placeFields?: readonly string[];
  /** Field with the id of the folder that an object lies in. */
  readonly folderField?: string;
  /**
   * Fields that decide who gets in or what everybody sees: a change of them is confirmed before it is sent; with a value, only
   * a change to that.
   */
  readonly riskyFields?: readonly (string | { readonly field: string; readonly to: Json })[];
  /** Lists whose entries a save names by id beside the object: those without an id would be taken away. */
  readonly namedById?: readonly string[];
  /** Secret that replies leave empty and a save must carry; see {@link WriteOnlySecret}. */
  readonly secret?: WriteOnlySecret;
  /** Reads the object afresh. @throws {ClientError} also when there is no such object. */
  read(server: ObjectServer, id: string): Promise<JsonObject>;
  /** Secret that a new object of this kind is given when it is created; asked for, and left out if the user gives none. */
  readonly firstSecret?: string;
  /** Every object of the kind that the account may see; absent where a server has only one. */
  list?(server: ObjectServer): Promise<ObjectEntry[]>;
  /**
   * Object that a new one starts from, as the server's New… call gives it; absent where none can be created.
   * @param parent id of the place for it: a folder, or a registered server.
   */
  template?(server: ObjectServer, parent?: string): Promise<JsonObject>;
  /** Id of the place that an object is in, as {@link template} takes it, where the object's own id names it. */
  parentOf?(id: string): string | undefined;
  /** Creates or replaces an object; `full` is complete. The reply holds at least the id, unless the kind can be listed. */
  save(server: ObjectServer, full: JsonObject): Promise<JsonObject>;
  /** Saves a change of name or description alone; `full` is complete. Absent where the API has no call of its own for it. */
  saveHead?(server: ObjectServer, full: JsonObject): Promise<JsonObject>;
  /** Whether there is an object, where a server has at most one and always answers a form of it: for kinds that can be deleted. */
  isSet?(full: JsonObject): boolean;
  /** Deletes an object; `full` is complete. Absent where none can be deleted. */
  remove?(server: ObjectServer, full: JsonObject): Promise<void>;
}

/** A password that is asked for when the object is saved: never in text, never blanked. */
export interface WriteOnlySecret {
  readonly field: string;
  /** Field that is shown and that the secret belongs to, such as the login. */
  readonly beside: string;
  /**
   * Whether a save of this object has to carry it; `perhaps` where only the user knows whether there is one.
   * @param before the object as the server holds it; undefined for a new one.
   */
  need(full: JsonObject, before?: JsonObject): SecretNeed;
}

export type SecretNeed = 'yes' | 'perhaps' | 'no';

/**
 * Asks the user for a secret; undefined when the user gave up.
 * @param mayBeEmpty whether empty text, for none, is an answer too.
 */
export type AskSecret = (field: string, mayBeEmpty: boolean) => Promise<string | undefined>;

/**
 * Finds an object in the reply of its list, where the API has no call for a single one.
 * @throws {ClientError} of kind refused when it is not there, or the server could not read it.
 */
export async function readFromList(
  server: ObjectServer,
  path: EndpointPath,
  idField: string,
  id: string,
): Promise<JsonObject> {
  const found = (await callForList(server, path, {})).find((entry) => identifierText(fieldOf(entry, idField)) === id);
  if (found) {
    throwIfFailed(server, path, found);
    return found;
  }
  throw new ClientError(
    'refused',
    say('{0} has no object {1} in {2}: it was deleted, or is hidden from you.', server.name, id, path),
    {
      server: server.name,
      endpoint: path,
    },
  );
}

/**
 * Entries of a list by their fields; those without an id are left out. One that tells of a failure of its own keeps its place: the
 * object is there, whatever it is like.
 * @throws {ClientError} of kind refused when such a one has no id: then nobody knows what is there.
 */
export async function listEntries(
  server: ObjectServer,
  path: EndpointPath,
  fields: { id: string; name: string; detail?: string },
): Promise<ObjectEntry[]> {
  return entriesOf(server, path, await callForList(server, path, {}), fields);
}

/** {@link listEntries} of a list that was read from `path`. */
export function entriesOf(
  server: ObjectServer,
  path: EndpointPath,
  objects: readonly JsonObject[],
  fields: { id: string; name: string; detail?: string },
): ObjectEntry[] {
  return objects.flatMap((object): ObjectEntry[] => {
    const id = identifierText(fieldOf(object, fields.id));
    if (id === undefined || id === '') {
      throwIfFailed(server, path, object);
      return [];
    }
    if (!outcomeOf(path, object).ok) return [{ id, name: id, detail: '', isUnreadable: true }];
    const detail = fields.detail === undefined ? '' : textField(object, fields.detail);
    return [{ id, name: textField(object, fields.name) || id, detail }];
  });
}

/** What an entry of a list says of itself. */
function outcomeOf(path: EndpointPath, entry: JsonObject): Outcome {
  const { form }: EndpointRow = endpoints[path];
  return readEnvelope(entry, 'envelope' in form && form.envelope !== 'none' ? form.envelope : 'standard');
}

/** @throws {ClientError} for an entry that tells of a failure of its own: it is not the whole object, and saving it would lose the rest. */
function throwIfFailed({ name }: ObjectServer, path: EndpointPath, entry: JsonObject): void {
  const outcome = outcomeOf(path, entry);
  if (outcome.ok) return;
  const { code, message } = outcome;
  const words = say('{0} could not read an object of {1} ({2}): {3}', name, path, code, message);
  throw new ClientError('refused', words, { server: name, endpoint: path, code });
}

/** Whether the server counts revisions of an object, and two readings of it are of the same one. */
export function isSameRevision(one: JsonObject, other: JsonObject): boolean {
  const revision = fieldOf(one, 'Revision');
  return revision !== undefined && revision !== null && isSameJson(revision, fieldOf(other, 'Revision'));
}

/**
 * A save's request: `expectedRevision` is understood by the embedded server, which then refuses an object that moved on in
 * the meantime. Other servers' objects have no revision, so nothing is added for them.
 */
export function withRevision(body: JsonObject, full: JsonObject): JsonObject {
  const revision = fieldOf(full, 'Revision');
  return revision === undefined ? body : { ...body, expectedRevision: revision };
}

/** Id of an object; undefined for one that is not created yet. */
export function idOf(kind: ObjectKind, object: JsonObject): string | undefined {
  return identifierText(fieldOf(object, kind.idField));
}

/** Who changed an object last; undefined where the API does not tell. */
export function authorOf(kind: ObjectKind, object: JsonObject): string | undefined {
  const author = kind.authorField === undefined ? undefined : fieldOf(object, kind.authorField);
  const name = isJsonObject(author) ? fieldOf(author, 'LoginName') : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Name of an object; its id where it has none. */
export function nameOf(kind: ObjectKind, object: JsonObject): string {
  const name = kind.nameField === undefined ? undefined : fieldOf(object, kind.nameField);
  return typeof name === 'string' && name.trim() !== '' ? name : (idOf(kind, object) ?? kind.name);
}
