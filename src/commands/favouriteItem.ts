import * as vscode from 'vscode';
import { setFavourite as setFavouriteOf } from '../administration/favourites.ts';
import { isTreeNode } from '../tree/treeNode.ts';
import { attempt } from './commandError.ts';
import { pickItem, type PickedItem } from './pickItem.ts';
import type { CommandServices } from './services.ts';

/** Marks a report or dashboard as a favourite of the account. */
export async function addFavourite(services: CommandServices, argument?: unknown): Promise<void> {
  await setFavourite(true, services, argument);
}

/** Takes a report or dashboard out of the account's favourites. */
export async function removeFavourite(services: CommandServices, argument?: unknown): Promise<void> {
  await setFavourite(false, services, argument);
}

async function setFavourite(isWanted: boolean, services: CommandServices, argument: unknown): Promise<void> {
  const title = isWanted ? vscode.l10n.t('Add to Favourites') : vscode.l10n.t('Remove from Favourites');
  const picked =
    itemOf(services, argument) ?? (await pickItem(services, title, ({ isFavourite }) => isFavourite !== isWanted));
  if (!picked) return;
  const { connection, item } = picked;
  const what = vscode.l10n.t('Could not change the favourites on {0} for "{1}"', connection.name, item.name);
  const { itemId, name } = item;
  const isDashboard = item.outputType === 0;
  await attempt(what, async () => setFavouriteOf(await connection.client(), { itemId, name, isDashboard }, isWanted));
  services.tree.refreshItem(connection, item.itemId);
}

function itemOf({ connections }: CommandServices, argument: unknown): PickedItem | undefined {
  if (!isTreeNode(argument) || (argument.kind !== 'report' && argument.kind !== 'dashboard')) return undefined;
  const connection = connections.get(argument.connection.id);
  return connection && { connection, item: argument.item };
}
