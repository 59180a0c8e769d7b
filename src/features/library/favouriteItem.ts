import * as vscode from 'vscode';
import { setFavourite as setFavouriteOf } from './favourites.ts';
import { chosenNodes } from '../../editor/nodes/chosenNodes.ts';
import { eachObject } from '../../editor/eachObject.ts';
import { pickItem } from '../../editor/pickers/pickItem.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { shownServer } from '../../editor/pickers/shownServer.ts';

/** Marks reports and dashboards as favourites of the account. */
export async function addFavourite(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  await setFavourite(true, services, argument, selection);
}

/** Takes reports and dashboards out of the account's favourites. */
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
  const chosen = chosenNodes(services, argument, selection, 'report', 'dashboard');
  const found = chosen ? undefined : await pickItem(services, title, ({ isFavourite }) => isFavourite !== isWanted);
  const connection = chosen?.connection ?? found?.connection;
  const items = chosen?.nodes.map(({ item }) => item) ?? (found ? [found.item] : []);
  if (!connection) return;
  const shown = await shownServer(connection, chosen?.nodes);
  await eachObject(
    services,
    {
      title,
      // Of a mixed selection, those that are not as they are wanted.
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
      ? vscode.l10n.t('{0} is a favourite on {1}', only.name, server)
      : vscode.l10n.t('{0} is no favourite on {1} any more', only.name, server);
  return isWanted
    ? vscode.l10n.t('{0} favourites added on {1}', changed.length, server)
    : vscode.l10n.t('{0} favourites removed on {1}', changed.length, server);
}
