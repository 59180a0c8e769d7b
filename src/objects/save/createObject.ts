import type { WriteGuard } from '../../client/client.ts';
import { ClientError, isClientError } from '../../client/clientError.ts';
import { settleWrite, type WriteOutcome } from '../../client/writes/writes.ts';
import { unknownOutcome } from '../../client/writes/writeVerdict.ts';
import { findPendingCreate, hasAllOf, idsNamed, type PendingCreate, type EarlierTrace } from './pendingCreate.ts';
import { checkEntryIds } from './entriesWithoutId.ts';
import { editableView, withView } from '../merge/editableView.ts';
import { fieldOf, type JsonObject } from '../json.ts';
import { lostChanges } from '../merge/lostChanges.ts';
import { kindLabel } from '../kinds/kindLabels.ts';
import { idOf, nameOf, type AskSecret, type ObjectKind } from '../kinds/objectKind.ts';
import { guardedServer, type ObjectServer } from '../objectServer.ts';
import { saveNotice } from './saveNotice.ts';
import type { ObjectShape } from '../kinds/objectShape.ts';
import type { ConfirmWrite } from './saveObject.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Input for creating an object. */
export interface CreateRequest {
  readonly kind: ObjectKind;
  /** View of the new object as edited by the user. */
  readonly view: JsonObject;
  /** Id of the location, as passed to the kind's template. */
  readonly parent?: string;
  /** Asks for a secret; empty if the object should have none. */
  readonly askSecret: AskSecret;
  /** Asks about what is to be created, until there is nothing new to ask. Default: nothing is asked. */
  readonly confirm?: ConfirmWrite;
  /** Pauses, in ms, before each check of a save of unknown outcome. */
  readonly pauses?: readonly number[];
  /** Earlier creates of the same object with unknown outcome: checked first. */
  readonly earlier?: readonly PendingCreate[];
  /** Asks whether to send it although an earlier one may have succeeded. Default: nothing is sent then. */
  readonly askToRepeat?: (trace: Exclude<EarlierTrace['kind'], 'found'>) => Promise<boolean>;
  /** Called for a create of unknown outcome, which the next one must check. */
  readonly onUnknown?: (create: PendingCreate) => void;
}

/**
 * Result of a create; `cancelled`, `unconfirmed` and `declined` sent nothing. `view` is what an earlier create of unknown outcome
 * sent, if that one created the object.
 */
export type CreateOutcome =
  | {
      readonly kind: 'created';
      readonly id: string;
      /** Paths of fields that the server accepted but reads back differently; empty if it could not be read back. */
      readonly notTaken: readonly string[];
      /** Message of the server, other than that it succeeded. */
      readonly notice?: string;
      readonly view?: JsonObject;
    }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'declined' };

/** An object that a create may have made; its view is read on demand. */
interface Candidate {
  readonly id: string;
  readonly view?: JsonObject;
}

/**
 * Creates an object from the server's template and the view. The save is sent once: if its reply is lost, the list is
 * read until it has exactly one new object with the name and content; otherwise the outcome is unknown.
 * @throws {ClientError} when the server refuses it, or of kind unknownOutcome.
 */
export async function createObject(server: ObjectServer, request: CreateRequest): Promise<CreateOutcome> {
  const { kind, parent } = request;
  if (!kind.template) throw cannotCreate(server, kind);
  const template = await kind.template(server, parent);
  const { earlier = [], askToRepeat } = request;
  if (earlier.length > 0) {
    const before = editableView(template, kind.shape);
    const trace = await findPendingCreate(server, kind, earlier, { before, parent });
    if (trace.kind === 'found') return { kind: 'created', id: trace.id, view: trace.view, notTaken: [] };
    if (!(await askToRepeat?.(trace.kind))) return { kind: 'declined' };
  }
  return createFrom(template, server, request);
}

