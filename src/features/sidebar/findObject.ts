import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { createQuickPick } from '../../editor/quickInput.ts';
import { isClientError } from '../../client/clientError.ts';
import type { Connection } from '../../connections/connection.ts';
import { kindLabel } from '../../objects/kinds/kindLabels.ts';
import { displayText } from '../../editor/displayText.ts';
import { idText } from '../../contract/idText.ts';
import type { LibraryNode } from '../../contract/resources/library.ts';
import type { DocumentTarget } from '../../editor/documentUri.ts';
import { itemFacts, outputTypeIcon } from '../../editor/nodes/libraryNodes.ts';
import { attempt, describeFailure } from '../../editor/commandError.ts';
import { listObjects, type PickList } from '../../editor/pickers/objectPicks.ts';
import { openObject } from '../../editor/nodes/objectTarget.ts';
import { activeRow, passesFilter, searchable } from '../../editor/pickers/pickItem.ts';
import type { SidebarServices } from './serversTree.ts';
import type { TreeNode } from '../../editor/nodes/treeNode.ts';
import { clearFilter } from './commands.ts';

interface Choice extends vscode.QuickPickItem {
  target?: DocumentTarget;
  /** Folder id of a dashboard. */
  folderId?: string;
}

/** Applications and dashboards have no documents: they are revealed in the sidebar. */
const applicationKind = 'application';
const dashboardKind = 'dashboard';

/** The searched lists, each with its document kind and icon. */
const lists: readonly { list: PickList; kind: string; icon: string }[] = [
  { list: 'users', kind: 'user', icon: 'account' },
  { list: 'groups', kind: 'group', icon: 'organization' },
  { list: 'dataTags', kind: 'tag', icon: 'tag' },
  { list: 'policies', kind: 'policy', icon: 'law' },
  { list: 'folders', kind: 'folder', icon: 'folder' },
  { list: 'databases', kind: 'server', icon: 'database' },
  { list: 'applications', kind: applicationKind, icon: 'package' },
];

/** Debounce delay before the servers are searched for reports. */
const pauseMs = 150;
const reportsAtMost = 100;

/**
 * Opens or reveals any object of the signed-in servers, whether or not the sidebar has loaded it. Opens its document,
 * or reveals it in the sidebar if it has none. Lists are loaded once; reports are searched by the servers while the
 * user types.
 */
export async function findObject(services: SidebarServices): Promise<void> {
  const connections = await searchable(services);
  if (connections.length === 0) return;
  const choice = await new ObjectSearch(connections, services).ask();
  const target = choice?.target;
  if (!target) return;
  const isRow = target.kind === applicationKind || target.kind === dashboardKind;
  await (isRow ? showRow(services, target, choice.folderId ?? '') : openObject(services, target));
}

/** Reveals an object without a document in the sidebar: an application, or a dashboard in its folder. */
async function showRow(services: SidebarServices, { connectionId, kind, id, name }: DocumentTarget, folderId: string) {
  const connection = services.connections.get(connectionId);
  if (!connection) return;
  const what = vscode.l10n.t('Could not find "{0}" in the sidebar of {1}', name, connection.name);
  const line = kind === dashboardKind ? await attempt(what, () => folderLine(connection, folderId)) : [];
  const steps: Step[] =
    kind === dashboardKind
      ? [
          (node) => node.kind === 'section' && node.section === 'library',
          ...line.map(
            (place): Step =>
              (node) =>
                (node.kind === 'libraryRoot' || node.kind === 'folder') && node.folderId === place,
          ),
          (node) => node.kind === dashboardKind && node.item.itemId === id,
        ]
      : [
          (node) => node.kind === 'section' && node.section === 'semanticLayer',
          (node) => node.kind === applicationKind && node.applicationId === id,
        ];
  if (await showInSidebar(services, connection, steps)) return;
  void showWarningMessage(
    vscode.l10n.t('"{0}" is not in the sidebar of {1}. Refresh the sidebar, then try again.', name, connection.name),
  );
}

/** Ids from a library down to a folder: names may be ambiguous, contain the path separator or be translated. */
async function folderLine(connection: Connection, folderId: string): Promise<string[]> {
  const client = await connection.client();
  const roots = await client.call('library/GetAllLibraryTree', { includefav: false, includePersonal: true });
  const lineTo = (node: LibraryNode): string[] => {
    const id = idText(node.id);
    if (id === folderId) return [id];
    const below = (node.children ?? []).map(lineTo).find((line) => line.length > 0);
    return below ? [id, ...below] : [];
  };
  return roots.map(({ rootnode }) => (rootnode ? lineTo(rootnode) : [])).find((line) => line.length > 0) ?? [];
}

class ObjectSearch {
  readonly #connections: readonly Connection[];
  readonly #services: Pick<SidebarServices, 'documents'>;
  readonly #pick = createQuickPick<Choice>();
  #listed: Choice[] = [];
  #reports: Choice[] = [];
  #current = new AbortController();
  #underWay = 0;

