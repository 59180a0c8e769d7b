import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import * as vscode from 'vscode';
import { diagnostic, InertCodeAction } from '../../../editor/documentMarks.ts';
import { displayText } from '../../../editor/displayText.ts';
import { jsonFault } from '../files/documentText.ts';
import { documentScheme, documentTarget, isNewObject, type DocumentTarget } from '../../../editor/documentUri.ts';
import { isShown, urisOfTab } from '../language/languageModel.ts';
import { saveProblemCode } from '../changedDocuments.ts';
import { reasonOf, unsentReason } from './saveWords.ts';
import { isClientError } from '../../../client/clientError.ts';
import { whyAudienceStays } from '../../../access/folderReach.ts';
import { isFolderDeleted, isGone } from '../../../objects/save/deletedObjects.ts';
import type { JsonObject } from '../../../objects/json.ts';
import type { ObjectKind } from '../../../objects/kinds/objectKind.ts';
import type { ObjectServer } from '../../../objects/objectServer.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** Shorter values could match any message by chance. */
const shortestQuoted = 4;

/**
 * Diagnostics that explain why a document was not saved, or that its object was deleted, until the text is edited there
 * or saved.
 */
export class SaveProblems implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #problems = vscode.languages.createDiagnosticCollection('analytics-save');
  /** Separate from the problems: these remain when a document is reloaded after its save. */
  readonly #notices = vscode.languages.createDiagnosticCollection('analytics-save-notice');
  readonly #subscription = vscode.Disposable.from(
    vscode.languages.registerCodeActionsProvider({ scheme: documentScheme }, this, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
      // Changing the language also closes the document.
      if (isClosed) this.#forget(uri);
    }),
    // Reloaded from the server or reverted: the text that could not be saved is gone.
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === documentScheme && !document.isDirty) this.clear(document.uri);
    }),
    // The editor closes the document long after its last tab.
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const uri of closed.flatMap(urisOfTab)) if (!isShown(uri)) this.#forget(uri);
    }),
  );

  /**
   * Shows a failed save at the JSON syntax error, otherwise at the first field named in its message or at the start.
   */
  show(uri: vscode.Uri, text: string, error: unknown): void {
    const message = reasonOf(error);
    const problem = diagnostic(rangeOf(text, message), message, vscode.DiagnosticSeverity.Error);
    problem.source = vscode.l10n.t('Analytics');
    problem.code = saveProblemCode;
    this.#problems.set(uri, [problem]);
  }

  /** Shows the server's message about a successful save until the next save; undefined for none. */
  showNotice(uri: vscode.Uri, text: string, notice: string | undefined): void {
    this.#notices.delete(uri);
    if (notice === undefined) return;
    const mark = diagnostic(rangeOf(text, notice), displayText(notice), vscode.DiagnosticSeverity.Warning);
    mark.source = vscode.l10n.t('Analytics');
    this.#notices.set(uri, [mark]);
  }

  /** Shows at an unmodified document that its object was deleted, because it would look editable. */
  showGone(uri: vscode.Uri, server: string): void {
    const message = vscode.l10n.t(
      '{0} no longer has this object: it was deleted, or is hidden from this account. To create it again, copy the text into a new object.',
      server,
    );
    const problem = diagnostic(new vscode.Range(0, 0, 0, 1), message, vscode.DiagnosticSeverity.Warning);
    problem.source = vscode.l10n.t('Analytics');
    this.#problems.set(uri, [problem]);
  }

  provideCodeActions({ uri }: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const problem = this.#problems
      .get(uri)
      ?.find((mark) => mark.code === saveProblemCode && mark.range.intersection(range));
    const target = documentTarget(uri);
    if (!problem || !target || isNewObject(target)) return [];
    return [
      { title: vscode.l10n.t('Compare with Server'), command: 'analytics.object.compareWithServer' },
      { title: vscode.l10n.t('Reload from Server'), command: 'analytics.object.reload' },
    ].map(({ title, command }) => {
      const action = new InertCodeAction(title, vscode.CodeActionKind.QuickFix);
      action.command = { title, command, arguments: [uri] };
      action.diagnostics = [problem];
      return action;
    });
  }

  clear(uri: vscode.Uri): void {
    this.#problems.delete(uri);
  }

  #forget(uri: vscode.Uri): void {
    this.clear(uri);
    this.#notices.delete(uri);
  }

  dispose(): void {
    this.#notices.dispose();
    this.#subscription.dispose();
    this.#problems.dispose();
  }
}

