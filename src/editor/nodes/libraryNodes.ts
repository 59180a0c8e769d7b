import type { DashboardEntry, LibraryItem, LibraryNode, LibraryTreeEntry } from '../../contract/resources/library.ts';
import { dashboardItemType } from '../../contract/outputTypes.ts';
import { reportsInFlags } from '../../contract/dashboardFlags.ts';
import * as l10n from '../../l10n/l10n.ts';
import { displayText } from '../displayText.ts';
import { idText } from '../../contract/idText.ts';
import type { ItemFacts } from './nodeFacts.ts';
import type { FolderNode, ItemNode, LibraryName, LibraryRootNode, SectionNode, TreeNode } from './treeNode.ts';

/** `libtype` of the public and the personal library; another entry holds the favourites. */
const libraryTypes: Readonly<Record<number, LibraryName>> = { 1: 'public', 2: 'personal' };

/** The three libraries of a server; Favourites is included even if the server does not list it. */
export function libraryRoots(parent: SectionNode, entries: readonly LibraryTreeEntry[]): LibraryRootNode[] {
  const roots = new Map<LibraryName, LibraryRootNode>();
  for (const { rootnode } of entries) {
    const library = libraryTypes[rootnode?.libtype ?? 0];
    if (!rootnode || !library || roots.has(library)) continue;
    roots.set(library, rootNode(parent, library, idText(rootnode.id), rootnode.children ?? []));
  }
  roots.set('favourites', rootNode(parent, 'favourites', '', []));
  return [...roots.values()];
}

/** Subfolders of a library or folder, sorted by name. */
export function folderNodes(parent: LibraryRootNode | FolderNode): FolderNode[] {
  const { connection } = parent;
  return parent.folders
    .map((folder): FolderNode => {
      const folderId = idText(folder.id);
      return {
        kind: 'folder',
        id: folderNodeId(connection.id, folderId),
        connection,
        parent,
        folderId,
        name: nameOf(folder),
        isPersonal: parent.kind === 'folder' ? parent.isPersonal : parent.library === 'personal',
        isReadOnly: folder.isUserModify === false,
        mayDelete: folder.isUserDelete !== false,
        mayScope: folder.isUserAdmin !== false,
        folders: folder.children ?? [],
      };
    })
    .sort(byName);
}

/** Node id of a folder, independent of its location. */
export function folderNodeId(connectionId: string, folderId: string): string {
  return `${connectionId}/folder/${folderId}`;
}

/** Reports and dashboards of a listing below `parent`, sorted by name. */
export function itemNodes(parent: LibraryRootNode | FolderNode, items: readonly ItemFacts[]): ItemNode[] {
  const { connection } = parent;
  return items
    .map((item): ItemNode => {
      const kind = item.outputType === dashboardItemType ? 'dashboard' : 'report';
      return { kind, id: `${parent.id}/${kind}/${item.itemId}`, connection, parent, item };
    })
    .sort((a, b) => compareNames(a.item.name, b.item.name));
}

/** The cached facts of a library item. */
export function itemFacts(item: LibraryItem): ItemFacts {
  const itemId = idText(item.id);
  return {
    itemId,
    name: displayText(item.ReportName) || itemId,
    description: displayText(item.Description),
    reportType: displayText(item.ReportType),
    application: displayText(item.AppDisplayName || item.Application),
    folderId: idText(item.folderid),
    folderPath: displayText(item.folderpath),
    modified: item.LastModified ?? '',
    modifiedBy: displayText(item.ModifiedBy),
    outputType: item.itemtype ?? 1,
    isFavourite: item.isFav === true,
    mayModify: item.isUserModify !== false,
    mayDelete: item.isUserDelete !== false,
    ...(item.itemtype === dashboardItemType && { hasDocument: reportsInFlags(item.item_flags) !== undefined }),
  };
}

/** The cached facts of a dashboard from a search. */
export function dashboardFacts(entry: DashboardEntry): ItemFacts {
  const itemId = idText(entry.id);
  return {
    itemId,
    name: displayText(entry.name) || itemId,
    description: displayText(entry.descr),
    reportType: '',
    application: '',
    folderId: '',
    folderPath: '',
    modified: '',
    modifiedBy: '',
    outputType: dashboardItemType,
    isFavourite: isOn(entry.isFav),
    mayModify: false,
    mayDelete: false,
  };
}

/** Favourites in the results of both searches; the library search may include dashboards. */
export function favouriteItems(items: readonly LibraryItem[], dashboards: readonly DashboardEntry[]): ItemFacts[] {
  const found = items.map(itemFacts).filter((item) => item.isFavourite);
  const known = new Set(found.filter((item) => item.outputType === dashboardItemType).map((item) => item.itemId));
  const others = dashboards.map(dashboardFacts).filter((entry) => entry.isFavourite && !known.has(entry.itemId));
  return [...found, ...others];
}

/** Whether a flag is set, which releases write as a number or a boolean. */
function isOn(flag: number | boolean | null | undefined): boolean {
  return flag === true || flag === 1;
}

function rootNode(
  parent: SectionNode,
  library: LibraryName,
  folderId: string,
  folders: readonly LibraryNode[],
): LibraryRootNode {
  const { connection } = parent;
  return { kind: 'libraryRoot', id: `${parent.id}/${library}`, connection, parent, library, folderId, folders };
}

function nameOf(folder: LibraryNode): string {
  return displayText(folder.text) || idText(folder.id);
}

function byName(a: { name: string }, b: { name: string }): number {
  return compareNames(a.name, b.name);
}

let collator: Intl.Collator | undefined;

/** Compares names for sorting: locale-aware, with numeric collation. */
export function compareNames(a: string, b: string): number {
  // Created on first use: it takes some milliseconds, which would delay activation.
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}

/** Whether a node is a library or folder, which contain items. */
export function holdsItems(node: TreeNode): node is LibraryRootNode | FolderNode {
  return node.kind === 'libraryRoot' || node.kind === 'folder';
}

/** Display name of a library. */
export function libraryLabel(library: LibraryName): string {
  switch (library) {
    case 'public':
      return l10n.t('Public');
    case 'personal':
      return l10n.t('Personal');
    case 'favourites':
      return l10n.t('Favourites');
  }
}

/** Codicon of each output type (`itemtype` of a library item); 0 is a dashboard. API description, Output types. */
const icons: Readonly<Record<number, string>> = {
  0: 'dashboard',
  1: 'table',
  2: 'graph',
  3: 'symbol-numeric',
  4: 'pulse',
  6: 'pie-chart',
  7: 'graph-scatter',
  8: 'list-tree',
  9: 'layout',
  10: 'globe',
  11: 'graph-left',
  12: 'group-by-ref-type',
  13: 'type-hierarchy-sub',
  14: 'graph-line',
};

/** Codicon of an output type; a grid for types unknown to this release. */
export function outputTypeIcon(outputType: number): string {
  return icons[outputType] ?? 'table';
}
