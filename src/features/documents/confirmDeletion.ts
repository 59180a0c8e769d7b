import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { withProgress } from '../../editor/progress.ts';
import { showInputBox } from '../../editor/quickInput.ts';
import { ClientError } from '../../client/clientError.ts';
import { displayText } from '../../editor/displayText.ts';
import { longWork, type LongWork } from '../../editor/longWork.ts';
import type { DocumentTarget } from '../../editor/documentUri.ts';
import { targetWords } from '../../editor/objectWords.ts';
import { describeDeletion, type DeletionPreview } from '../../access/deletePreview.ts';
import { findKind } from '../../objects/kinds/kinds.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';

/** More than these are looked at under a message with a button to give up. */
const quietAtMost = 3;
/** More than these are not named one by one: the question has to fit the window. */
const namedAtMost = 10;
/** Of more than these not every name is typed, but how many they are. */
const typedOneByOneAtMost = 3;

interface Deletion {
  readonly target: DocumentTarget;
  readonly preview: DeletionPreview;
}

/**
 * Shows what goes with each object and asks whether to delete them. Where much goes with one, it is asked about by itself
 * and its name has to be typed.
 * @param leftOut names of what was selected besides and cannot be deleted: who selected it has to be told that it stays.
 * @returns the objects to delete; none as soon as the user gives up.
 * @throws {ClientError} when what goes with one cannot be read: nobody is asked to agree to the unknown.
 */
export async function confirmDeletions(
  server: ObjectServer,
  targets: readonly DocumentTarget[],
  leftOut: readonly string[] = [],
): Promise<readonly DocumentTarget[]> {
  const agreesTo = (deletions: readonly Deletion[]) => asksFor(deletions, server.name, leftOut);
  const deletions = await describeAll(server, targets);
  if (deletions.length < targets.length) return [];
  const plain = deletions.filter(({ preview }) => !preview.typedName);
  if (plain.length > 0 && !(await agreesTo(plain))) return [];
  const grave = deletions.filter(({ preview }) => preview.typedName);
  if (grave.length > typedOneByOneAtMost) {
    const isAgreed = (await agreesTo(grave)) && (await isCountTyped(grave.length, server.name));
    return isAgreed ? targets : [];
  }
  for (const one of grave) {
    if (!(await agreesTo([one])) || !(await isNameTyped(one.target, server.name))) return [];
  }
  return targets;
}

/** What goes with each; fewer than were asked for once the user gave up. */
async function describeAll(server: ObjectServer, targets: readonly DocumentTarget[]): Promise<Deletion[]> {
  const deletions: Deletion[] = [];
  const title = vscode.l10n.t('Looking what goes with {0} objects on {1}', targets.length, server.name);
  const look = async (own?: LongWork) => {
    for (const target of targets) {
      if (own?.signal.aborted) return;
      own?.report({ message: target.name, increment: 100 / targets.length });
      const preview = await describeDeletion(server, target.kind, target.id);
      checkName(server, target, preview.name);
      deletions.push({ target, preview });
    }
  };
  const lookLong = async (own: LongWork) => {
    try {
      await look(own);
    } catch (error) {
      if (!own.signal.aborted) throw error;
    }
  };
  if (targets.length > quietAtMost) await longWork(title, lookLong);
  else await withProgress({ location: { viewId: 'analytics.servers' } }, () => look());
  return deletions;
}

/**
 * Makes sure that the object is the one whose name was shown: servers give the ids of deleted objects to new ones.
 * @throws {ClientError} when it is called otherwise now.
 */
function checkName({ name: server }: ObjectServer, { name, kind }: DocumentTarget, now: string): void {
  const isNamed = findKind(kind)?.nameField !== undefined;
  if (!isNamed || displayText(now) === displayText(name)) return;
  throw new ClientError('refused', vscode.l10n.t('On {0} it is called "{1}" by now.', server, displayText(now)), {
    server,
    remedy: vscode.l10n.t('Nothing was deleted. Refresh the sidebar and choose again.'),
  });
}

async function asksFor(deletions: readonly Deletion[], server: string, leftOut: readonly string[]): Promise<boolean> {
  const [first] = deletions;
  if (!first) return true;
  const isTyped = deletions.some(({ preview }) => preview.typedName);
  const agree = isTyped ? vscode.l10n.t('Continue…') : vscode.l10n.t('Delete');
  const question =
    deletions.length === 1
      ? vscode.l10n.t('Delete {0} on {1}?', targetWords(first.target), server)
      : vscode.l10n.t('Delete {0} objects on {1}?', deletions.length, server);
  const facts = deletions.length === 1 ? first.preview.lines : severalLines(deletions);
  const kept =
    leftOut.length > 0
      ? [
          vscode.l10n.t(
            'Selected, but kept, because it cannot be deleted from here: {0}.',
            leftOut.map(displayText).join(', '),
          ),
        ]
      : [];
  const detail = [...facts, ...kept, vscode.l10n.t('This cannot be undone.')].join('\n');
  return (await showWarningMessage(question, { modal: true, detail }, agree)) === agree;
}

/**
 * What goes with several; what goes with every one of them is said once. A long list is cut where nothing more goes with its
 * objects; what does is told first.
 */
function severalLines(deletions: readonly Deletion[]): string[] {
  const [first] = deletions;
  const isShared = (line: string) => deletions.every(({ preview }) => preview.lines.includes(line));
  const shared = first?.preview.lines.filter(isShared) ?? [];
  const ofEach = shared.map((line) => vscode.l10n.t('Of each: {0}', line));
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
      ? vscode.l10n.t('• and {0} more, with which nothing else goes', left.length)
      : vscode.l10n.t('• and {0} more; something goes with {1} of them', left.length, taking);
  return [...shown.flatMap(linesOf), rest, ...ofEach];
}

/** What goes with one of several, under its name. */
function linesOf({ target, lines }: { target: DocumentTarget; lines: readonly string[] }): string[] {
  return [`• ${target.name}`, ...lines.map((line) => `   ${line}`)];
}

/** Typing how many they are stands for typing their names. */
async function isCountTyped(count: number, server: string): Promise<boolean> {
  const wanted = String(count);
  const typed = await showInputBox({
    title: vscode.l10n.t('Delete {0} objects on {1}', wanted, server),
    prompt: vscode.l10n.t('Type how many they are to delete them.'),
    placeHolder: wanted,
    ignoreFocusOut: true,
    validateInput: (value) => (value === wanted ? undefined : vscode.l10n.t('They are {0}.', wanted)),
  });
  return typed === wanted;
}

async function isNameTyped(target: DocumentTarget, server: string): Promise<boolean> {
  const { name } = target;
  const typed = await showInputBox({
    title: vscode.l10n.t('Delete {0} on {1}', targetWords(target), server),
    prompt: vscode.l10n.t('Type the name to delete it.'),
    placeHolder: name,
    ignoreFocusOut: true,
    validateInput: (value) => (value === name ? undefined : vscode.l10n.t('The name is {0}.', name)),
  });
  return typed === name;
}
