import * as vscode from 'vscode';
import { createFolder, folderAccess, hideFolder, moveFolder as sendMove } from '../../access/folderAccess.ts';
import { folderEffect, shownFolderViewers } from '../../access/folderEffect.ts';
import type { Connection } from '../../connections/connection.ts';
import { attempt } from '../../editor/commandError.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { displayText } from '../../editor/displayText.ts';
import { forEachObject } from '../../editor/forEachObject.ts';
import { setStatusBarMessage, showInformationMessage, showWarningMessage } from '../../editor/messages.ts';
import { libraryLabel } from '../../editor/nodes/libraryNodes.ts';
import { selectedOf } from '../../editor/nodes/selectedNodes.ts';
import { refreshOpenDocuments } from '../../editor/openTabs.ts';
import { askText } from '../../editor/pickers/inputSteps.ts';
import { isWritable, pickObject, type PickedObject } from '../../editor/pickers/objectPicks.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import { verifiedServer, type VerifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { offeredGroups } from './folderPermissions.ts';

interface Named {
  id: string;
  name: string;
}

/** Creates a folder: asks for its name and, unless it is personal, for the groups that can see it. */
export async function newFolder(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('New Folder');
  const connection = await serverOf(argument, services, vscode.l10n.t('{0}: select a server', title));
  if (!connection) return;
  const shown = await verifiedServer(connection, argument);
  const parent = await parentFor(services, connection, argument, title);
  if (!parent) return;
  const name = await askText({
    title: vscode.l10n.t('New folder in {0} on {1}', parent.name, connection.name),
    placeholder: vscode.l10n.t('Name'),
    accept: async (value) => (displayText(value) === '' ? vscode.l10n.t('Enter a name.') : undefined),
  });
  if (typeof name !== 'string') return;
  const what = vscode.l10n.t('Could not create folder "{0}" on {1}', name, connection.name);
  const { isPersonal } = await attempt(what, async () => folderAccess(await shown.server(), parent.id));
  const groups = isPersonal ? [] : await pickGroups(connection, shown, name, what);
  if (!groups) return;
  await attempt(what, async () => createFolder(await shown.server(), parent.id, name.trim(), groups));
  setStatusBarMessage(vscode.l10n.t('Folder {0} created on {1}', displayText(name), connection.name), 8_000);
  await services.tree.refreshObjects(connection, 'library');
}

async function pickGroups(
  connection: Connection,
  shown: VerifiedServer,
  name: string,
  what: string,
): Promise<string[] | undefined> {
  const items = attempt(what, async () => {
    const groups = await offeredGroups(await shown.server(), await shown.client());
    return groups.map((group) => ({ label: displayText(group.name), description: displayText(group.detail), group }));
  });
  const picked = await showQuickPick(items, {
    title: vscode.l10n.t('Who sees "{0}" on {1}', displayText(name), connection.name),
    placeHolder: vscode.l10n.t('Groups that can see it. None: as the parent folder'),
    matchOnDescription: true,
    ignoreFocusOut: true,
    canPickMany: true,
  });
  return picked?.map(({ group }) => group.id);
}

/** The folder or library of the row that a command was called on, or the one that the user picks. */
export async function parentFor(
  services: CommandServices,
  connection: Connection,
  argument: unknown,
  title: string,
): Promise<Named | undefined> {
  const [node] = selectedOf(services, argument, undefined, 'folder', 'libraryRoot')?.nodes ?? [];
  if (node?.kind === 'folder') return { id: node.folderId, name: node.name };
  if (node?.kind === 'libraryRoot' && node.folderId !== '')
    return { id: node.folderId, name: libraryLabel(node.library) };
  const question = { title, placeholder: vscode.l10n.t('Select the location of the new object'), fits: isWritable };
  return pickObject(connection, 'libraryFolders', question);
}

/** Moves folders into another folder or a library; asks first, since others may then see them. */
export async function moveFolder(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  const title = vscode.l10n.t('Move Folder');
  const chosen = await chosenFolders(services, argument, selection, title);
  if (!chosen) return;
  const { connection, shown, folders, below } = chosen;
  const place = await pickObject(connection, 'libraryFolders', {
    title: vscode.l10n.t('Move {0}', folders.map(({ name }) => name).join(', ')),
    placeholder: vscode.l10n.t('Folder'),
    fits: (folder) => isWritable(folder) && !below.has(folder.id),
  });
  if (!place) return;
  const failed = vscode.l10n.t('Could not determine who sees the folders on {0}', connection.name);
  const edits = folders.map(({ id }) => ({ id, fields: { ParentLibrary: place.id } }));
  const { lines } = await attempt(failed, () => shown.read((server) => folderEffect(server, edits, true)));
  const move = vscode.l10n.t('Move');
  const [only] = folders;
  const question =
    folders.length === 1 && only
      ? vscode.l10n.t('Move folder "{0}" to {1} on {2}?', only.name, place.name, connection.name)
      : vscode.l10n.t('Move {0} folders to {1} on {2}?', folders.length, place.name, connection.name);
  const alone = vscode.l10n.t('Only super-admins will see the content.');
  const detail = lines.length > 0 ? lines.join('\n') : alone;
  if ((await showWarningMessage(question, { modal: true, detail }, move)) !== move) return;
  await changeFolders(
    services,
    chosen,
    title,
    ({ name }) => vscode.l10n.t('Could not move folder "{0}" to {1} on {2}', name, place.name, connection.name),
    ([first, ...others]) =>
      first && others.length === 0
        ? vscode.l10n.t('{0} moved to {1} on {2}', first.name, place.name, connection.name)
        : vscode.l10n.t('{0} folders moved to {1} on {2}', others.length + 1, place.name, connection.name),
    async ({ id }) => sendMove(await shown.server(), id, place.id),
  );
}

