import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { idText } from '../contract/idText.ts';
import { isOn } from '../tree/libraryNodes.ts';
import type { ItemFacts } from '../tree/nodeFacts.ts';
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
  await attempt(what, () => send(connection, item, isWanted));
  services.tree.refreshItem(connection, item.itemId);
}

function itemOf({ connections }: CommandServices, argument: unknown): PickedItem | undefined {
  if (!isTreeNode(argument) || (argument.kind !== 'report' && argument.kind !== 'dashboard')) return undefined;
  const connection = connections.get(argument.connection.id);
  return connection && { connection, item: argument.item };
}

/** Sends the change and reads it back: the reply's number says only that it was accepted. API description, Library. */
async function send(connection: Connection, item: ItemFacts, isWanted: boolean): Promise<void> {
  const client = await connection.client();
  const { itemId, name } = item;
  if (item.outputType === 0) {
    await client.call(isWanted ? 'library/FavDash' : 'library/UnFavDash', { DashboardId: itemId });
    const found = await searched(
      name,
      (search) => client.call('Dashboard/SearchDashboardList', { search }),
      ({ id }) => idText(id) === itemId,
    );
    return confirm(found?.isFav, isWanted);
  }
  await client.call(isWanted ? 'library/FavReport' : 'library/UnFavReport', { ReportId: itemId });
  const found = await searched(
    name,
    (searchstring) => client.call('library/SearchReports', { searchstring }),
    (entry) => entry.itemtype !== 0 && idText(entry.id) === itemId,
  );
  confirm(found?.isFav, isWanted);
}

/** An item by the name that is shown for it, else among all: what is shown leaves out what cannot be seen, and is cut. */
async function searched<T>(
  name: string,
  search: (text: string) => Promise<readonly T[]>,
  isIt: (entry: T) => boolean,
): Promise<T | undefined> {
  return (await search(name)).find(isIt) ?? (await search('')).find(isIt);
}

function confirm(flag: number | boolean | null | undefined, isWanted: boolean): void {
  if (isOn(flag) === isWanted) return;
  throw new Error(vscode.l10n.t('The server accepted the change, but its search does not show it.'));
}
