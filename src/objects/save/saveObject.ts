import type { WriteGuard } from '../../client/client.ts';
import { isClientError } from '../../client/clientError.ts';
import { settleWrite, type WriteOutcome } from '../../client/writes/writes.ts';
import { canonicalJson, isSameJson } from '../merge/canonicalJson.ts';
import { checkEntryIds } from './entriesWithoutId.ts';
import { lostChanges } from '../merge/lostChanges.ts';
import { editableView, withView } from '../merge/editableView.ts';
import { fieldOf, type JsonObject } from '../json.ts';
import { kindLabel } from '../kinds/kindLabels.ts';
import { authorOf, nameOf, type AskSecret, type ObjectKind } from '../kinds/objectKind.ts';
import { guardedServer, type ObjectServer } from '../objectServer.ts';
import { saveNotice } from './saveNotice.ts';
import { threeWayMerge, type ChooseSide, type FieldConflict } from '../merge/threeWayMerge.ts';
import { isReadOnly, type ObjectShape } from '../kinds/objectShape.ts';

/** A decision about conflicts: good for the one state of the server that the user saw. */
export interface Resolution {
  /** {@link ConflictOutcome.serverState} of the conflict that was shown. */
  readonly serverState: string;
  readonly choose: ChooseSide;
}

/** What a save needs. */
export interface SaveRequest {
  readonly kind: ObjectKind;
  readonly id: string;
  /** View that the edit started from. */
  readonly base: JsonObject;
  /** View as the user left it. */
  readonly mine: JsonObject;
  readonly resolution?: Resolution;
  /** Asks the user for a secret that this save must carry. */
  readonly askSecret: AskSecret;
  /** Pauses, in ms, before each look at whether a save of unknown outcome arrived. */
  readonly pauses?: readonly number[];
}

/** The server holds what the user wanted, joined with what others changed. */
export interface SavedOutcome {
  readonly kind: 'saved';
  /** The object as it was read back. */
  readonly view: JsonObject;
  /** Fields changed by others that were joined. */
  readonly merged: readonly string[];
  /** Who made them last, where the API tells. */
  readonly mergedFrom?: string;
  /** Fields that the server did not take although it accepted the save. */
  readonly notTaken: readonly string[];
  /** What the server said of it, beside that it was done. */
  readonly notice?: string;
}

/** Nothing was sent: others changed the same fields. */
export interface ConflictOutcome {
  readonly kind: 'conflict';
  readonly conflicts: readonly FieldConflict[];
  /** The object as it is on the server now. */
  readonly theirs: JsonObject;
  /** Names the exact state that `theirs` shows. */
  readonly serverState: string;
}

/** What came of a save that did not fail. */
export type SaveOutcome =
  | SavedOutcome
  | ConflictOutcome
  /** Nothing was sent: fields that the server keeps were edited. */
  | { readonly kind: 'readOnly'; readonly paths: readonly string[] }
  /** Nothing was sent: the user gave no password. */
  | { readonly kind: 'cancelled' }
  /** The save was sent once; whether it arrived, or what the server made of it, could not be found out. */
  | { readonly kind: 'unknown'; readonly cause: Error };

/** How often a save is joined anew because somebody else was faster. */
const attempts = 4;

/**
 * Saves an edit of an object: reads the object afresh, joins the edit with what others changed, sends the whole object
 * once and reads it back. A call of unknown outcome is looked into, never sent again. A server that counts revisions
 * refuses a save that somebody else overtook; the edit is then joined with the newer state.
 * @throws {ClientError} when the object cannot be read or the server refuses it; then nothing was changed.
 */
export async function saveObject(server: ObjectServer, request: SaveRequest): Promise<SaveOutcome> {
  let secret: Promise<string | undefined> | undefined;
  const askSecret: AskSecret = (...question) => (secret ??= request.askSecret(...question));
  for (let attempt = 1; ; attempt++) {
    const outcome = await trySave(server, { ...request, askSecret }, attempt < attempts);
    if (outcome.kind !== 'overtaken') return outcome;
  }
}

async function trySave(
  server: ObjectServer,
  request: SaveRequest,
  mayTryAgain: boolean,
): Promise<SaveOutcome | { readonly kind: 'overtaken' }> {
  const { kind, id, base, mine } = request;
  const full = await kind.read(server, id);
  const theirs = editableView(full, kind.shape);
  const serverState = canonicalJson(full, kind.shape);
  const choose = request.resolution?.serverState === serverState ? request.resolution.choose : undefined;
  const merge = threeWayMerge(base, mine, theirs, kind.shape, choose);
  if (merge.readOnlyEdits.length > 0) return { kind: 'readOnly', paths: merge.readOnlyEdits };
  if (merge.conflicts.length > 0) return { kind: 'conflict', conflicts: merge.conflicts, theirs, serverState };
  const merged = merge.theirChanges;
  const joined = { merged, ...(merged.length > 0 && { mergedFrom: authorOf(kind, full) }) };
  if (isSameJson(merge.view, theirs, kind.shape)) return { kind: 'saved', view: theirs, ...joined, notTaken: [] };

  checkEntryIds(server, kind, merge.view, theirs);
  const sent = await withSecret(request, withView(full, merge.view, kind.shape), full);
  if (!sent) return { kind: 'cancelled' };
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

/** Whether the server counts revisions and somebody else has saved since `full` was read. */
async function hasNewRevision(server: ObjectServer, { kind, id }: SaveRequest, full: JsonObject): Promise<boolean> {
  const before = fieldOf(full, 'Revision');
  if (before === undefined) return false;
  return !isSameJson(before, fieldOf(await kind.read(server, id), 'Revision'));
}

/** The object with the secret that its save must carry, so that the stored one is not blanked. */
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
 * Stands for the view that a text started from where that is lost: with it, a save asks about every field in which the text
 * and the server differ. Fields that the server keeps are no edits of the user.
 */
export function unknownBase(mine: JsonObject, shape: ObjectShape): JsonObject {
  return Object.fromEntries(Object.entries(mine).filter(([name]) => isReadOnly(shape, name)));
}