function rangeOf(text: string, message: string): vscode.Range {
  const fault = jsonFault(text);
  if (fault !== undefined) return new vscode.Range(positionOf(text, fault), positionOf(text, fault + 1));
  const root = parseTree(text);
  const constraint = constraintIn(root, message);
  if (constraint) return new vscode.Range(positionOf(text, constraint.offset), positionOf(text, endOf(constraint)));
  const words = new Set(message.split(/[^\w]+/));
  const properties = root?.children ?? [];
  const property =
    properties.find((child) => words.has(String(child.children?.[0]?.value))) ??
    properties.find((child) => isQuotedIn(message, child.children?.[1]?.value));
  if (!property) return new vscode.Range(0, 0, 0, 1);
  return new vscode.Range(positionOf(text, property.offset), positionOf(text, endOf(property)));
}

/** The constraint of a policy that a message is about, or its field, such as in `Constraint 2: Operator: …`. */
function constraintIn(root: Node | undefined, message: string): Node | undefined {
  const [, position, field = ''] = /\bConstraint (\d{1,4}):(?: (\w+):)?/.exec(message) ?? [];
  if (position === undefined || !root) return undefined;
  const constraint = findNodeAtLocation(root, ['Constraints', Number(position) - 1]);
  const fields = constraint?.children ?? [];
  return (
    fields.find(({ children }) => children?.[0]?.value === field) ??
    fields.find(({ children }) => isQuotedIn(message, children?.[1]?.value)) ??
    constraint
  );
}

/** Whether a message quotes a value: servers quote invalid values more often than field names. */
function isQuotedIn(message: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.length < shortestQuoted) return false;
  const at = message.indexOf(value);
  const isPartOfWord = (character: string | undefined) => character !== undefined && /\w/.test(character);
  return at >= 0 && !isPartOfWord(message[at - 1]) && !isPartOfWord(message[at + value.length]);
}

/** A long value is marked at its name only. */
function endOf({ type, offset, length, children }: Node): number {
  if (type !== 'property') return offset + length;
  const [name, value] = children ?? [];
  const isLong = value?.type === 'array' || value?.type === 'object';
  return isLong && name ? name.offset + name.length : offset + length;
}

function positionOf(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset).split('\n');
  return new vscode.Position(before.length - 1, before.at(-1)?.length ?? 0);
}

/** A failed save. `base` is the base view of the edit; undefined for a new object. */
interface RefusedSave {
  server: ObjectServer;
  kind: ObjectKind;
  target: DocumentTarget;
  mine: JsonObject;
  base: JsonObject | undefined;
}

/** Explains why a save failed: if something no longer exists, servers report it unclearly or not at all. */
export async function explainRefusal(
  error: unknown,
  { server, kind, target, mine, base }: RefusedSave,
): Promise<string> {
  const isNew = isNewObject(target);
  if (!isNew && isClientError(error, 'refused') && (await isGone(server, kind, target.id))) {
    return l10n.t(
      'it no longer exists: it was deleted, or is hidden from this account. Your text is kept here. To create it again, copy the text into a new object.',
    );
  }
  const isDenied = isClientError(error, 'refused') || isClientError(error, 'noPermission');
  if (isNew && isDenied && (await isFolderDeleted(server, kind, mine))) {
    return l10n.t(
      'the target folder no longer exists: it was deleted, or is hidden from this account. Your text is kept here. Enter the ID of another folder.',
    );
  }
  const unchangeable = isDenied && kind.name === 'folder' && base ? whyAudienceStays(base, mine) : undefined;
  if (unchangeable !== undefined) return `${unchangeable} ${unsentReason(error)}`;
  return unsentReason(error);
}