/** Hides folders from everyone who cannot change them. */
export function hideFolders(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  return setHidden(true, services, argument, selection);
}

/** Shows hidden folders again; asks first, by the names of those who can see them then. */
export function showFolders(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  return setHidden(false, services, argument, selection);
}

async function setHidden(isHidden: boolean, services: CommandServices, argument: unknown, selection: unknown) {
  const title = isHidden ? vscode.l10n.t('Hide Folder') : vscode.l10n.t('Show Folder');
  const chosen = await chosenFolders(services, argument, selection, title);
  if (!chosen) return;
  const { connection, shown, folders } = chosen;
  const names = folders.map(({ name }) => name).join(', ');
  if (!isHidden && !(await confirmShowing(chosen))) return;
  await changeFolders(
    services,
    chosen,
    title,
    ({ name }) =>
      isHidden
        ? vscode.l10n.t('Could not hide folder "{0}" on {1}', name, connection.name)
        : vscode.l10n.t('Could not show folder "{0}" on {1}', name, connection.name),
    () =>
      isHidden
        ? vscode.l10n.t('{0} hidden on {1}', names, connection.name)
        : vscode.l10n.t('{0} shown on {1}', names, connection.name),
    async ({ id }) => hideFolder(await shown.server(), id, isHidden),
  );
}

async function confirmShowing({ connection, shown, folders }: ChosenFolders): Promise<boolean> {
  const failed = vscode.l10n.t('Could not determine who sees the folders on {0}', connection.name);
  const ids = folders.map(({ id }) => id);
  const lines = await attempt(failed, () => shown.read((server) => shownFolderViewers(server, ids)));
  const show = vscode.l10n.t('Show');
  const [only] = folders;
  const question =
    folders.length === 1 && only
      ? vscode.l10n.t('Show folder "{0}" on {1}?', only.name, connection.name)
      : vscode.l10n.t('Show {0} folders on {1}?', folders.length, connection.name);
  return (await showWarningMessage(question, { modal: true, detail: lines.join('\n') }, show)) === show;
}

interface ChosenFolders {
  connection: Connection;
  shown: VerifiedServer;
  folders: readonly Named[];
  /** Ids of the folders and of those in them, as far as known. */
  below: ReadonlySet<string>;
}

async function changeFolders(
  services: CommandServices,
  { connection, folders }: ChosenFolders,
  title: string,
  whatFailed: (folder: Named) => string,
  done: (worked: readonly Named[]) => string,
  work: (folder: Named) => Promise<void>,
): Promise<void> {
  const after = async () => {
    await services.tree.refreshObjects(connection, 'library');
    await refreshOpenDocuments(services, connection, { kind: 'folder', objects: folders });
  };
  await forEachObject(services, { title, items: folders, nameOf: ({ name }) => name, whatFailed, done, after }, work);
}

/** The selected folders, or the chosen one. */
async function chosenFolders(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
  title: string,
): Promise<ChosenFolders | undefined> {
  const selected = selectedOf(services, argument, selection, 'folder');
  const connection =
    selected?.connection ?? (await serverOf(argument, services, vscode.l10n.t('{0}: select a server', title)));
  if (!connection) return undefined;
  const shown = await verifiedServer(connection, argument, selection);
  if (selected) {
    const nodes = selected.nodes.filter(({ isPersonal, isReadOnly }) => !isPersonal && !isReadOnly);
    if (nodes.length < selected.nodes.length) {
      const words = vscode.l10n.t(
        '{0} does not apply to personal folders and to folders that you cannot change.',
        title,
      );
      void showInformationMessage(words);
    }
    const inside = (children: (typeof nodes)[number]['folders']): string[] =>
      children.flatMap((child) => [String(child.id), ...inside(child.children ?? [])]);
    const below = new Set(nodes.flatMap((node) => [node.folderId, ...inside(node.folders)]));
    const folders = nodes.map(({ folderId, name }) => ({ id: folderId, name }));
    return folders.length === 0 ? undefined : { connection, shown, folders, below };
  }
  const fits = (folder: PickedObject) => isWritable(folder) && folder.isScopeFixed !== true;
  const folder = await pickObject(connection, 'folders', { title, placeholder: vscode.l10n.t('Folder'), fits });
  return folder && { connection, shown, folders: [folder], below: new Set([folder.id]) };
}
