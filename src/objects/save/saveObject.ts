import type { WriteGuard } from '../../client/client.ts';
import { isClientError } from '../../client/clientError.ts';
import { settleWrite, type WriteOutcome } from '../../client/writes/writes.ts';
import { canonicalJson, isSameJson } from '../merge/canonicalJson.ts';
import { checkEntryIds } from './entriesWithoutId.ts';
import { lostChanges } from '../merge/lostChanges.ts';
import { comparableView, editableView, withView } from '../merge/editableView.ts';
import { fieldOf, type JsonObject } from '../json.ts';
import { kindLabel } from '../kinds/kindLabels.ts';
import { authorOf, nameOf, type AskSecret, type ObjectKind } from '../kinds/objectKind.ts';
import { guardedServer, type ObjectServer } from '../objectServer.ts';
import { saveNotice } from './saveNotice.ts';
import { threeWayMerge, type ChooseSide, type FieldConflict } from '../merge/threeWayMerge.ts';
import { isReadOnly, type ObjectShape } from '../kinds/objectShape.ts';

/** A decision about conflicts, valid for the server state that the user saw. */
export interface Resolution {
  /** {@link ConflictOutcome.serverState} of the conflict that was shown. */
  readonly serverState: string;
  readonly choose: ChooseSide;
}

/** Input of a save. */
export interface SaveRequest {
  readonly kind: ObjectKind;
  readonly id: string;
  /** View that the edit started from. */
  readonly base: JsonObject;
  /** View as edited by the user. */
  readonly mine: JsonObject;
  readonly resolution?: Resolution;
  /** Asks the user for a secret that this save requires. */
  readonly askSecret: AskSecret;
  /** Asks about what is to be written, once conflicts are resolved. Default: nothing is asked. */
  readonly confirm?: ConfirmWrite;
  /** The read of the current object, if it has begun. Used for the first attempt only: later ones read again. */
  readonly reading?: Promise<JsonObject> | undefined;
  /** Pauses, in ms, before each check of a save of unknown outcome. */
  readonly pauses?: readonly number[];
}

