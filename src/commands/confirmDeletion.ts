import * as vscode from 'vscode';
import type { DocumentTarget } from '../documents/documentUri.ts';
import { describeDeletion, type DeletionPreview } from '../objects/deletePreview.ts';
import type { ObjectServer } from '../objects/objectServer.ts';

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
  const plain = deletions.filter(({ preview }) => !preview.typedName);
  if (plain.length > 0 && !(await agreesTo(plain, server.name))) return [];
  for (const grave of deletions.filter(({ preview }) => preview.typedName)) {
    if (!(await agreesTo([grave], server.name)) || !(await isNameTyped(grave.target.name, server.name))) return [];
  }
  return targets;
}

async function describeAll(server: ObjectServer, targets: readonly DocumentTarget[]): Promise<Deletion[]> {
  const deletions: Deletion[] = [];
  await vscode.window.withProgress({ location: { viewId: 'analytics.servers' } }, async () => {
    for (const target of targets) {
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
  const facts = deletions.length === 1 ? first.preview.lines : deletions.flatMap(linesOf);
  const detail = [...facts, vscode.l10n.t('This cannot be undone.')].join('\n');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, agree)) === agree;
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
