import * as vscode from 'vscode';
import { showInformationMessage, showWarningMessage } from '../../editor/messages.ts';
import { moveReport as sendMove } from '../../access/folderAccess.ts';
import { reportMoveEffect } from '../../access/folderEffect.ts';
import { noEffect, type AccessEffect } from '../../access/rows/accessEffect.ts';
import type { Connection } from '../../connections/connection.ts';
import { libraryLabel } from '../../editor/nodes/libraryNodes.ts';
import type { ItemNode } from '../../editor/nodes/treeNode.ts';
import { selectedOf, isDrop } from '../../editor/nodes/selectedNodes.ts';
import { forEachObject } from '../../editor/forEachObject.ts';
import { isWritable, pickObject } from '../../editor/pickers/objectPicks.ts';
import { pickItem } from '../../editor/pickers/pickItem.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { refreshOpenDocuments } from '../../editor/openTabs.ts';
import { attempt } from '../../editor/commandError.ts';
import { verifiedServer, type VerifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { setFavourite as setFavouriteOf } from './favourites.ts';

interface Named {
  id: string;
  name: string;
}

/** A report and its location, if known. */
interface Placed extends Named {
  folderId: string;
}

/** Moves reports to another folder. */
export async function moveReport(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  const title = vscode.l10n.t('Move Report to Folder');
  const given = isDrop(argument)
    ? selectedOf(services, argument.dropped[0], argument.dropped, 'report')
    : selectedOf(services, argument, selection, 'report');
  const found = given
    ? undefined
    : await pickItem(
        services,
        title,
        ({ outputType, mayModify }) => outputType !== 0 && mayModify,
        vscode.l10n.t('There is no report that you can move'),
      );
  const connection = given?.connection ?? found?.connection;
  const chosen: Placed[] = given?.nodes.map(placed) ?? (found ? [placed({ item: found.item })] : []);
  if (!connection || chosen.length === 0) return;
  const onto = isDrop(argument) ? argument.onto : undefined;
  // Requested together, so that the next prompt appears without delay.
  const [shown, folder] = await Promise.all([
    verifiedServer(connection, given?.nodes, onto),
    folderFor(services, connection, onto, title),
  ]);
  if (!folder) return;
  const reports = chosen.filter(({ folderId }) => folderId !== folder.id);
  if (reports.length === 0) {
    const names = chosen.map(({ name }) => name).join(', ');
    const words = vscode.l10n.t('Already in {0} on {1}: {2}', folder.name, connection.name, names);
    void showInformationMessage(words);
    // Shows whether they were moved by another user.
    return services.tree.refreshObjects(connection, 'library');
  }
  const effect = await moveEffect(connection, shown, reports, folder);
  if ((isDrop(argument) || effect.givesRows) && !(await confirmMove(reports, folder, connection.name, effect))) return;
  await forEachObject(
    services,
    {
      title: vscode.l10n.t('Moving reports to {0}', folder.name),
      items: reports,
      nameOf: ({ name }) => name,
      whatFailed: ({ name }) =>
        vscode.l10n.t('Could not move report "{0}" to {1} on {2}', name, folder.name, connection.name),
      done: ([only, ...others]) =>
        only && others.length === 0
          ? vscode.l10n.t('{0} moved to {1} on {2}', only.name, folder.name, connection.name)
          : vscode.l10n.t('{0} reports moved to {1} on {2}', others.length + 1, folder.name, connection.name),
      after: async () => {
        await services.tree.refreshObjects(connection, 'library');
        await refreshOpenDocuments(services, connection, { kind: 'report', objects: reports });
      },
    },
    async ({ id }) => sendMove(await shown.server(), id, folder.id),
  );
}

/** A report node is in its folder or among the favourites, where only some servers return the folder. */
function placed({ item, parent }: Pick<ItemNode, 'item'> & Partial<Pick<ItemNode, 'parent'>>): Placed {
  return { id: item.itemId, name: item.name, folderId: parent?.folderId || item.folderId };
}

/** Reads who sees the reports only in the other folder. Where favourites name no folder, that is not known. */
async function moveEffect(
  connection: Connection,
  shown: VerifiedServer,
  reports: readonly Placed[],
  folder: Named,
): Promise<AccessEffect> {
  const known = reports.filter(({ folderId }) => folderId !== '');
  if (known.length === 0) return noEffect;
  const what = vscode.l10n.t('Could not determine who sees the reports on {0}', connection.name);
  return attempt(what, () => shown.read((server) => reportMoveEffect(server, known, folder.id)));
}

/** Confirms a drop, like the Explorer does for files, and whatever makes reports visible to others. */
async function confirmMove(
  reports: readonly Named[],
  { name: folder }: Named,
  server: string,
  { lines }: AccessEffect,
): Promise<boolean> {
  const move = vscode.l10n.t('Move');
  const [only] = reports;
  const question =
    reports.length === 1 && only
      ? vscode.l10n.t('Move report "{0}" to {1} on {2}?', only.name, folder, server)
      : vscode.l10n.t('Move {0} reports to {1} on {2}?', reports.length, folder, server);
  const detail = [...lines, vscode.l10n.t('Everyone who can see {0} can run them there.', folder)].join('\n');
  return (await showWarningMessage(question, { modal: true, detail }, move)) === move;
}

async function folderFor(
  services: CommandServices,
  connection: Connection,
  argument: unknown,
  title: string,
): Promise<Named | undefined> {
  const [node] = selectedOf(services, argument, undefined, 'folder', 'libraryRoot')?.nodes ?? [];
  if (node?.kind === 'folder') return { id: node.folderId, name: node.name };
  if (node?.kind === 'libraryRoot') return { id: node.folderId, name: libraryLabel(node.library) };
  const question = { title, placeholder: vscode.l10n.t('Folder'), fits: isWritable };
  return pickObject(connection, 'libraryFolders', question);
}

/** Adds reports and dashboards to the account's favourites. */
export async function addFavourite(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  await setFavourite(true, services, argument, selection);
}

/** Removes reports and dashboards from the account's favourites. */
export async function removeFavourite(
  services: CommandServices,
  argument?: unknown,
  selection?: unknown,
): Promise<void> {
  await setFavourite(false, services, argument, selection);
}

async function setFavourite(
  isWanted: boolean,
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const title = isWanted ? vscode.l10n.t('Add to Favourites') : vscode.l10n.t('Remove from Favourites');
  const chosen = selectedOf(services, argument, selection, 'report', 'dashboard');
  const found = chosen ? undefined : await pickItem(services, title, ({ isFavourite }) => isFavourite !== isWanted);
  const connection = chosen?.connection ?? found?.connection;
  const items = chosen?.nodes.map(({ item }) => item) ?? (found ? [found.item] : []);
  if (!connection) return;
  const shown = await verifiedServer(connection, chosen?.nodes);
  await forEachObject(
    services,
    {
      title,
      // In a mixed selection, only those that are not in the wanted state.
      items: items.length === 1 ? items : items.filter(({ isFavourite }) => isFavourite !== isWanted),
      nameOf: ({ name }) => name,
      whatFailed: ({ name }) =>
        vscode.l10n.t('Could not change the favourites on {0} for "{1}"', connection.name, name),
      done: (worked) => doneWords(worked, connection.name, isWanted),
      after: () =>
        services.tree.refreshItems(
          connection,
          items.map(({ itemId }) => itemId),
        ),
    },
    async ({ itemId, name, outputType }) =>
      setFavouriteOf(await shown.client(), { itemId, name, isDashboard: outputType === 0 }, isWanted),
  );
}

function doneWords(changed: readonly { name: string }[], server: string, isWanted: boolean): string {
  const [only] = changed;
  if (changed.length === 1 && only)
    return isWanted
      ? vscode.l10n.t('{0} added to favourites on {1}', only.name, server)
      : vscode.l10n.t('{0} removed from favourites on {1}', only.name, server);
  return isWanted
    ? vscode.l10n.t('{0} favourites added on {1}', changed.length, server)
    : vscode.l10n.t('{0} favourites removed on {1}', changed.length, server);
}
