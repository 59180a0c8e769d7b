import type { LibraryItem, LibraryNode, LibraryTreeEntry } from '../../contract/resources/library.ts';
import type { Caller } from '../calls/caller.ts';
import { mayUseApplication } from '../identity/applicationRoles.ts';
import type { ApplicationNames } from '../identity/userRecords.ts';
import type { Store } from '../store/store.ts';
import { favouritesOf } from './favourites.ts';
import { visibleFolders, type VisibleFolder } from './folderRights.ts';
import { listItems, listItemsIn, reportsOfDashboard, type StoredItem } from './items.ts';
import { itemRecord, treeNode } from './libraryRecords.ts';

/** Id of the tree's Favorites entry; its items are listed like those of a folder. Ours. */
export const favouritesId = '-1';
const favouritesType = 3;

/** An item that the caller may see, with the folder it lies in. */
export interface VisibleItem {
  item: StoredItem;
  place: VisibleFolder;
}

/** The library as one caller sees it at one moment. */
export class LibraryView {
  readonly #store: Store;
  readonly #caller: Caller;
  readonly #folders: ReadonlyMap<string, VisibleFolder>;
  #visibleIds: ReadonlySet<string> | undefined;

  constructor(store: Store, caller: Caller) {
    this.#store = store;
    this.#caller = caller;
    this.#folders = visibleFolders(store, caller);
  }

  /** A folder whose content the caller may view, or undefined. */
  folder(folderId: string): VisibleFolder | undefined {
    const found = this.#folders.get(folderId);
    return found?.rights.view ? found : undefined;
  }

  /** Folders directly below one. */
  childrenOf(folderId: string): VisibleFolder[] {
    return [...this.#folders.values()].filter(({ folder }) => folder.parentId === folderId);
  }

  /** An item that the caller may see, or undefined. */
  item(itemId: string): VisibleItem | undefined {
    return this.items().find(({ item }) => item.id === itemId);
  }

  /** Items in a folder, or everywhere, that the caller may see, by name. */
  items(folderId?: string): VisibleItem[] {
    const found = folderId === undefined ? listItems(this.#store) : listItemsIn(this.#store, folderId);
    return found.flatMap((item) => {
      const place = this.folder(item.folderId);
      const isOpen = item.applicationId === null || mayUseApplication(this.#caller, item.applicationId);
      return place && isOpen ? [{ item, place }] : [];
    });
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
    const entries = rootIds.flatMap((id) => {
      const root = this.#folders.get(id);
      return root ? [{ rootnode: treeNode(root, this.#nodesBelow(id)) }] : [];
    });
    return withFavourites ? [...entries, { rootnode: favouritesNode }] : entries;
  }

  #nodesBelow(folderId: string): LibraryNode[] {
    return this.childrenOf(folderId)
      .filter(({ folder, rights }) => !folder.isHidden || rights.modify)
      .map((child) => treeNode(child, this.#nodesBelow(child.folder.id)));
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