/** The object on the server, and as it will be written: the edit merged with concurrent changes. */
export interface PlannedWrite {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/**
 * Asks about a write before it is sent. `sure`: there is nothing to ask, or nothing that was not confirmed before;
 * `asked`: the user has just confirmed it, but the server may have changed while the question was open.
 */
export type ConfirmWrite = (write: PlannedWrite) => Promise<'sure' | 'asked' | 'unconfirmed'>;

/** Saved, merged with concurrent changes. */
export interface SavedOutcome {
  readonly kind: 'saved';
  /** The object as read back. */
  readonly view: JsonObject;
  /** Fields with merged changes by others. */
  readonly merged: readonly string[];
  /** The user who made the last of these changes, if the API provides it. */
  readonly mergedFrom?: string;
  /** Fields that the server did not change although it accepted the save. */
  readonly notTaken: readonly string[];
  /** Message of the server, other than that it succeeded. */
  readonly notice?: string;
}

/** Not sent: others changed the same fields. */
export interface ConflictOutcome {
  readonly kind: 'conflict';
  readonly conflicts: readonly FieldConflict[];
  /** The current object on the server, to compare with the edited one: see {@link comparableView}. */
  readonly theirs: JsonObject;
  /** Identifies the exact state shown in `theirs`. */
  readonly serverState: string;
}

/** Result of a save that did not fail. */
export type SaveOutcome =
  | SavedOutcome
  | ConflictOutcome
  /** Not sent: read-only fields were edited. */
  | { readonly kind: 'readOnly'; readonly paths: readonly string[] }
  /** Not sent: the user entered no password. */
  | { readonly kind: 'cancelled' }
  /** Not sent: the user did not confirm it. */
  | { readonly kind: 'unconfirmed' }
  /** Sent once; whether it arrived, or its effect, could not be determined. */
  | { readonly kind: 'unknown'; readonly cause: Error };

/** Maximum number of merges if others save at the same time. */
const attempts = 4;

/**
 * Saves an edit of an object: reads the current object, merges the edit with concurrent changes, sends the whole object
 * once and reads it back. A call of unknown outcome is checked, never sent again. If a server counts revisions, it
 * refuses a save when another one came first; the edit is then merged with the newer state.
 * @throws {ClientError} when the object cannot be read or the server refuses it; then nothing was changed.
 */
export async function saveObject(server: ObjectServer, request: SaveRequest): Promise<SaveOutcome> {
  let secret: Promise<string | undefined> | undefined;
  const askSecret: AskSecret = (...question) => (secret ??= request.askSecret(...question));
  let attempt = 1;
  let { reading } = request;
  for (;;) {
    const outcome = await trySave(server, { ...request, askSecret, reading }, attempt < attempts);
    reading = undefined;
    if (outcome.kind === 'overtaken') attempt++;
    else if (outcome.kind !== 'asked') return outcome;
  }
}

async function trySave(
  server: ObjectServer,
  request: SaveRequest,
  mayTryAgain: boolean,
): Promise<SaveOutcome | { readonly kind: 'overtaken' } | { readonly kind: 'asked' }> {
  const { kind, id, base, mine } = request;
  const full = await (request.reading ?? kind.read(server, id));
  const theirs = editableView(full, kind.shape);
  const serverState = canonicalJson(full, kind.shape);
  const choose = request.resolution?.serverState === serverState ? request.resolution.choose : undefined;
  const merge = threeWayMerge(base, mine, theirs, kind.shape, choose);
  if (merge.readOnlyEdits.length > 0) return { kind: 'readOnly', paths: merge.readOnlyEdits };
  if (merge.conflicts.length > 0) {
    const { conflicts } = merge;
    return { kind: 'conflict', conflicts, theirs: comparableView(theirs, mine, kind.shape), serverState };
  }
  const merged = merge.theirChanges;
  const joined = { merged, ...(merged.length > 0 && { mergedFrom: authorOf(kind, full) }) };
  if (isSameJson(merge.view, theirs, kind.shape)) return { kind: 'saved', view: theirs, ...joined, notTaken: [] };

  checkEntryIds(server, kind, merge.view, theirs);
  const sent = await withSecret(request, withView(full, merge.view, kind.shape), full);
  if (!sent) return { kind: 'cancelled' };
  const answer = await request.confirm?.({ before: theirs, after: merge.view });
  // The question may have been open for a long time: what will be written is determined again.
  if (answer === 'asked') return { kind: 'asked' };
  if (answer === 'unconfirmed') return { kind: 'unconfirmed' };
  const missing = (view: JsonObject) => lostChanges({ before: theirs, wanted: merge.view, after: view }, kind.shape);
  const readBack = async () => editableView(await kind.read(server, id), kind.shape);
  try {
    const traces = {
      kind: 'change' as const,
      object: `${kindLabel(kind.name)} "${nameOf(kind, full)}"`,
      read: async () => [await readBack()],
      idOf: () => id,
      hasContent: (view: JsonObject) => missing(view).length === 0,
      isAsBefore: (view: JsonObject) => isSameJson(view, theirs, kind.shape),
    };
    const save = (guard: WriteGuard) => kind.save(guardedServer(server, guard), sent);
    const shown = async (settled: WriteOutcome<JsonObject, JsonObject>) => ({
      view: (settled.kind === 'reconciled' ? settled.found : undefined) ?? (await readBack()),
      notice: settled.kind === 'answered' ? saveNotice(settled.reply) : undefined,
    });
    const { view, notice } = await settleWrite(server, traces, save, shown, { pauses: request.pauses });
    return { kind: 'saved', view, ...joined, notTaken: missing(view), ...(notice !== undefined && { notice }) };
  } catch (error) {
    if (isClientError(error, 'unknownOutcome')) return { kind: 'unknown', cause: error };
    const isRefused = isClientError(error, 'refused');
    if (isRefused && mayTryAgain && (await hasNewRevision(server, request, full))) return { kind: 'overtaken' };
    throw error;
  }
}

/** Whether the server counts revisions and another user has saved since `full` was read. */
async function hasNewRevision(server: ObjectServer, { kind, id }: SaveRequest, full: JsonObject): Promise<boolean> {
  const before = fieldOf(full, 'Revision');
  if (before === undefined) return false;
  return !isSameJson(before, fieldOf(await kind.read(server, id), 'Revision'));
}

/** The object with the secret that the save requires, so that the stored one is not cleared. */
async function withSecret(
  { kind: { secret }, askSecret }: SaveRequest,
  full: JsonObject,
  before: JsonObject,
): Promise<JsonObject | undefined> {
  const need = secret?.need(full, before) ?? 'no';
  if (!secret || need === 'no') return full;
  const given = await askSecret(secret.field, need === 'perhaps');
  if (given === undefined || (given === '' && need === 'yes')) return undefined;
  return given === '' ? full : { ...full, [secret.field]: given };
}

/**
 * Replacement for a lost base view: a save then asks about every field in which the text and the server differ.
 * Differences in read-only fields are not edits of the user.
 */
export function unknownBase(mine: JsonObject, shape: ObjectShape): JsonObject {
  return Object.fromEntries(Object.entries(mine).filter(([name]) => isReadOnly(shape, name)));
}