async function createFrom(template: JsonObject, server: ObjectServer, request: CreateRequest): Promise<CreateOutcome> {
  const { kind, view, parent, pauses } = request;
  const before = editableView(template, kind.shape);
  checkEntryIds(server, kind, view, before);
  const sent = await withFirstSecret(request, withView(template, view, kind.shape));
  if (!sent) return { kind: 'cancelled' };
  const wanted = { ...before, ...view };
  let answer: Awaited<ReturnType<ConfirmWrite>> | undefined;
  do answer = await request.confirm?.({ before, after: wanted });
  while (answer === 'asked');
  if (answer === 'unconfirmed') return { kind: answer };
  const name = nameOf(kind, view);
  let known: ReadonlySet<string> | undefined;
  const added = async () => (await idsNamed(server, kind, name, parent)).filter((id) => !known?.has(id));
  const traces = {
    kind: 'create' as const,
    object: `${kindLabel(kind.name)} "${name}"`,
    idOf: ({ id }: Candidate) => id,
    read: async (): Promise<Candidate[]> => {
      if (known) return Promise.all((await added()).map((id) => candidate(server, kind, id)));
      // In any location: the server may have saved the object in another one.
      const present = await idsNamed(server, kind, name, undefined);
      known = new Set(present);
      return present.map((id) => ({ id }));
    },
    hasContent: ({ view: after }: Candidate) => after !== undefined && hasAllOf(kind, before, view, after),
  };
  const save = (guard: WriteGuard) => kind.save(guardedServer(server, guard), sent);
  const created = async (id: string, notice: string | undefined): Promise<CreateOutcome> => {
    const after = await readBack(server, kind, id);
    const notTaken = after ? lostChanges({ before, wanted, after }, typedShape(kind.shape)) : [];
    return { kind: 'created', id, notTaken, ...(notice !== undefined && { notice }) };
  };
  const identify = async (outcome: WriteOutcome<JsonObject, Candidate>): Promise<CreateOutcome> => {
    const id = outcome.kind === 'answered' ? idOf(kind, outcome.reply) : outcome.found?.id;
    const notice = outcome.kind === 'answered' ? saveNotice(outcome.reply) : undefined;
    if (id !== undefined && !known?.has(id) && id !== '0') return created(id, notice);
    // The reply to saving a report type does not contain its id.
    const found = await onlyOne(added);
    if (found !== undefined) return created(found, notice);
    throw unknownOutcome(server.name, traces, new Error(l10n.t('{0} accepted it but does not list it.', server.name)));
  };
  try {
    return await settleWrite(server, traces, save, identify, { pauses });
  } catch (error) {
    if (isClientError(error, 'unknownOutcome')) request.onUnknown?.({ view, known: [...(known ?? [])] });
    throw error;
  }
}

/** In a new object, lists that other calls maintain can be typed, such as the groups of a user; servers may ignore them. */
function typedShape(shape: ObjectShape): ObjectShape {
  return { ...shape, readOnly: (shape.readOnly ?? []).filter((field) => shape.fields?.[field]?.key === undefined) };
}

/** Several cannot be told apart, so they count as none. */
async function onlyOne<T>(list: () => Promise<readonly T[]>): Promise<T | undefined> {
  const [found, ...others] = await list();
  return others.length === 0 ? found : undefined;
}

/** Reads the new object back. It exists even if it cannot be read now: opening it will report that. */
async function readBack(server: ObjectServer, kind: ObjectKind, id: string): Promise<JsonObject | undefined> {
  try {
    return editableView(await kind.read(server, id), kind.shape);
  } catch (error) {
    if (isClientError(error)) return undefined;
    throw error;
  }
}

async function candidate(server: ObjectServer, kind: ObjectKind, id: string): Promise<Candidate> {
  return { id, view: editableView(await kind.read(server, id), kind.shape) };
}

/** The view of a copy of `view`: in the same location, without id, with another name. */
export function cloneView(kind: ObjectKind, view: JsonObject, template: JsonObject, name: string): JsonObject {
  const kept = (kind.shape.readOnly ?? []).filter((field) => !kind.placeFields?.includes(field));
  const fields = Object.entries(view).map(([field, value]): [string, JsonObject[string]] => {
    if (field === kind.nameField) return [field, name];
    return [field, kept.includes(field) ? (fieldOf(template, field) ?? value) : value];
  });
  return Object.fromEntries([...fields, [kind.idField, fieldOf(template, kind.idField) ?? null]]);
}

async function withFirstSecret(request: CreateRequest, whole: JsonObject): Promise<JsonObject | undefined> {
  const { kind, askSecret } = request;
  const field = kind.firstSecret ?? (kind.secret?.need(whole) === 'yes' ? kind.secret.field : undefined);
  if (field === undefined) return whole;
  const given = await askSecret(field, true);
  if (given === undefined) return undefined;
  return given === '' ? whole : { ...whole, [field]: given };
}

function cannotCreate(server: ObjectServer, kind: ObjectKind): ClientError {
  return new ClientError('refused', l10n.t('The API cannot create objects of type {0}.', kind.name), {
    server: server.name,
  });
}
