import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { setStatusBarMessage } from '../../editor/statusBar.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../../editor/displayText.ts';
import type { DocumentTarget } from '../../editor/documentUri.ts';
import { documentInFront } from '../../editor/openTabs.ts';
import { policiesUsingTag } from '../../access/policyReach.ts';
import { shownKindOf } from '../../editor/nodes/shownKind.ts';
import { askOtherText } from './askOtherText.ts';
import { chosenObject, type ObjectVerb } from '../../editor/nodes/chosenObjects.ts';
import { attempt } from '../../editor/commandError.ts';
import { couldNotCompare, couldNotReload, reloadQuestion } from './documentWords.ts';
import { newObjectPlace } from './newObjectPlace.ts';
import type { DocumentServices } from './documentServices.ts';
import { shownServer } from '../../editor/pickers/shownServer.ts';

const statusMs = 8_000;

/** Opens a document for a new object; nothing is created before it is saved. */
export async function newObject(services: DocumentServices, argument?: unknown): Promise<void> {
  const place = await newObjectPlace(services, argument);
  if (!place) return;
  const { connection, kind, parent } = place;
  await attempt(beginning(connection), async () => (await shownServer(connection, argument)).client());
  // Reports are built rather than written, and a builder needs a report type to begin with.
  if (kind === 'report') {
    await vscode.commands.executeCommand('analytics.report.new', { connectionId: connection.id, folderId: parent });
    return;
  }
  await attempt(beginning(connection), async () => (await services.documents()).create(connection.id, kind, parent));
}

function beginning({ name }: Connection): string {
  return vscode.l10n.t('Could not begin a new object on {0}', name);
}

/** Opens a document for a new object that is like the chosen one. */
export async function cloneObject(services: DocumentServices, argument?: unknown): Promise<void> {
  const verb: ObjectVerb = {
    title: vscode.l10n.t('Clone Object'),
    capability: 'clone',
    fits: (kind) => kind.template !== undefined,
  };
  const chosen = await chosenObject(services, verb, argument);
  if (!chosen) return;
  const { target, connection } = chosen;
  await attempt(vscode.l10n.t('Could not clone "{0}" of {1}', target.name, connection.name), async () =>
    (await services.documents()).clone(target),
  );
}

/** Gives the chosen object another name. */
export async function renameObject(services: DocumentServices, argument?: unknown): Promise<void> {
  const verb: ObjectVerb = {
    title: vscode.l10n.t('Rename Object'),
    capability: 'edit',
    fits: ({ nameField }) => nameField !== undefined,
  };
  const chosen = await chosenObject(services, verb, argument);
  if (!chosen) return;
  const { target, connection } = chosen;
  let name = '';
  const ask = async (before: string) => {
    const answer = await askOtherText(before, {
      title: vscode.l10n.t('Rename {0} on {1}', target.name, connection.name),
      ignoreFocusOut: true,
      validateInput: (value) => (displayText(value) === '' ? vscode.l10n.t('Enter a name.') : undefined),
    });
    // Blanks around a name that was not touched are the server's; those typed are slips.
    if (answer === undefined) return undefined;
    name = answer.trim();
    return target.kind !== 'tag' || (await acceptsLostTag(services, target, connection.name)) ? name : undefined;
  };
  const what = vscode.l10n.t('Could not rename "{0}" on {1}', target.name, connection.name);
  if (!(await attempt(what, async () => (await services.documents()).rename(target, ask)))) return;
  const words = vscode.l10n.t('{0} is now {1} on {2}', target.name, displayText(name), connection.name);
  setStatusBarMessage(words, statusMs);
  const shown = shownKindOf(target.kind);
  if (shown) await services.tree.refreshObjects(connection, shown);
}

/** Policies name a tag by its label: asks before they lose it. */
async function acceptsLostTag(services: DocumentServices, tag: DocumentTarget, server: string): Promise<boolean> {
  const what = vscode.l10n.t('Could not find out which policies of {0} use the data tag "{1}"', server, tag.name);
  const using = await attempt(what, async () => {
    const installed = await (await services.documents()).installed(tag.connectionId);
    return policiesUsingTag(installed.server, tag.id);
  });
  if (using.length === 0) return true;
  const rename = vscode.l10n.t('Rename');
  const question = vscode.l10n.t(
    'Rename the data tag "{0}" on {1} although policies compare with it?',
    tag.name,
    server,
  );
  const detail = vscode.l10n.t(
    'The policies {0} compare with it by its name: they let no row through, or fail, until they name the new one.',
    displayText(using.join(', ')),
  );
  return (await showWarningMessage(question, { modal: true, detail }, rename)) === rename;
}

/** Gives the chosen report another description. */
export async function describeReport(services: DocumentServices, argument?: unknown): Promise<void> {
  const verb: ObjectVerb = {
    title: vscode.l10n.t('Edit Report Description'),
    capability: 'describe',
    fits: (kind) => 'saveHead' in kind,
  };
  const chosen = await chosenObject(services, verb, argument);
  if (!chosen) return;
  const { target, connection } = chosen;
  const ask = async (before: string) =>
    askOtherText(before, {
      title: vscode.l10n.t('Description of {0} on {1}', target.name, connection.name),
      placeHolder: vscode.l10n.t('What the report shows (may be empty)'),
      ignoreFocusOut: true,
    });
  const what = vscode.l10n.t('Could not describe "{0}" on {1}', target.name, connection.name);
  const isChanged = await attempt(what, async () => (await services.documents()).describe(target, ask));
  if (!isChanged) return;
  setStatusBarMessage(vscode.l10n.t('{0} has another description on {1}', target.name, connection.name), statusMs);
  const shown = shownKindOf(target.kind);
  if (shown) await services.tree.refreshObjects(connection, shown);
}

/** Shows what the server holds beside the document. */
export async function compareWithServer(services: DocumentServices, argument?: unknown): Promise<void> {
  const uri = documentOf(argument);
  if (!uri) return;
  await attempt(couldNotCompare(services.connections, uri), async () => (await services.documents()).compare(uri));
}

/** Reads the document's object afresh; asks first when changes would be lost. */
export async function reloadObject(services: DocumentServices, argument?: unknown): Promise<void> {
  const uri = documentOf(argument);
  if (!uri) return;
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty) {
    const reload = vscode.l10n.t('Reload');
    const question = reloadQuestion(services.connections, uri);
    if ((await showWarningMessage(question, { modal: true }, reload)) !== reload) return;
  }
  await attempt(couldNotReload(services.connections, uri), async () => (await services.documents()).reload(uri));
}

/** The document given, or the one in front. */
function documentOf(argument: unknown): vscode.Uri | undefined {
  const uri = uriOf(argument) ?? documentInFront();
  return uri?.scheme === 'analytics' ? uri : undefined;
}

/** A URI, or that of an entry of the view Changes. */
function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  const isEntry = typeof argument === 'object' && argument !== null && 'uri' in argument;
  return isEntry && argument.uri instanceof vscode.Uri ? argument.uri : undefined;
}