  constructor(connections: readonly Connection[], services: Pick<SidebarServices, 'documents'>) {
    this.#connections = connections;
    this.#services = services;
    this.#pick.title = vscode.l10n.t('Go to Object');
    this.#pick.placeholder = vscode.l10n.t(
      'Part of the name of a user, group, policy, report or other object on the servers',
    );
    this.#pick.matchOnDescription = true;
  }

  /** The user's choice; undefined if cancelled. */
  ask(): Promise<Choice | undefined> {
    const pick = this.#pick;
    for (const connection of this.#connections) {
      for (const { list, kind, icon } of lists) void this.#while(() => this.#list(connection, list, kind, icon));
      void this.#while(() => this.#listReportTypes(connection));
    }
    return new Promise<Choice | undefined>((resolve) => {
      pick.onDidChangeValue((value) => this.#search(value.trim()));
      pick.onDidAccept(() => {
        const choice = activeRow(pick);
        if (choice?.target) resolve(choice);
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    }).finally(() => {
      this.#current.abort();
      pick.dispose();
    });
  }

  async #list(connection: Connection, list: PickList, kind: string, icon: string): Promise<void> {
    const found = await this.#orFailure(async () => {
      const objects = await listObjects(await connection.client(), list);
      return objects.map(({ id, name, detail }) => this.#choice(connection, { kind, id, name }, detail, icon));
    });
    this.#listed.push(...found);
  }

  /** Report types are listed like documents, since their ids include their parents. */
  async #listReportTypes(connection: Connection): Promise<void> {
    const kind = 'reporttype';
    const found = await this.#orFailure(async () => {
      const types = (await (await this.#services.documents()).list(connection.id, kind)) ?? [];
      return types.map(({ id, name, detail }) =>
        this.#choice(connection, { kind, id, name: displayText(name) }, displayText(detail), 'list-tree'),
      );
    });
    this.#listed.push(...found);
  }

  /** Searches the servers for reports once the user pauses; earlier queries are dropped. */
  #search(text: string): void {
    this.#current.abort();
    const part = text.toLowerCase();
    this.#reports = part === '' ? [] : this.#reports.filter(({ label }) => label.toLowerCase().includes(part));
    this.#draw();
    if (part === '') return;
    const { signal } = (this.#current = new AbortController());
    const timer = setTimeout(() => void this.#while(() => this.#searchReports(text, signal)), pauseMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  async #searchReports(text: string, signal: AbortSignal): Promise<void> {
    const answers = await Promise.all(
      this.#connections.map((connection) =>
        this.#orFailure(async () => {
          const client = await connection.client();
          const items = await client.call('library/SearchReports', { searchstring: text }, { signal });
          const found = items.map(itemFacts).slice(0, reportsAtMost);
          return found.map(({ itemId, name, folderId, folderPath, outputType }) => {
            const isDashboard = outputType === 0;
            const object = { kind: isDashboard ? dashboardKind : 'report', id: itemId, name };
            const choice = this.#choice(connection, object, folderPath, outputTypeIcon(outputType));
            // The server matched it; the list must not filter it out.
            return { ...choice, ...(isDashboard && { folderId }), alwaysShow: true };
          });
        }),
      ),
    );
    if (!signal.aborted) this.#reports = answers.flat();
  }

  #choice(connection: Connection, object: Omit<DocumentTarget, 'connectionId'>, detail: string, icon: string): Choice {
    const server = this.#connections.length > 1 ? connection.name : '';
    return {
      label: displayText(object.name),
      // In words as well: icons are not read out.
      description: [kindLabel(object.kind), detail, server]
        .filter((part) => part !== '')
        .map(displayText)
        .join(' · '),
      iconPath: new vscode.ThemeIcon(icon),
      target: { connectionId: connection.id, ...object },
    };
  }

  /** The results, or the error in their place. Objects that the account cannot see are omitted. */
  async #orFailure(work: () => Promise<Choice[]>): Promise<Choice[]> {
    try {
      return await work();
    } catch (error) {
      if (isClientError(error, 'cancelled') || isClientError(error, 'noPermission')) return [];
      return [
        { label: displayText(describeFailure(error)), iconPath: new vscode.ThemeIcon('error'), alwaysShow: true },
      ];
    }
  }

  async #while(work: () => Promise<void>): Promise<void> {
    this.#underWay += 1;
    this.#pick.busy = true;
    await work();
    this.#underWay -= 1;
    this.#pick.busy = this.#underWay > 0;
    this.#draw();
  }

  /** Updates the items. An unchanged list is not updated: redrawing a row would lose a click or the active item. */
  #draw(): void {
    const pick = this.#pick;
    const choices = onceEach([...this.#reports, ...this.#listed]);
    if (choices.length === pick.items.length && choices.every((choice, index) => choice === pick.items[index])) return;
    const [active] = pick.activeItems;
    pick.items = choices;
    if (active && choices.includes(active) && passesFilter(active, pick.value)) pick.activeItems = [active];
  }
}

/** Removes duplicate errors: an unreachable server fails in every list, for the same reason. */
function onceEach(choices: readonly Choice[]): Choice[] {
  const told = new Set<string>();
  return choices.filter(({ target, label }) => target !== undefined || (!told.has(label) && told.add(label)));
}

/** Selects the next node on the path to a row. */
export type Step = (node: TreeNode) => boolean;

/**
 * Reveals a node of a server in the sidebar: expands the path to it, beyond the limits of long lists, and selects it.
 * @param steps each selects the next child; the first one below the server.
 * @returns whether the node was found.
 */
export async function showInSidebar(
  services: SidebarServices,
  connection: Connection,
  steps: readonly Step[],
): Promise<boolean> {
  const { tree, view } = services;
  if (tree.filter !== '') clearFilter(services);
  let node: TreeNode = tree.serverNode(connection);
  for (const step of steps) {
    const next: TreeNode | undefined = (await allRows(services, node)).find(step);
    if (!next) return false;
    node = next;
  }
  await view.reveal(node, { select: true, focus: true, expand: true });
  return true;
}

/** All rows of a parent, including the hidden ones of a long list. Only displayed rows can be revealed. */
async function allRows({ tree }: SidebarServices, place: TreeNode): Promise<readonly TreeNode[]> {
  const rows = await tree.getChildren(place);
  const more = rows.find((row) => row.kind === 'more');
  if (!more) return rows;
  await tree.showMore(more, true);
  return tree.getChildren(place);
}
