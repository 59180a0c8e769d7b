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
import * as l10n from '../../l10n/l10n.ts';

/** Definition of a kind of administered object. */
export interface ObjectKind {
  /** Name in URIs and file names, for example `policy` in `Tenants.policy.json`. */
  readonly name: string;
  /** Codicon. */
  readonly icon: string;
  readonly idField: string;
  /** Field with the object's name; undefined if a server has only one object of the kind. */
  readonly nameField: string | undefined;
  /** Field with the user who last changed the object, if the API provides it. */
  readonly authorField?: string;
  /** Contract of the full object, for validation and for the JSON schema. */
  readonly schema: z.ZodObject;
  readonly shape: ObjectShape;
  /** Fields, read-only to users, that determine an object's location; a copy gets the same location. */
  readonly placeFields?: readonly string[];
  /** Field with the id of the folder that contains the object. */
  readonly folderField?: string;
  /**
   * Fields that control access or affect all users: changes must be confirmed before they are sent; with a value, only
   * changes to that value.
   */
  readonly riskyFields?: readonly (string | { readonly field: string; readonly to: Json })[];
  /** Lists that a save must include, even if a read returned null in their place. */
  readonly requiredLists?: readonly string[];
  /** Lists whose entries a save also names by id: entries without an id would be removed. */
  readonly namedById?: readonly string[];
  /** Secret that replies omit and a save must include; see {@link WriteOnlySecret}. */
  readonly secret?: WriteOnlySecret;
  /** Reads the object from the server. @throws {ClientError} also when it does not exist. */
  read(server: ObjectServer, id: string): Promise<JsonObject>;
  /** Secret that a new object gets when it is created; the user is asked, and it is omitted if left empty. */
  readonly firstSecret?: string;
  /** Lists all objects of the kind that the account may see; undefined if a server has only one. */
  list?(server: ObjectServer): Promise<ObjectEntry[]>;
  /**
   * Returns the object that a new one starts from, from the server's New… call; undefined if none can be created.
   * @param parent id of the location: a folder or a registered server.
   */
  template?(server: ObjectServer, parent?: string): Promise<JsonObject>;
  /** Id of an object's location, as passed to {@link template}, if the object's id contains it. */
  parentOf?(id: string): string | undefined;
  /**
   * Creates or replaces an object; `full` is complete. The reply contains at least the id, unless the kind can be
   * listed.
   */
  save(server: ObjectServer, full: JsonObject): Promise<JsonObject>;
  /** Saves only a changed name or description; `full` is complete. Undefined if the API has no separate call for it. */
  saveHead?(server: ObjectServer, full: JsonObject): Promise<JsonObject>;
  /**
   * Whether the object exists, if a server has at most one and always returns an empty form of it: for kinds that can
   * be deleted.
   */
  isSet?(full: JsonObject): boolean;
  /** Deletes an object; `full` is complete. Undefined if the kind does not support it. */
  remove?(server: ObjectServer, full: JsonObject): Promise<void>;
}

/** A password that the user is asked for on save: never part of the text, never cleared. */
export interface WriteOnlySecret {
  readonly field: string;
  /** Visible field that the secret belongs to, such as the login. */
  readonly beside: string;
  /**
   * Whether saving this object must include it; `perhaps` if only the user knows whether there is one.
   * @param before the object on the server; undefined for a new one.
   */
  need(full: JsonObject, before?: JsonObject): SecretNeed;
}

export type SecretNeed = 'yes' | 'perhaps' | 'no';

/**
 * Asks the user for a secret; undefined if cancelled.
 * @param mayBeEmpty whether empty text, meaning none, is allowed.
 */
export type AskSecret = (field: string, mayBeEmpty: boolean) => Promise<string | undefined>;

/**
 * Finds an object in the reply of its list, for kinds without a call for a single object.
 * @throws {ClientError} of kind refused when it is missing or the server could not read it.
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
    l10n.t('{0} has no object {1} in {2}. It was deleted, or is hidden from you.', server.name, id, path),
    {
      server: server.name,
      endpoint: path,
    },
  );
}

/**
 * Entries of a list, by their fields; omits entries without an id. An entry that reports a failure is included: the
 * object exists, whatever its content.
 * @throws {ClientError} of kind refused when such an entry has no id, so that the list is incomplete.
 */
export async function listEntries(
  server: ObjectServer,
  path: EndpointPath,
  fields: { id: string; name: string; detail?: string },
): Promise<ObjectEntry[]> {
  return entriesOf(server, path, await callForList(server, path, {}), fields);
}

/** {@link listEntries} for a list that was read from `path`. */
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

/** Outcome that a list entry reports. */
function outcomeOf(path: EndpointPath, entry: JsonObject): Outcome {
  const { form }: EndpointRow = endpoints[path];
  return readEnvelope(entry, 'envelope' in form && form.envelope !== 'none' ? form.envelope : 'standard');
}

/** @throws {ClientError} for an entry that reports a failure: it is incomplete, and saving it would lose the rest. */
function throwIfFailed({ name }: ObjectServer, path: EndpointPath, entry: JsonObject): void {
  const outcome = outcomeOf(path, entry);
  if (outcome.ok) return;
  const { code, message } = outcome;
  const words = l10n.t('{0} could not read an object of {1} ({2}): {3}', name, path, code, message);
  throw new ClientError('refused', words, { server: name, endpoint: path, code });
}

/** Whether the server counts revisions of an object and two reads have the same revision. */
export function isSameRevision(one: JsonObject, other: JsonObject): boolean {
  const revision = fieldOf(one, 'Revision');
  return revision !== undefined && revision !== null && isSameJson(revision, fieldOf(other, 'Revision'));
}

/**
 * The request of a save. The embedded server understands `expectedRevision` and rejects the save if the object was
 * changed in the meantime. Other servers' objects have no revision, so it is not added for them.
 */
export function withRevision(body: JsonObject, full: JsonObject): JsonObject {
  const revision = fieldOf(full, 'Revision');
  return revision === undefined ? body : { ...body, expectedRevision: revision };
}

/** Id of an object; undefined for one that is not created yet. */
export function idOf(kind: ObjectKind, object: JsonObject): string | undefined {
  return identifierText(fieldOf(object, kind.idField));
}

/** The user who last changed an object; undefined if the API does not provide it. */
export function authorOf(kind: ObjectKind, object: JsonObject): string | undefined {
  const author = kind.authorField === undefined ? undefined : fieldOf(object, kind.authorField);
  const name = isJsonObject(author) ? fieldOf(author, 'LoginName') : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Name of an object, or its id if it has none. */
export function nameOf(kind: ObjectKind, object: JsonObject): string {
  const name = kind.nameField === undefined ? undefined : fieldOf(object, kind.nameField);
  return typeof name === 'string' && name.trim() !== '' ? name : (idOf(kind, object) ?? kind.name);
}
