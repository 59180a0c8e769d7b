import type { LibraryItem, LibraryNode, LibraryTreeEntry } from '../../contract/resources/library.ts';
import type { Caller } from '../calls/caller.ts';
import { mayUseApplication } from '../identity/applicationRoles.ts';
import type { ApplicationNames } from '../identity/userRecords.ts';
import type { Store } from '../store/store.ts';
import { favouritesOf } from './favourites.ts';
import { visibleAround, visibleFolder, visibleFolders, type VisibleFolder } from './folderRights.ts';
import { findItem, listItems, listItemsIn, reportsOfDashboard, type ListedItem } from './items.ts';
import { itemRecord, treeNode } from './libraryRecords.ts';

/** Id of the tree's Favorites entry; its items are listed like those of a folder. Ours. */
export const favouritesId = '-1';
const favouritesType = 3;

/** An item that the caller may see, with the folder it lies in. */
export interface VisibleItem {
  item: ListedItem;
  place: VisibleFolder;
}

/** The library as one caller sees it at one moment. */
export class LibraryView {
  readonly #store: Store;
  readonly #caller: Caller;
  /** Every folder that the caller may see, read when first needed: a look into one folder does without. */
  #all: ReadonlyMap<string, VisibleFolder> | undefined;
  /** What was looked up singly; undefined for what the caller may not view. */
  readonly #single = new Map<string, VisibleFolder | undefined>();
  #visibleIds: ReadonlySet<string> | undefined;

  constructor(store: Store, caller: Caller) {
    this.#store = store;
    this.#caller = caller;
  }

  get #folders(): ReadonlyMap<string, VisibleFolder> {
    return (this.#all ??= visibleFolders(this.#store, this.#caller));
  }

  /** A folder whose content the caller may view, or undefined. */
  folder(folderId: string): VisibleFolder | undefined {
    if (this.#all) {
      const found = this.#all.get(folderId);
      return found?.rights.view ? found : undefined;
    }
    if (!this.#single.has(folderId)) {
      this.#single.set(folderId, visibleFolder(this.#store, this.#caller, folderId));
    }
    return this.#single.get(folderId);
  }

  /** Whether there are folders directly in a folder. */
  hasFolders(folderId: string): boolean {
    const around = visibleAround(this.#store, this.#caller, folderId);
    return [...around.values()].some(({ folder }) => folder.parentId === folderId);
  }

  /** An item that the caller may see, or undefined. */
  item(itemId: string): VisibleItem | undefined {
    const item = findItem(this.#store, itemId);
    return item && this.#visible(item);
  }

  /** Items in a folder, or everywhere, that the caller may see, by name. */
  items(folderId?: string): VisibleItem[] {
    if (folderId === undefined) this.#all ??= visibleFolders(this.#store, this.#caller);
    const found = folderId === undefined ? listItems(this.#store) : listItemsIn(this.#store, folderId);
    return found.map((item) => this.#visible(item)).filter((item) => item !== undefined);
  }

  /** Items marked as favourites by the caller that the caller may see. */
  favourites(): VisibleItem[] {
    const marked = favouritesOf(this.#store, this.#caller.userId);
    return this.items().filter(({ item }) => marked.has(item.id));
  }

  /** Items on the wire. */
  records(items: readonly VisibleItem[], applicationNames: ApplicationNames): LibraryItem[] {
    const names = applicationNames(this.#store);
    const marked = favouritesOf(this.#store, this.#caller.userId);
    return items.map(({ item, place }) =>
      itemRecord({
        item,
        place,
        caller: this.#caller,
        applicationName: (item.applicationId !== null && names.get(item.applicationId)) || '',
        isFavourite: marked.has(item.id),
        reportIds: item.kind === 'dashboard' ? this.#visibleReportsOf(item.id) : [],
      }),
    );
  }

  /** The tree: the libraries whose roots are given, then favourites if asked for. API description, Library. */
  tree(rootIds: readonly string[], withFavourites: boolean): LibraryTreeEntry[] {
    const byParent = Map.groupBy(this.#folders.values(), ({ folder }) => folder.parentId);
    const nodesBelow = (folderId: string): LibraryNode[] =>
      (byParent.get(folderId) ?? [])
        .filter(({ folder, rights }) => !folder.isHidden || rights.modify)
        .map((child) => treeNode(child, nodesBelow(child.folder.id)));
    const entries = rootIds.flatMap((id) => {
      const root = this.#folders.get(id);
      return root ? [{ rootnode: treeNode(root, nodesBelow(id)) }] : [];
    });
    return withFavourites ? [...entries, { rootnode: favouritesNode }] : entries;
  }

  #visible(item: ListedItem): VisibleItem | undefined {
    const place = this.folder(item.folderId);
    const isOpen = item.applicationId === null || mayUseApplication(this.#caller, item.applicationId);
    return place && isOpen ? { item, place } : undefined;
  }

  #visibleReportsOf(dashboardId: string): string[] {
    this.#visibleIds ??= new Set(this.items().map(({ item }) => item.id));
    const visible = this.#visibleIds;
    return reportsOfDashboard(this.#store, dashboardId).filter((reportId) => visible.has(reportId));
  }
}

const favouritesNode: LibraryNode = {
  id: Number(favouritesId),
  text: 'Favorites',
  children: [],
  level: '0',
  isUserAdmin: false,
  isUserModify: false,
  isUserDelete: false,
  isUserView: true,
  isPublicView: false,
  libtype: favouritesType,
};
