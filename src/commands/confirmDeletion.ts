import * as vscode from 'vscode';
import type { DocumentTarget } from '../documents/documentUri.ts';
import { describeDeletion, type DeletionPreview } from '../objects/deletePreview.ts';
import type { ObjectServer } from '../objects/objectServer.ts';

/** More than these are looked at under a message with a button to give up. */
const quietAtMost = 3;
/** More than these are not named one by one: the question has to fit the window. */
const namedAtMost = 10;

interface Deletion {
  readonly target: DocumentTarget;
  readonly preview: DeletionPreview;
}

/**
 * Shows what goes with each object and asks whether to delete them. Where much goes with one, it is asked about by itself
 * and its name has to be typed.
 * @returns the objects to delete; none as soon as the user gives up.
 * @throws {ClientError} when what goes with one cannot be read: nobody is asked to agree to the unknown.
 */
export async function confirmDeletions(
  server: ObjectServer,
  targets: readonly DocumentTarget[],
): Promise<readonly DocumentTarget[]> {
  const deletions = await describeAll(server, targets);
  if (deletions.length < targets.length) return [];
  const plain = deletions.filter(({ preview }) => !preview.typedName);
  if (plain.length > 0 && !(await agreesTo(plain, server.name))) return [];
  for (const grave of deletions.filter(({ preview }) => preview.typedName)) {
    if (!(await agreesTo([grave], server.name)) || !(await isNameTyped(grave.target.name, server.name))) return [];
  }
  return targets;
}

/** What goes with each; fewer than were asked for once the user gave up. */
async function describeAll(server: ObjectServer, targets: readonly DocumentTarget[]): Promise<Deletion[]> {
  const deletions: Deletion[] = [];
  const title = vscode.l10n.t('Looking what goes with {0} objects on {1}', targets.length, server.name);
  const options =
    targets.length > quietAtMost
      ? { location: vscode.ProgressLocation.Notification, title, cancellable: true }
      : { location: { viewId: 'analytics.servers' } };
  await vscode.window.withProgress(options, async (progress, token) => {
    for (const target of targets) {
      if (token.isCancellationRequested) return;
      progress.report({ message: target.name, increment: 100 / targets.length });
      deletions.push({ target, preview: await describeDeletion(server, target.kind, target.id) });
    }
  });
  return deletions;
}

async function agreesTo(deletions: readonly Deletion[], server: string): Promise<boolean> {
  const [first] = deletions;
  if (!first) return true;
  const isTyped = deletions.some(({ preview }) => preview.typedName);
  const agree = isTyped ? vscode.l10n.t('Continue…') : vscode.l10n.t('Delete');
  const question =
    deletions.length === 1
      ? vscode.l10n.t('Delete "{0}" on {1}?', first.target.name, server)
      : vscode.l10n.t('Delete {0} objects on {1}?', deletions.length, server);
  const facts = deletions.length === 1 ? first.preview.lines : severalLines(deletions);
  const detail = [...facts, vscode.l10n.t('This cannot be undone.')].join('\n');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, agree)) === agree;
}

/** What goes with several. A long list is cut where nothing more goes with its objects; what does is told first. */
function severalLines(deletions: readonly Deletion[]): string[] {
  const weightFirst = [...deletions].sort((a, b) => b.preview.lines.length - a.preview.lines.length);
  const shown = deletions.length > namedAtMost ? weightFirst.slice(0, namedAtMost) : deletions;
  const left = weightFirst.slice(shown.length);
  if (left.length === 0) return shown.flatMap(linesOf);
  const taking = left.filter(({ preview }) => preview.lines.length > 0).length;
  const rest =
    taking === 0
      ? vscode.l10n.t('• and {0} more, with which nothing else goes', left.length)
      : vscode.l10n.t('• and {0} more; something goes with {1} of them', left.length, taking);
  return [...shown.flatMap(linesOf), rest];
}

/** What goes with one of several, under its name. */
function linesOf({ target, preview }: Deletion): string[] {
  return [`• ${target.name}`, ...preview.lines.map((line) => `   ${line}`)];
}

async function isNameTyped(name: string, server: string): Promise<boolean> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Delete "{0}" on {1}', name, server),
    prompt: vscode.l10n.t('Type the name to delete it.'),
    placeHolder: name,
    ignoreFocusOut: true,
    validateInput: (value) => (value === name ? undefined : vscode.l10n.t('The name is {0}.', name)),
  });
  return typed === name;
}
