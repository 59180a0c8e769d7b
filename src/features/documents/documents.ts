import * as vscode from 'vscode';
import type { CustomEditor, NewObjectStart, ObjectDocuments } from '../../editor/commands/services.ts';
import { showInformationMessage } from '../../editor/messages.ts';
import { displayText } from '../../editor/displayText.ts';
import { withWaitNotice } from '../../editor/progress.ts';
import { cloneView } from '../../objects/save/createObject.ts';
import { checkInstallation } from '../../objects/checkInstallation.ts';
import { deleteObject } from '../../objects/save/deleteObject.ts';
import { editableView } from '../../objects/merge/editableView.ts';
import { deletedOf } from '../../objects/save/deletedObjects.ts';
import type { JsonObject } from '../../objects/json.ts';
import { findKind } from '../../objects/kinds/kinds.ts';
import { nameOf, type ObjectKind } from '../../objects/kinds/objectKind.ts';
import { textField, type ObjectEntry } from '../../objects/kinds/objectEntry.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import { saveObject } from '../../objects/save/saveObject.ts';
import type { AskServerSecret } from '../../editor/pickers/askSecret.ts';
import type { DocumentFileSystem } from './files/documentFileSystem.ts';
import { documentText } from './files/documentText.ts';
import {
  createdTarget,
  documentScheme,
  documentTarget,
  documentUri,
  newObjectTarget,
  type DocumentTarget,
} from '../../editor/documentUri.ts';
import { kindLabel } from '../../objects/kinds/kindLabels.ts';
import { closeTabs, showDocument, tabsOf, isDirty } from '../../editor/openTabs.ts';
import { foldMaintained } from './language/maintainedFields.ts';
import { Openings } from './files/openings.ts';
import { isOpen } from './files/openDocument.ts';
import { Removals } from './files/removals.ts';
import { confirmingWrites } from './save/confirmSave.ts';
import { confirmRisk } from '../../editor/pickers/confirmRisk.ts';
import { couldNotSave, refusal, saveFailureText } from './save/saveWords.ts';
import type { ServerStates } from './files/serverStates.ts';

/** Dependencies of {@link Documents}. */
export interface DocumentsOptions {
  /** The server of a connection. @throws {Error} if there is no such connection. */
  server(connectionId: string): Promise<ObjectServer>;
  files: DocumentFileSystem;
  states: ServerStates;
  readonly askSecret: AskServerSecret;
}

/** Operations on objects as documents. All failures are thrown, with the object, server and cause in the message. */
export class Documents implements ObjectDocuments {
  readonly #options: DocumentsOptions;
  readonly #removals = new Removals();
  readonly #openings = new Openings();

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  /**
   * Opens an object as a JSON document with its current content, or reveals the open document, whatever its name was
   * when it was opened. Unsaved changes are preserved. An opening in progress ends if another object is opened.
   * @param editor the custom editor to open it in; default: the text editor.
   */
  async open(target: DocumentTarget, viewColumn?: vscode.ViewColumn, editor?: CustomEditor): Promise<void> {
    const key = JSON.stringify([target.connectionId, target.kind, target.id, viewColumn, editor?.viewType]);
    const work = () => this.#openings.run(key, (check) => this.#openLatest(target, { viewColumn, editor }, check));
    await withWaitNotice(work, displayText(target.name));
  }

