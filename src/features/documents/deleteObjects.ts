import * as vscode from 'vscode';
import { type DocumentTarget, targetLabel } from '../../editor/documentUri.ts';
import { treeKindOf } from '../../editor/nodes/treeKind.ts';
import { pickManyObjects, type ObjectVerb } from '../../editor/nodes/pickObjects.ts';
import { attempt, CommandError, logLine } from '../../editor/commandError.ts';
import { forEachObject } from '../../editor/forEachObject.ts';
import type { DocumentServices } from './documentServices.ts';
import { verifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { showWarningMessage } from '../../editor/messages.ts';
import { withProgress, withSidebarProgress, type Report } from '../../editor/progress.ts';
import { showInputBox } from '../../editor/quickInput.ts';
import { ClientError } from '../../client/clientError.ts';
import { displayText } from '../../editor/displayText.ts';
import { describeDeletion, type DeletionPreview } from '../../access/deletePreview.ts';
import { accessEffect } from '../../access/rows/accessEffect.ts';
import { decidesRows, deleting } from '../../access/rows/accessEdits.ts';
import { findKind } from '../../objects/kinds/kinds.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import { isAnswer } from '../../objects/save/deletedObjects.ts';
import { isDrop } from '../../editor/nodes/selectedNodes.ts';
import { objectTargetOf } from '../../editor/nodes/objectTarget.ts';

/**
 * Deletes objects after showing the consequences: the selected ones, or the user's choice. They are only deleted on the
 * installation that showed them.
 */
export async function deleteObjects(
  services: DocumentServices,
  argument?: unknown,
  selection?: unknown,
): Promise<void> {
  const verb: ObjectVerb = {
    title: vscode.l10n.t('Delete Objects'),
    capability: 'delete',
    fits: (kind) => kind.remove !== undefined && kind.list !== undefined,
    settings: ['smtp'],
    takesSeveral: true,
  };
  const chosen = await pickManyObjects(services, verb, argument, selection);
  if (!chosen) return;
  const { connection, targets, leftOut } = chosen;
  const documents = await services.documents();
  const confirmed = await attempt(
    vscode.l10n.t('Could not determine what else a deletion on {0} affects', connection.name),
    async () => {
      const shown = await verifiedServer(connection, targets);
      return askToDelete(connection.name, await shown.read((server) => foresee(server, targets)), targets, leftOut);
    },
  );
  if (confirmed.length === 0) return;
  await forEachObject(
    services,
    {
      title: vscode.l10n.t('Deleting objects on {0}', connection.name),
      items: confirmed,
      nameOf: ({ name }) => name,
      whatFailed: ({ name }) => vscode.l10n.t('Could not delete "{0}" on {1}', name, connection.name),
      done: (deleted) => doneWords(deleted, connection.name),
      after: async () => {
        const shown = new Set(confirmed.flatMap(({ kind }) => treeKindOf(kind) ?? []));
        for (const kind of shown) await services.tree.refreshObjects(connection, kind);
      },
    },
    (target) => documents.remove(target, target.installation),
  );
}

function doneWords(deleted: readonly DocumentTarget[], server: string): string {
  const [only] = deleted;
  return deleted.length === 1 && only
    ? vscode.l10n.t('{0} deleted on {1}', only.name, server)
    : vscode.l10n.t('{0} objects deleted on {1}', deleted.length, server);
}

/** For more objects, a cancellable notification is shown while their dependencies are checked. */
const quietAtMost = 3;
/** For more objects, the names are not listed individually, so that the message fits the window. */
const namedAtMost = 10;
/** For more objects, the user types their number instead of each name. */
const typedOneByOneAtMost = 3;

interface Deletion {
  readonly target: DocumentTarget;
  readonly preview: DeletionPreview;
}

/** The consequences of deletions. */
interface Foreseen {
  /** Fewer entries than targets if the user cancelled. */
  readonly deletions: readonly Deletion[];
  /** Who sees other rows afterwards. */
  readonly rows: readonly string[];
}

/**
 * Reads the consequences of deletions.
 * @throws {ClientError} if they cannot be read: the user must not confirm something unknown.
 */
async function foresee(server: ObjectServer, targets: readonly DocumentTarget[]): Promise<Foreseen> {
  // Of all deletions together: two policies can each be without effect on their own.
  const deciding = targets.filter(({ kind }) => kind === 'group' || decidesRows(kind));
  const effect = deciding.length > 0 ? accessEffect(server, deleting(deciding)) : undefined;
  effect?.catch(() => undefined);
  const deletions = await describeAll(server, targets);
  const isCancelled = deletions.length < targets.length;
  return { deletions, rows: (isCancelled ? undefined : await effect)?.lines ?? [] };
}

/**
 * Shows the consequences for each object and asks for confirmation. Objects with many dependencies are confirmed one by
 * one by typing the name.
 * @param leftOut names of other selected objects that cannot be deleted; the user is told that they remain.
 * @returns the objects to delete; none if cancelled at any point.
 * @throws {ClientError} if the consequences cannot be read.
 */
export async function confirmDeletions(
  server: ObjectServer,
  targets: readonly DocumentTarget[],
  leftOut: readonly string[] = [],
): Promise<readonly DocumentTarget[]> {
  return askToDelete(server.name, await foresee(server, targets), targets, leftOut);
}

async function askToDelete(
  server: string,
  { deletions, rows }: Foreseen,
  targets: readonly DocumentTarget[],
  leftOut: readonly string[],
): Promise<readonly DocumentTarget[]> {
  if (deletions.length < targets.length) return [];
  const agreesTo = (some: readonly Deletion[]) => asksFor(some, rows, server, leftOut);
  const plain = deletions.filter(({ preview }) => !preview.typedName);
  if (plain.length > 0 && !(await agreesTo(plain))) return [];
  const grave = deletions.filter(({ preview }) => preview.typedName);
  if (grave.length > typedOneByOneAtMost) {
    const isAgreed = (await agreesTo(grave)) && (await isCountTyped(grave.length, server));
    return isAgreed ? targets : [];
  }
  for (const one of grave) {
    if (!(await agreesTo([one])) || !(await isNameTyped(one.target, server))) return [];
  }
  return targets;
}

/** Dependencies of each object; fewer entries than targets if cancelled. */
async function describeAll(server: ObjectServer, targets: readonly DocumentTarget[]): Promise<Deletion[]> {
  const deletions: Deletion[] = [];
  const title = vscode.l10n.t(
    'Checking what else is affected by deleting {0} objects on {1}',
    targets.length,
    server.name,
  );
  const look = async (signal?: AbortSignal, report?: Report) => {
    for (const target of targets) {
      if (signal?.aborted) return;
      report?.({ message: target.name, increment: 100 / targets.length });
      const preview = await describeDeletion(server, target.kind, target.id);
      checkName(server, target, preview.name);
      deletions.push({ target, preview });
    }
  };
  const lookLong = async (signal: AbortSignal, report: Report) => {
    try {
      await look(signal, report);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  if (targets.length > quietAtMost) await withProgress(title, lookLong);
  else await withSidebarProgress(() => look());
  return deletions;
}

/**
 * Verifies that the object has the displayed name: servers reuse the ids of deleted objects.
 * @throws {ClientError} if it has a different name now.
 */
function checkName({ name: server }: ObjectServer, { name, kind }: DocumentTarget, now: string): void {
  const isNamed = findKind(kind)?.nameField !== undefined;
  if (!isNamed || displayText(now) === displayText(name)) return;
  throw new ClientError('refused', vscode.l10n.t('It is now named "{1}" on {0}.', server, displayText(now)), {
    server,
    remedy: vscode.l10n.t('Nothing was deleted. Refresh the sidebar and try again.'),
  });
}

async function asksFor(
  deletions: readonly Deletion[],
  rows: readonly string[],
  server: string,
  leftOut: readonly string[],
): Promise<boolean> {
  const [first] = deletions;
  if (!first) return true;
  const isTyped = deletions.some(({ preview }) => preview.typedName);
  const agree = isTyped ? vscode.l10n.t('Continue…') : vscode.l10n.t('Delete');
  const question =
    deletions.length === 1
      ? vscode.l10n.t('Delete {0} on {1}?', targetLabel(first.target), server)
      : vscode.l10n.t('Delete {0} objects on {1}?', deletions.length, server);
  const facts = deletions.length === 1 ? first.preview.lines : severalLines(deletions);
  const kept =
    leftOut.length > 0
      ? [
          vscode.l10n.t(
            'Selected but not deleted: {0}. These objects are on another server or cannot be deleted.',
            leftOut.map(displayText).join(', '),
          ),
        ]
      : [];
  const detail = [...rows, ...facts, ...kept, vscode.l10n.t('This cannot be undone.')].join('\n');
  return (await showWarningMessage(question, { modal: true, detail }, agree)) === agree;
}

/**
 * Consequences for several objects; common ones are listed once. A long list is sorted by the number of own
 * consequences, most first, and truncated.
 */
function severalLines(deletions: readonly Deletion[]): string[] {
  const [first] = deletions;
  const isShared = (line: string) => deletions.every(({ preview }) => preview.lines.includes(line));
  const shared = first?.preview.lines.filter(isShared) ?? [];
  const ofEach = shared.map((line) => vscode.l10n.t('For each: {0}', line));
  const own = deletions.map(({ target, preview }) => {
    return { target, lines: preview.lines.filter((line) => !shared.includes(line)) };
  });
  const weightFirst = [...own].sort((a, b) => b.lines.length - a.lines.length);
  const shown = own.length > namedAtMost ? weightFirst.slice(0, namedAtMost) : own;
  const left = weightFirst.slice(shown.length);
  if (left.length === 0) return [...shown.flatMap(linesOf), ...ofEach];
  const taking = left.filter(({ lines }) => lines.length > 0).length;
  const rest =
    taking === 0
      ? vscode.l10n.t('• and {0} more, which affect nothing else', left.length)
      : vscode.l10n.t('• and {0} more; deleting {1} of them affects other objects', left.length, taking);
  return [...shown.flatMap(linesOf), rest, ...ofEach];
}

/** Consequences for one of several objects, below its name. */
function linesOf({ target, lines }: { target: DocumentTarget; lines: readonly string[] }): string[] {
  return [`• ${target.name}`, ...lines.map((line) => `   ${line}`)];
}

/** Asks the user to type the number of objects in place of their names. */
async function isCountTyped(count: number, server: string): Promise<boolean> {
  const wanted = String(count);
  const typed = await showInputBox({
    title: vscode.l10n.t('Delete {0} objects on {1}', wanted, server),
    prompt: vscode.l10n.t('Enter the number of users to delete them.'),
    placeHolder: wanted,
    ignoreFocusOut: true,
    validateInput: (value) => (value === wanted ? undefined : vscode.l10n.t('The number of users is {0}.', wanted)),
  });
  return typed === wanted;
}

async function isNameTyped(target: DocumentTarget, server: string): Promise<boolean> {
  const { name } = target;
  const typed = await showInputBox({
    title: vscode.l10n.t('Delete {0} on {1}', targetLabel(target), server),
    prompt: vscode.l10n.t('Enter the name to delete it.'),
    placeHolder: name,
    ignoreFocusOut: true,
    validateInput: (value) => (isTyped(value, name) ? undefined : vscode.l10n.t('The name is {0}.', name)),
  });
  return typed !== undefined && isTyped(typed, name);
}

/** Whether a name was typed, as it is or with the blank that keeps `$(` and `](` from being syntax where it is shown. */
function isTyped(value: string, name: string): boolean {
  const plain = (text: string) => text.replace(/([$\]])\s\(/g, '$1(');
  return plain(value) === plain(name);
}

/** Maximum number of names listed. */
const namesTold = 5;

/**
 * Handles a command that failed because the object of its row was deleted by another user: reloads the row's parent, so
 * that the row disappears, and reports the deletion instead of the server's error for an internal call.
 * @param given the command's arguments: a row, possibly with a selection, or a drop.
 * @returns whether this was the cause.
 */
export async function reportDeleted(
  services: DocumentServices,
  given: readonly unknown[],
  error: unknown,
): Promise<boolean> {
  if (!isAnswer(error instanceof CommandError ? error.cause : error)) return false;
  const rows = given.flat().flatMap((one) => (isDrop(one) ? [...one.dropped, one.onto] : [one]));
  const targets = rows.flatMap((row) => objectTargetOf(row) ?? []);
  const places = Map.groupBy(targets, ({ connectionId, kind }) => `${connectionId} ${kind}`);
  const gone = (await Promise.all([...places.values()].map((place) => goneOf(services, place)))).flat();
  if (gone.length === 0) return false;
  services.log.warn(logLine(error));
  await Promise.all([...places.values()].map((place) => readAgain(services, place)));
  void showWarningMessage(words(services, gone));
  return true;
}

async function goneOf(services: DocumentServices, targets: readonly DocumentTarget[]): Promise<DocumentTarget[]> {
  try {
    return await (await services.documents()).goneOf(targets);
  } catch {
    // The command's own error is more helpful.
    return [];
  }
}

async function readAgain({ connections, tree }: DocumentServices, [target]: readonly DocumentTarget[]): Promise<void> {
  const connection = target && connections.get(target.connectionId);
  const shown = target && treeKindOf(target.kind);
  if (connection && shown) await tree.refreshObjects(connection, shown);
}

function words({ connections }: DocumentServices, gone: readonly DocumentTarget[]): string {
  const names = [...new Set(gone.map(({ name }) => name))];
  const server = connections.get(gone[0]?.connectionId ?? '')?.name ?? '';
  return names.length === 1
    ? vscode.l10n.t(
        '"{0}" is no longer on {1}: it was deleted, or it is hidden from this account. The sidebar was refreshed.',
        names.join(),
        server,
      )
    : vscode.l10n.t(
        '{1} no longer has {0}: they were deleted, or are hidden from this account. The sidebar was refreshed.',
        names.length > namesTold ? `${names.slice(0, namesTold).join(', ')}…` : names.join(', '),
        server,
      );
}
