import * as vscode from 'vscode';
import { changeFolderGroups, folderGroups, moveReport as sendMove } from '../administration/folderScope.ts';
import type { Connection } from '../connections/connection.ts';
import { chosenNodes, isDrop } from './chosenNodes.ts';
import { attempt } from './commandError.ts';
import { eachObject } from './eachObject.ts';
import { libraryLabel } from '../tree/treeItem.ts';
import { adminServerOf, objectServerOf } from './adminServer.ts';
import { listObjects, pickObject, pickObjects } from './objectPicks.ts';
import { pickItem } from './pickItem.ts';
import type { CommandServices } from './services.ts';
import { showChanged } from './showChanged.ts';

interface Named {
  id: string;
  name: string;
}

/** Chooses the groups that see a folder; groups dropped onto it are added to them. */
export async function setFolderPermissions(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Set Folder Permissions');
  const asked = isDrop(argument) ? argument.onto : argument;
  const connection = await adminServerOf(asked, services, title);
  if (!connection) return;
  const folder = await folderFor(services, connection, asked, title, 'folders');
  if (!folder) return;
  const what = vscode.l10n.t('Could not change who sees folder "{0}" on {1}', folder.name, connection.name);
  const server = await objectServerOf(connection);
  const before = await attempt(what, () => folderGroups(server, folder.id));
  if (isDrop(argument)) {
    const groups = chosenNodes(services, argument.dropped[0], argument.dropped, 'group')?.nodes ?? [];
    const names = groups.map(({ name }) => name).join(', ');
    if (before.length === 0 && !(await confirmClosing(folder.name, names))) return;
    const added = groups.map(({ groupId }) => groupId);
    await attempt(what, () => changeFolderGroups(server, folder.id, { added }));
  } else {
    const picked = await pickObjects(
      connection,
      'groups',
      { title: `${title}: ${folder.name}`, placeholder: vscode.l10n.t('Groups that see it; none: All Users') },
      before,
    );
    if (!picked) return;
    // Groups that this account is not shown keep the folder: nobody decided about them.
    const offered = await attempt(what, async () => listObjects(await connection.client(), 'groups'));
    const isTicked = (id: string) => picked.some((group) => group.id === id);
    const added = picked.map(({ id }) => id).filter((id) => !before.includes(id));
    const removed = before.filter((groupId) => !isTicked(groupId) && offered.some(({ id }) => id === groupId));
    if (added.length + removed.length === 0) return;
    const isOpened = before.length > 0 && before.length === removed.length && added.length === 0;
    if (isOpened && !(await confirmOpening(folder.name))) return;
    await attempt(what, () => changeFolderGroups(server, folder.id, { added, removed, mayOpen: isOpened }));
  }
  vscode.window.setStatusBarMessage(vscode.l10n.t('Permissions of {0} saved', folder.name), 8_000);
  await services.tree.refreshObjects(connection, 'library');
  await showChanged(services, connection, { kind: 'folder', objects: [folder] });
}

/** Moves reports into another folder. */
export async function moveReport(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  const title = vscode.l10n.t('Move to Folder');
  const given = isDrop(argument)
    ? chosenNodes(services, argument.dropped[0], argument.dropped, 'report')
    : chosenNodes(services, argument, selection, 'report');
  const found = given
    ? undefined
    : await pickItem(
        services,
        title,
        ({ outputType, mayModify }) => outputType !== 0 && mayModify,
        vscode.l10n.t('There is no report that you may move'),
      );
  const connection = given?.connection ?? found?.connection;
  const reports: Named[] = (given?.nodes.map(({ item }) => item) ?? (found ? [found.item] : [])).map(
    ({ itemId, name }) => ({ id: itemId, name }),
  );
  if (!connection || reports.length === 0) return;
  const onto = isDrop(argument) ? argument.onto : undefined;
  const folder = await folderFor(services, connection, onto, title, 'libraryFolders');
  if (!folder) return;
  const server = await objectServerOf(connection);
  await eachObject(
    services,
    {
      title: vscode.l10n.t('Moving reports to {0}', folder.name),
      items: reports,
      nameOf: ({ name }) => name,
      whatFailed: ({ name }) =>
        vscode.l10n.t('Could not move report "{0}" to {1} on {2}', name, folder.name, connection.name),
      done: (count) =>
        count === 1
          ? vscode.l10n.t('1 report moved to {0}', folder.name)
          : vscode.l10n.t('{0} reports moved to {1}', count, folder.name),
    },
    ({ id }) => sendMove(server, id, folder.id),
  );
  await services.tree.refreshObjects(connection, 'library');
}

async function folderFor(
  services: CommandServices,
  connection: Connection,
  argument: unknown,
  title: string,
  list: 'folders' | 'libraryFolders',
): Promise<Named | undefined> {
  const [node] = chosenNodes(services, argument, undefined, 'folder', 'libraryRoot')?.nodes ?? [];
  if (node?.kind === 'folder') return { id: node.folderId, name: node.name };
  if (node?.kind === 'libraryRoot') return { id: node.folderId, name: libraryLabel(node.library) };
  return pickObject(connection, list, { title, placeholder: vscode.l10n.t('Folder') });
}

/** A folder without groups is seen by all; giving it groups takes it from everybody else. */
async function confirmClosing(folder: string, groups: string): Promise<boolean> {
  const restrict = vscode.l10n.t('Restrict');
  const question = vscode.l10n.t('Only members of {0} will see "{1}". Now all users see it.', groups, folder);
  return (await vscode.window.showWarningMessage(question, { modal: true }, restrict)) === restrict;
}

async function confirmOpening(folder: string): Promise<boolean> {
  const open = vscode.l10n.t('Open to All Users');
  const question = vscode.l10n.t('Without a group, all users who see the folder above will see "{0}".', folder);
  return (await vscode.window.showWarningMessage(question, { modal: true }, open)) === open;
}
