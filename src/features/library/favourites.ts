import type { AnalyticsClient } from '../../client/client.ts';
import { writeOnce } from '../../client/writes/writes.ts';
import { WriteNotDone } from '../../client/writes/writeVerdict.ts';
import { idText } from '../../contract/idText.ts';
import * as l10n from '../../l10n/l10n.ts';

/** A report or dashboard in the tree. */
export interface FavouriteItem {
  readonly itemId: string;
  /** Display name: cleaned and possibly truncated. */
  readonly name: string;
  readonly isDashboard: boolean;
}

/**
 * Adds an item to the account's favourites, or removes it, and verifies the result: the reply only confirms that the
 * server accepted the request. API description, Library (FavReport, UnFavReport, FavDash, UnFavDash).
 * @param pauses in ms, before each check of the outcome of a call whose reply was lost.
 * @throws {ClientError} if the server refuses, or accepts the change but its search does not show it; of kind
 * unknownOutcome if its reply was lost and its search does not show the change.
 */
export async function setFavourite(
  client: AnalyticsClient,
  item: FavouriteItem,
  isWanted: boolean,
  pauses?: readonly number[],
): Promise<void> {
  const traces = {
    kind: 'change' as const,
    object: isWanted ? l10n.t('the favourite "{0}"', item.name) : l10n.t('removing the favourite "{0}"', item.name),
    read: (signal?: AbortSignal) => findFlag(client, item, signal),
    idOf: () => item.itemId,
    hasContent: (isFavourite: boolean) => isFavourite === isWanted,
  };
  const confirm = async (_outcome: unknown, signal: AbortSignal | undefined) => {
    if ((await findFlag(client, item, signal))[0] === isWanted) return;
    const { name: server } = client.target;
    throw new WriteNotDone(l10n.t('{0} accepted the change, but its search does not show the change.', server), {
      server,
    });
  };
  if (item.isDashboard) {
    const path = isWanted ? 'library/FavDash' : 'library/UnFavDash';
    return writeOnce(client, { ...traces, path, body: { DashboardId: item.itemId } }, confirm, { pauses });
  }
  const path = isWanted ? 'library/FavReport' : 'library/UnFavReport';
  return writeOnce(client, { ...traces, path, body: { ReportId: item.itemId } }, confirm, { pauses });
}

/** Whether the item is currently a favourite; searches by its display name, then all items; empty if not found. */
async function findFlag(client: AnalyticsClient, item: FavouriteItem, signal?: AbortSignal): Promise<boolean[]> {
  const [first] = await search(client, item, item.name, signal);
  if (first !== undefined) return [first];
  return search(client, item, '', signal);
}

async function search(
  client: AnalyticsClient,
  { itemId, isDashboard }: FavouriteItem,
  text: string,
  signal: AbortSignal | undefined,
): Promise<boolean[]> {
  const options = signal ? { signal } : {};
  const found = isDashboard
    ? await client.call('Dashboard/SearchDashboardList', { search: text }, options)
    : (await client.call('library/SearchReports', { searchstring: text }, options)).filter(
        ({ itemtype }) => itemtype !== 0,
      );
  return found.filter(({ id }) => idText(id) === itemId).map(({ isFav }) => isFav === true || isFav === 1);
}
