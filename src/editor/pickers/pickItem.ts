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

/** A library item that the user looked up. */
export interface PickedItem {
  connection: Connection;
  item: ItemFacts;
}

interface Choice extends vscode.QuickPickItem {
  found?: PickedItem;
}

/** What a search is for, and what to say when there is none of it. */
interface Wanted {
  readonly fits: (item: ItemFacts) => boolean;
  readonly noneFits: string;
}

/** Pause in typing after which the servers are asked. */
const pauseMs = 150;
/** The list is for choosing, not for reading: who finds more types more. */
const shownAtMost = 200;

/**
 * Lets the user look up a library item by name on every server that is signed in, searching there while they type.
 * @param fits leaves out items that the command has no use for.
 * @param noneFits what the list says when the servers show nothing that fits.
 * @returns undefined when the user gave up.
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
 * The row that is accepted in a list that changes while it is open. The editor tells of rows by their number: what it selects
 * while new rows are on their way to it would be another row of these, or none. The active row was told of before they were.
 */
export function activeRow<T extends vscode.QuickPickItem>(pick: vscode.QuickPick<T>): T | undefined {
  return pick.activeItems[0];
}

/** The search behind the list: one question at a time, the latest; older answers are dropped. */
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

  /** Asks the servers after `delayMs`, unless something else is asked before. */
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
      // The server found it; the list must not hide it for another reason.
      alwaysShow: true,
      found: { connection, item },
    };
  }
}

/** The servers to search: all that are signed in, else one that the user signs in to now; none when the user gave up. */
export async function searchable(services: CommandServices): Promise<Connection[]> {
  const active = services.connections.list().filter(({ state }) => state.kind === 'active');
  if (active.length > 0) return active;
  const connection = await serverOf(undefined, services, vscode.l10n.t('Search on which server?'));
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