  async #openLatest(target: DocumentTarget, { viewColumn, editor }: OpenWhere, check: () => void) {
    editor?.readAhead();
    await this.#show(target, async () => {
      const [open] = openUris(target);
      const uri = await this.uriOf(target);
      const isShown = tabsOf(uri).length > 0;
      const document = await this.#options.files.withReason(uri, async () => {
        // Here the user can cancel it, or open something else; the editor itself waits for every read.
        if (!isOpen(uri)) await this.#options.files.prepare(uri);
        check();
        return vscode.workspace.openTextDocument(uri);
      });
      check();
      if (editor)
        return void (await vscode.commands.executeCommand('vscode.openWith', uri, editor.viewType, viewColumn));
      await vscode.window.showTextDocument(document, viewColumn === undefined ? {} : { viewColumn });
      // A shown document keeps what the user unfolded.
      if (!isShown) foldMaintained(document);
      if (open) await this.#options.files.catchUp(open);
    });
  }

  /** Opens an object's document with `open`; closes it again if this window deletes the object meanwhile. */
  async #show(target: DocumentTarget, open: () => Promise<void>): Promise<void> {
    if (!(await this.#removals.open(target, open))) await closeUnchanged(target);
  }

  /** The targets, all of one server and kind, that no longer exist. */
  async goneOf(targets: readonly DocumentTarget[]): Promise<DocumentTarget[]> {
    const [first] = targets;
    const kind = first && findKind(first.kind);
    if (!kind) return [];
    const server = await this.#options.server(first.connectionId);
    const gone = await deletedOf(
      server,
      kind,
      targets.map(({ id }) => id),
    );
    return targets.filter(({ id }) => gone.includes(id));
  }

  /** All objects of a kind, sorted by name; undefined if a server has only one. */
  async list(connectionId: string, kind: string): Promise<ObjectEntry[] | undefined> {
    const server = await this.#options.server(connectionId);
    const entries = await findKind(kind)?.list?.(server);
    return entries?.sort((a, b) => a.name.localeCompare(b.name));
  }

  /**
   * Opens a document for a new object from the server's template. Nothing is created until it is saved.
   * @param parent id of its folder or registered server.
   */
  async create(connectionId: string, kindName: string, parent?: string, start: NewObjectStart = {}): Promise<void> {
    const kind = kindOf({ kind: kindName });
    const server = await this.#options.server(connectionId);
    if (!kind.template) throw new Error(vscode.l10n.t('New objects of this type cannot be created.'));
    const [template, installation] = await Promise.all([kind.template(server, parent), server.installation()]);
    const view = { ...editableView(template, kind.shape), ...start.fields };
    await this.#openNew({ connectionId, kind, installation, parent, editor: start.editor }, view);
  }

  /** Opens a document for a new object based on another one. */
  async clone(target: DocumentTarget): Promise<void> {
    const kind = kindOf(target);
    const server = await this.#options.server(target.connectionId);
    if (!kind.template) throw new Error(vscode.l10n.t('Objects of this type cannot be copied.'));
    const parent = kind.parentOf?.(target.id);
    const [installation, full, empty] = await Promise.all([
      this.#installationFor(server, target),
      kind.read(server, target.id),
      kind.template(server, parent),
    ]);
    const [view, template] = [editableView(full, kind.shape), editableView(empty, kind.shape)];
    const name = vscode.l10n.t('{0} copy', nameOf(kind, view));
    const place = { connectionId: target.connectionId, kind, installation, parent };
    await this.#openNew(place, cloneView(kind, view, template, name));
    if (!openUris(target).some(isDirty)) return;
    void showInformationMessage(
      vscode.l10n.t(
        'The copy contains the version on {0}, without the unsaved changes to "{1}".',
        server.name,
        displayText(nameOf(kind, view)),
      ),
    );
  }

  /**
   * Renames an object on the server; concurrent changes by others are preserved.
   * @param ask returns the new name for the current one as stored on the server; undefined to cancel.
   * @returns whether it was changed.
   */
  async rename(target: DocumentTarget, ask: (name: string) => Promise<string | undefined>): Promise<boolean> {
    const kind = kindOf(target);
    const { nameField } = kind;
    if (nameField === undefined || kind.shape.readOnly?.includes(nameField)) {
      throw new Error(vscode.l10n.t('The name of objects of this type cannot be changed.'));
    }
    return this.#changeText(target, kind, nameField, ask);
  }

  /**
   * Changes the description of a report on the server; concurrent changes by others are preserved.
   * @param ask returns the new description for the current one; undefined to cancel.
   * @returns whether it was changed.
   */
  async describe(target: DocumentTarget, ask: (description: string) => Promise<string | undefined>): Promise<boolean> {
    return this.#changeText(target, kindOf(target), 'Description', ask);
  }

  /** Changes a text field of an object outside its document, with the kind's own call if there is one. */
  async #changeText(
    target: DocumentTarget,
    kind: ObjectKind,
    field: string,
    ask: (text: string) => Promise<string | undefined>,
  ): Promise<boolean> {
    const server = await this.#options.server(target.connectionId);
    const installation = await this.#installationFor(server, target);
    const base = editableView(await kind.read(server, target.id), kind.shape);
    const before = textField(base, field);
    const text = await ask(before);
    if (text === undefined || text === before) return false;
    // The prompt may have been open for a long time.
    await checkInstallation(server, installation);
    const saving: ObjectKind = {
      ...kind,
      save: async (at, full) => (kind.saveHead ? kind.saveHead(at, full) : kind.save(at, full)),
    };
    const askSecret = this.#options.askSecret(kind, target, server.name);
    const mine = { ...base, [field]: text };
    const confirm = confirmingWrites({ kind, server, target }, confirmRisk);
    const outcome = await saveObject(server, { kind: saving, id: target.id, base, mine, askSecret, confirm });
    if (outcome.kind !== 'saved') {
      throw refusal(couldNotSave(kind, target, server.name), saveFailureText(outcome, server.name));
    }
    this.#options.files.changedOnServer(target);
    if (outcome.notTaken.length > 0) {
      const missing = outcome.notTaken.join(', ');
      const why = vscode.l10n.t(
        '{0} accepted "{1}", but the saved object lacks: {2}.',
        server.name,
        target.name,
        missing,
      );
      throw refusal(couldNotSave(kind, target, server.name), why);
    }
    return true;
  }

  /** The server of a connection, with the id of the installation that currently responds. */
  async installed(connectionId: string): Promise<{ server: ObjectServer; installation: string }> {
    const server = await this.#options.server(connectionId);
    return { server, installation: await server.installation() };
  }

  /**
   * Deletes an object and closes its documents unless they have unsaved changes.
   * @param installation on which the object was chosen; on any other one nothing is deleted.
   */
  async remove(target: DocumentTarget, installation: string | undefined): Promise<void> {
    const kind = kindOf(target);
    const server = await this.#options.server(target.connectionId);
    const proof = checkInstallation(server, installation);
    await this.#removals.remove(target, () => deleteObject(server, kind, target.id, undefined, proof));
    await closeUnchanged(target);
  }

  /** Refreshes open documents of an object that was changed elsewhere; unsaved changes are preserved. */
  changedOnServer(target: DocumentTarget): void {
    this.#options.files.changedOnServer(target);
  }

  /** Compares a document with the server's version. */
  async compare(uri: vscode.Uri): Promise<void> {
    const target = createdTarget(uri);
    const kind = kindOf(target);
    const server = await this.#options.server(target.connectionId);
    const view = editableView(await kind.read(server, target.id), kind.shape);
    await this.#options.states.compare(uri, view, server.name);
  }

  /** Reloads a document's object; discards unsaved changes, which the caller must have confirmed. */
  async reload(uri: vscode.Uri): Promise<void> {
    createdTarget(uri);
    await this.#options.files.readAfresh(uri);
    await showDocument(uri);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }

  /** Closes the document of a new object and opens the created object in its place. */
  async replaceNew(uri: vscode.Uri, target: DocumentTarget): Promise<void> {
    const [tab] = tabsOf(uri);
    if (tab?.input instanceof vscode.TabInputCustom) {
      const { viewType } = tab.input;
      const { viewColumn } = tab.group;
      await this.#show(target, async () => {
        await vscode.commands.executeCommand('vscode.openWith', await this.uriOf(target), viewType, viewColumn);
      });
    } else await this.open(target, tab?.group.viewColumn);
    await closeTabs(uri);
  }

  async #openNew({ connectionId, kind, installation, parent, editor: viewType }: NewDocument, view: JsonObject) {
    const given = kind.nameField === undefined ? '' : textField(view, kind.nameField);
    const name = displayText(given) || vscode.l10n.t('New {0}', kindLabel(kind.name));
    const target = newObjectTarget(connectionId, kind.name, name, parent);
    const uri = documentUri(target, installation);
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), documentText(view));
    // The text is unsaved from the start, so closing it asks, as for any untitled file.
    await vscode.workspace.applyEdit(edit);
    if (viewType !== undefined) return void (await vscode.commands.executeCommand('vscode.openWith', uri, viewType));
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    selectName(editor, kind);
    foldMaintained(document);
  }

  /** URI of an object's document, or that of the open one. Reading it checks that its installation still answers. */
  async uriOf(target: DocumentTarget): Promise<vscode.Uri> {
    const [open] = openUris(target);
    if (open) return open;
    const shown = target.installation ?? '';
    const installation = shown === '' ? (await this.installed(target.connectionId)).installation : shown;
    return documentUri({ ...target, name: displayText(target.name) }, installation);
  }

  /** Id of the installation on which to look for a target. @throws {ClientError} if another one showed the target. */
  async #installationFor(server: ObjectServer, { installation }: DocumentTarget): Promise<string> {
    return installation === undefined ? server.installation() : checkInstallation(server, installation);
  }
}

