import * as vscode from 'vscode';
import { showWarningMessage, setStatusBarMessage } from '../../editor/messages.ts';
import { displayText } from '../../editor/displayText.ts';
import { documentTarget, objectLabel, targetLabel } from '../../editor/documentUri.ts';
import { documentInFront } from '../../editor/openTabs.ts';
import { renameTag } from './renameTag.ts';
import { treeKindOf } from '../../editor/nodes/treeKind.ts';
import { pickOneObject, type ObjectVerb } from '../../editor/nodes/pickObjects.ts';
import { attempt } from '../../editor/commandError.ts';
import type { DocumentServices } from './documentServices.ts';
import { showInputBox } from '../../editor/quickInput.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';

const statusMs = 8_000;

/** Opens a document for a new object based on the chosen one. */
export async function cloneObject(services: DocumentServices, argument?: unknown): Promise<void> {
  const verb: ObjectVerb = {
    title: vscode.l10n.t('Clone Object'),
    capability: 'clone',
    fits: (kind) => kind.template !== undefined,
  };
  const chosen = await pickOneObject(services, verb, argument);
  if (!chosen) return;
  const { target, connection } = chosen;
  await attempt(vscode.l10n.t('Could not clone "{0}" of {1}', target.name, connection.name), async () =>
    (await services.documents()).clone(target),
  );
}

/** Renames the chosen object. */
export function renameObject(services: DocumentServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Rename Object');
  return rename(services, argument, { title, capability: 'edit', fits: ({ nameField }) => nameField !== undefined });
}

/** Renames the chosen data tag, also in the policies that compare with it. */
export function renameDataTag(services: DocumentServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Rename Data Tag');
  return rename(services, argument, { title, capability: 'values', fits: ({ name }) => name === 'tag' });
}

async function rename(services: DocumentServices, argument: unknown, verb: ObjectVerb): Promise<void> {
  const chosen = await pickOneObject(services, verb, argument);
  if (!chosen) return;
  const { target, connection } = chosen;
  const title = vscode.l10n.t('Rename {0} on {1}', targetLabel(target), connection.name);
  const askName = (before: string, objection: (value: string) => string | undefined) =>
    askReplacementText(before, { title, ignoreFocusOut: true, validateInput: objection });
  // Policies refer to data tags by name.
  if (target.kind === 'tag') return renameTag(services, connection, target, askName);
  let name = '';
  const ask = async (before: string) => {
    const answer = await askName(before, (value) =>
      displayText(value) === '' ? vscode.l10n.t('Enter a name.') : undefined,
    );
    // White space around an unchanged name comes from the server; if typed, it is accidental.
    if (answer === undefined) return undefined;
    name = answer.trim();
    return name;
  };
  const what = vscode.l10n.t('Could not rename "{0}" on {1}', target.name, connection.name);
  if (!(await attempt(what, async () => (await services.documents()).rename(target, ask)))) return;
  const words = vscode.l10n.t('{0} is now {1} on {2}', target.name, displayText(name), connection.name);
  setStatusBarMessage(words, statusMs);
  const shown = treeKindOf(target.kind);
  if (shown) await services.tree.refreshObjects(connection, shown);
}

/** Changes the description of the chosen report. */
export async function describeReport(services: DocumentServices, argument?: unknown): Promise<void> {
  const verb: ObjectVerb = {
    title: vscode.l10n.t('Edit Report Description'),
    capability: 'describe',
    fits: (kind) => 'saveHead' in kind,
  };
  const chosen = await pickOneObject(services, verb, argument);
  if (!chosen) return;
  const { target, connection } = chosen;
  const ask = async (before: string) =>
    askReplacementText(before, {
      title: vscode.l10n.t('Description of {0} on {1}', targetLabel(target), connection.name),
      placeHolder: vscode.l10n.t('Description of the report (optional)'),
      ignoreFocusOut: true,
    });
  const what = vscode.l10n.t('Could not change the description of "{0}" on {1}', target.name, connection.name);
  const isChanged = await attempt(what, async () => (await services.documents()).describe(target, ask));
  if (!isChanged) return;
  setStatusBarMessage(vscode.l10n.t('Description of {0} changed on {1}', target.name, connection.name), statusMs);
  const shown = treeKindOf(target.kind);
  if (shown) await services.tree.refreshObjects(connection, shown);
}

/** Compares the document with the server's version. */
export async function compareWithServer(services: DocumentServices, argument?: unknown): Promise<void> {
  const uri = documentOf(argument);
  if (!uri) return;
  await attempt(couldNotCompare(services.connections, uri), async () => (await services.documents()).compare(uri));
}

/** Reloads the document's object from the server; asks first if changes would be lost. */
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

/** The given document, or the active one. */
function documentOf(argument: unknown): vscode.Uri | undefined {
  const uri = uriOf(argument) ?? documentInFront();
  return uri?.scheme === 'analytics' ? uri : undefined;
}

/** A URI, or that of an entry of the Changes view. */
function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  const isEntry = typeof argument === 'object' && argument !== null && 'uri' in argument;
  return isEntry && argument.uri instanceof vscode.Uri ? argument.uri : undefined;
}

/**
 * Asks for a replacement text. An input box has one line: it would remove line breaks and join words, even if nothing
 * was typed.
 * @returns undefined if cancelled or unchanged.
 */
export async function askReplacementText(before: string, options: vscode.InputBoxOptions): Promise<string | undefined> {
  const value = before.replace(/\s*[\r\n]+\s*/g, ' ');
  const prompt = vscode.l10n.t('The current text has several lines. You can enter only one line here.');
  const answer = await showInputBox({
    ...options,
    value,
    ...(value !== before && { prompt }),
    // A closing menu restores the focus, possibly after the box received it.
    ignoreFocusOut: true,
  });
  return answer === value ? undefined : answer;
}

type Servers = Pick<ConnectionStore, 'get'>;

/** Error message, for example `Could not compare policy "Tenants" with Production`. */
export function couldNotCompare(servers: Servers, uri: vscode.Uri): string {
  return vscode.l10n.t('Could not compare {0} with {1}', objectLabel(uri), serverNameOf(servers, uri));
}

/** Error message, for example `Could not reload policy "Tenants" from Production`. */
export function couldNotReload(servers: Servers, uri: vscode.Uri): string {
  return vscode.l10n.t('Could not reload {0} from {1}', objectLabel(uri), serverNameOf(servers, uri));
}

/** Confirmation before a document's unsaved changes are discarded. */
export function reloadQuestion(servers: Servers, uri: vscode.Uri): string {
  const words = [objectLabel(uri), serverNameOf(servers, uri)] as const;
  return vscode.l10n.t('Reload {0} from {1} and discard unsaved changes?', ...words);
}

function serverNameOf(servers: Servers, uri: vscode.Uri): string {
  const server = servers.get(documentTarget(uri)?.connectionId ?? '');
  return displayText(server?.name ?? vscode.l10n.t('its server'));
}
