import * as vscode from 'vscode';
import { createQuickPick } from '../quickInput.ts';
import { isClientError } from '../../client/clientError.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../displayText.ts';
import { itemFacts, outputTypeIcon } from '../nodes/libraryNodes.ts';
import type { ItemFacts } from '../nodes/nodeFacts.ts';
import { attempt, describeFailure } from '../commandError.ts';
import { serverOf } from './pickServer.ts';
import type { CommandServices } from '../commands/services.ts';
import { signIn } from './signIn.ts';

/** A library item picked by search. */
export interface PickedItem {
  connection: Connection;
  item: ItemFacts;
}

interface Choice extends vscode.QuickPickItem {
  found?: PickedItem;
}

/** What to search for, and the message if nothing is found. */
interface Wanted {
  readonly fits: (item: ItemFacts) => boolean;
  readonly noneFits: string;
}

/** Debounce delay before the servers are searched. */
const pauseMs = 150;
/** The list is for choosing, not for reading: type more to narrow it. */
const shownAtMost = 200;

/**
 * Asks for a library item by name; searches all signed-in servers while the user types.
 * @param fits filters out items that the command does not apply to.
 * @param noneFits shown if no result passes the filter.
 * @returns undefined if cancelled.
 */
export async function pickItem(
  services: CommandServices,
  title: string,
  fits: (item: ItemFacts) => boolean,
  noneFits = vscode.l10n.t('Nothing here yet'),
): Promise<PickedItem | undefined> {
  const connections = await searchable(services);
  if (connections.length === 0) return undefined;
  const pick = createQuickPick<Choice>();
  pick.title = title;
  pick.placeholder = placeholder(connections);
  pick.matchOnDescription = true;
  const search = new ItemSearch(connections, { fits, noneFits }, pick);
  return new Promise<PickedItem | undefined>((resolve) => {
    pick.onDidChangeValue((value) => search.ask(value, pauseMs));
    pick.onDidAccept(() => {
      const picked = activeRow(pick)?.found;
      if (picked) resolve(picked);
    });
    pick.onDidHide(() => resolve(undefined));
    pick.show();
    search.ask('', 0);
  }).finally(() => {
    search.cancel();
    pick.dispose();
  });
}

/**
 * The row that is accepted in a list whose items change while it is open. The editor reports selected rows by index:
 * while new items are being sent to it, the selection could refer to a different row or none. The active row was
 * reported before the change. Where none was reported, it can only be the one that the list shows.
 */
export function activeRow<T extends vscode.QuickPickItem>({
  activeItems,
  items,
  value,
}: vscode.QuickPick<T>): T | undefined {
  const [active] = activeItems;
  if (active) return active;
  const [only, other] = items.filter((item) => passesFilter(item, value));
  return other ? undefined : only;
}

/**
 * Whether a list shows a row for a text in its box. One that it filters out must not be made active: Enter would then take
 * no row.
 */
export function passesFilter(
  { label, description = '', alwaysShow = false }: vscode.QuickPickItem,
  text: string,
): boolean {
  return alwaysShow || [label, description].some((words) => words.toLowerCase().includes(text.trim().toLowerCase()));
}

/** The search behind the list: one query at a time, the latest; results of older ones are dropped. */
class ItemSearch {
  readonly #connections: readonly Connection[];
  readonly #wanted: Wanted;
  readonly #pick: vscode.QuickPick<Choice>;
  #current = new AbortController();

  constructor(connections: readonly Connection[], wanted: Wanted, pick: vscode.QuickPick<Choice>) {
    this.#connections = connections;
    this.#wanted = wanted;
    this.#pick = pick;
  }

  /** Searches the servers after `delayMs`, unless the query changes first. */
  ask(text: string, delayMs: number): void {
    this.cancel();
    const { signal } = (this.#current = new AbortController());
    this.#pick.busy = true;
    const timer = setTimeout(() => void this.#answer(text.trim(), signal), delayMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  cancel(): void {
    this.#current.abort();
  }

  async #answer(text: string, signal: AbortSignal): Promise<void> {
    const answers = await Promise.all(this.#connections.map((connection) => this.#searchOn(connection, text, signal)));
    if (signal.aborted) return;
    const choices = answers.flat();
    this.#pick.items =
      choices.length > 0
        ? choices
        : [{ label: text === '' ? this.#wanted.noneFits : nothingFound(text), alwaysShow: true }];
    this.#pick.busy = false;
  }

  async #searchOn(connection: Connection, text: string, signal: AbortSignal): Promise<Choice[]> {
    try {
      const client = await connection.client();
      const items = await client.call('library/SearchReports', { searchstring: text }, { signal });
      const fitting = items.map(itemFacts).filter(this.#wanted.fits).slice(0, shownAtMost);
      return fitting.map((item) => this.#choice(connection, item));
    } catch (error) {
      if (isClientError(error, 'cancelled')) return [];
      return [
        { label: displayText(describeFailure(error)), iconPath: new vscode.ThemeIcon('error'), alwaysShow: true },
      ];
    }
  }

  #choice(connection: Connection, item: ItemFacts): Choice {
    const server = this.#connections.length > 1 ? connection.name : '';
    return {
      label: displayText(item.name),
      description: [item.folderPath, server]
        .filter((part) => part !== '')
        .map(displayText)
        .join(' · '),
      iconPath: new vscode.ThemeIcon(outputTypeIcon(item.outputType)),
      // The server matched it; the list must not filter it out.
      alwaysShow: true,
      found: { connection, item },
    };
  }
}

/** The servers to search: all signed-in ones, otherwise one that the user signs in to; none if cancelled. */
export async function searchable(services: CommandServices): Promise<Connection[]> {
  const active = services.connections.list().filter(({ state }) => state.kind === 'active');
  if (active.length > 0) return active;
  const connection = await serverOf(undefined, services, vscode.l10n.t('Select the server to search'));
  if (!connection) return [];
  await attempt(vscode.l10n.t('Could not reach {0}', connection.name), () => connection.client());
  const isReady = connection.state.kind === 'active' || (await signIn(connection));
  return isReady ? [connection] : [];
}

function placeholder(connections: readonly Connection[]): string {
  const [only] = connections;
  return connections.length === 1 && only
    ? vscode.l10n.t('Enter part of a name to search on {0}', only.name)
    : vscode.l10n.t('Enter part of a name to search on {0} servers', connections.length);
}

function nothingFound(text: string): string {
  return vscode.l10n.t('Nothing found for "{0}"', displayText(text));
}