interface OpenWhere {
  readonly viewColumn: vscode.ViewColumn | undefined;
  readonly editor: CustomEditor | undefined;
}

/** What a document for a new object is of. */
interface NewDocument {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly installation: string;
  readonly parent?: string | undefined;
  /** View type of a custom editor. */
  readonly editor?: string | undefined;
}

function kindOf({ kind }: Pick<DocumentTarget, 'kind'>): ObjectKind {
  const found = findKind(kind);
  if (!found) throw new Error(vscode.l10n.t('There are no documents of type {0}.', kind));
  return found;
}

/** Closes the documents of an object. Documents with unsaved changes stay open, so that they can be saved elsewhere. */
async function closeUnchanged(target: DocumentTarget): Promise<void> {
  for (const uri of openUris(target)) if (!isDirty(uri)) await closeTabs(uri);
}

/** Open documents of an object, under any name. */
function openUris(target: DocumentTarget): vscode.Uri[] {
  return vscode.workspace.textDocuments
    .map(({ uri }) => uri)
    .filter((uri) => {
      const other = uri.scheme === documentScheme ? documentTarget(uri) : undefined;
      return other?.connectionId === target.connectionId && other.kind === target.kind && other.id === target.id;
    });
}

/** Selects the name of a new object, the first thing to edit. */
function selectName(editor: vscode.TextEditor, { nameField }: ObjectKind): void {
  if (nameField === undefined) return;
  const found = new RegExp(`"${nameField}": "((?:[^"\\\\]|\\\\.)*)"`).exec(editor.document.getText());
  if (!found) return;
  const end = found.index + found[0].length - 1;
  const start = end - (found[1]?.length ?? 0);
  editor.selection = new vscode.Selection(editor.document.positionAt(start), editor.document.positionAt(end));
  editor.revealRange(editor.selection);
}
