import { setTimeout as delay } from 'node:timers/promises';
import { ClientError, isClientError } from '../client/clientError.ts';
import { mayHaveArrived, pausesAfter, settlePauses } from '../client/writes.ts';
import { withView } from './editableView.ts';
import { fieldOf, type JsonObject } from './json.ts';
import type { ObjectEntry } from './objectEntry.ts';
import { idOf, nameOf, type ObjectKind } from './objectKind.ts';
import type { ObjectServer } from './objectServer.ts';

/** What creating an object needs. */
export interface CreateRequest {
  readonly kind: ObjectKind;
  /** View of the new object as the user left it. */
  readonly view: JsonObject;
  /** Id of the place that it is to be in, as the kind's template takes it. */
  readonly parent?: string;
  /** Asks for a secret; undefined when the user gave up, empty when the object is to have none. */
  readonly askSecret: (field: string) => Promise<string | undefined>;
  /** Pauses, in ms, before each look at whether a save of unknown outcome arrived. */
  readonly pauses?: readonly number[];
}

/** What came of it; `cancelled` sent nothing. */
export type CreateOutcome = { readonly kind: 'created'; readonly id: string } | { readonly kind: 'cancelled' };

/**
 * Creates an object from the server's template and the view. The save is sent once: when its reply is lost, the list is
 * read until one object shows that was not there before and has the name; else the outcome is unknown.
 * @throws {ClientError} when the server refuses it, or of kind unknownOutcome.
 */
export async function createObject(server: ObjectServer, request: CreateRequest): Promise<CreateOutcome> {
  const { kind, view, parent, pauses = settlePauses } = request;
  if (!kind.template) throw cannotCreate(server, kind);
  const whole = withView(await kind.template(server, parent), view, kind.shape);
  const sent = await withFirstSecret(request, whole);
  if (!sent) return { kind: 'cancelled' };
  const known = new Set((await kind.list?.(server))?.map(({ id }) => id));
  const name = nameOf(kind, view);
  const isNew = (entry: ObjectEntry) => entry.name === name && !known.has(entry.id);
  try {
    const id = idOf(kind, await kind.save(server, sent));
    if (id !== undefined && !known.has(id) && id !== '0') return { kind: 'created', id };
  } catch (error) {
    if (!isClientError(error) || !mayHaveArrived(error)) throw error;
    const found = await lookFor(server, kind, isNew, pausesAfter(error, pauses));
    if (found) return { kind: 'created', id: found.id };
    throw unknownOutcome(server, name, error);
  }
  // Report types are saved without an answer that names them.
  const found = await lookFor(server, kind, isNew, [0]);
  if (found) return { kind: 'created', id: found.id };
  throw unknownOutcome(server, name, new Error(`${server.name} accepted it, but does not list it`));
}

/** The view of a new object that is like `view`: without id, under another name. */
export function cloneView(kind: ObjectKind, view: JsonObject, template: JsonObject, name: string): JsonObject {
  const kept = kind.shape.readOnly ?? [];
  const fields = Object.entries(view).map(([field, value]): [string, JsonObject[string]] => {
    if (field === kind.nameField) return [field, name];
    return [field, kept.includes(field) ? (fieldOf(template, field) ?? value) : value];
  });
  return Object.fromEntries([...fields, [kind.idField, fieldOf(template, kind.idField) ?? null]]);
}

async function withFirstSecret(request: CreateRequest, whole: JsonObject): Promise<JsonObject | undefined> {
  const { kind, askSecret } = request;
  const field = kind.firstSecret ?? (kind.secret?.isNeeded(whole) ? kind.secret.field : undefined);
  if (field === undefined) return whole;
  const given = await askSecret(field);
  if (given === undefined) return undefined;
  return given === '' ? whole : { ...whole, [field]: given };
}

/** Looks for the one entry that fits; two cannot be told apart, so they count as none. */
async function lookFor(
  server: ObjectServer,
  kind: ObjectKind,
  fits: (entry: ObjectEntry) => boolean,
  pauses: readonly number[],
): Promise<ObjectEntry | undefined> {
  for (const pause of pauses) {
    await delay(pause);
    try {
      const found = (await kind.list?.(server))?.filter(fits) ?? [];
      if (found.length > 0) return found.length === 1 ? found[0] : undefined;
    } catch (error) {
      // It cannot be read now; a later look may succeed, and if none does the outcome stays unknown.
      if (!isClientError(error)) throw error;
    }
  }
  return undefined;
}

function unknownOutcome(server: ObjectServer, name: string, cause: Error): ClientError {
  const message = `${server.name} may or may not have created "${name}": ${cause.message}`;
  return new ClientError('unknownOutcome', message, { server: server.name, cause });
}

function cannotCreate(server: ObjectServer, kind: ObjectKind): ClientError {
  return new ClientError('refused', `The API cannot create objects of the kind ${kind.name}.`, { server: server.name });
}
