import { errorCodes } from '../../contract/errorCodes.ts';
import { noContent, type HandlerReply, type Handlers, type SignedInContext } from '../calls/handlers.ts';
import { refusal } from '../calls/wholeObject.ts';
import type { ApplicationNames } from '../identity/userRecords.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { extraFieldsOf } from '../store/extraFields.ts';
import { deleteFolder, personalLibraryOf, contentOf } from './folders.ts';
import { dashboardHandlers } from './dashboards.ts';
import { saveFolder } from './folderSaves.ts';
import { deleteItem, type ListedItem, findItem, listItems, listItemsIn, reportsOfDashboard } from './items.ts';
import { folderRecord, newFolder, itemRecord, treeNode } from './libraryRecords.ts';
import { publicLibraryId } from './librarySchema.ts';
import type { LibraryItem, LibraryNode, LibraryTreeEntry } from '../../contract/resources/library.ts';
import type { Caller } from '../calls/caller.ts';
import { mayUseApplication } from '../identity/applicationRoles.ts';
import type { Store } from '../store/store.ts';
import { visibleAround, visibleFolder, visibleFolders, type VisibleFolder } from './folderRights.ts';
import { idOf } from '../store/columns.ts';

/** Data of other rooms that the library shows. */
interface LibraryParts {
  applicationNames: ApplicationNames;
}

/** Handlers of folders, reports and dashboards in the library. API description, Library. */
export function createLibraryHandlers({ applicationNames }: LibraryParts): Handlers {
  return {
    'library/GetListByFolderID': ({ LibraryID }, { store, caller }) => {
      const view = new LibraryView(store, caller);
      if (LibraryID === favouritesId) return view.records(view.favourites(), applicationNames);
      if (!view.folder(LibraryID)) return caller.isSuperAdmin ? [] : noContent;
      return view.records(view.items(LibraryID), applicationNames);
    },
    'library/GetAllLibraryTree': (body, { store, caller, now }) => {
      const roots = [publicLibraryId];
      const isPersonalShown = body.includePersonal !== false && !caller.isGuest;
      if (isPersonalShown) roots.push(personalLibraryOf(store, caller.userId, now));
      return new LibraryView(store, caller).tree(roots, body.includefav === true);
    },
    'library/SearchReports': ({ searchstring }, { store, caller }) => {
      const view = new LibraryView(store, caller);
      return view.records(matching(view, searchstring), applicationNames);
    },
    'Dashboard/SearchDashboardList': ({ search }, { store, caller }) => {
      const view = new LibraryView(store, caller);
      const favourites = new Set(view.favourites().map(({ item }) => item.id));
      return matching(view, search ?? '')
        .filter(({ item }) => item.kind === 'dashboard')
        .map(({ item, place }) => ({
          id: Number(item.id),
          name: item.name,
          descr: item.description,
          weight: 0,
          isFav: Number(favourites.has(item.id)),
          isPersonal: Number(place.folder.kind === 'personal'),
        }));
    },
    ...dashboardHandlers,
    'library/FavDash': ({ DashboardId }, context) => mark(context, DashboardId, 'dashboard', true),
    'library/UnFavDash': ({ DashboardId }, context) => mark(context, DashboardId, 'dashboard', false),
    'library/FavReport': ({ ReportId }, context) => mark(context, ReportId, 'report', true),
    'library/UnFavReport': ({ ReportId }, context) => mark(context, ReportId, 'report', false),
    'library/DelReport': ({ ReportId }, context) => deleteReport(ReportId, context),
    'library/NewLibraryFolder': () => newFolder,
    'library/SaveLibraryFolder': saveFolder,
    'library/GetFolderById': ({ folderid }, { store, caller }) => {
      const view = new LibraryView(store, caller);
      const found = view.folder(folderid);
      if (found) return folderRecord(found, view.hasFolders(folderid), extraFieldsOf(store, 'folder', folderid));
      if (caller.isSuperAdmin) throw refusal(`There is no folder with the id ${folderid}.`);
      return noContent;
    },
    'library/DelFolder': ({ folderid }, context) => removeFolder(folderid, context),
  };
}

/** Items whose name contains `words`, ignoring case. */
function matching(view: LibraryView, words: string) {
  const wanted = words.trim().toLocaleLowerCase();
  return view.items().filter(({ item }) => item.name.toLocaleLowerCase().includes(wanted));
}

function mark(context: SignedInContext, itemId: string, kind: ListedItem['kind'], isFavourite: boolean): HandlerReply {
  const { store, caller } = context;
  const found = new LibraryView(store, caller).item(itemId);
  if (caller.isGuest || found?.item.kind !== kind) return noContent;
  setFavourite(store, caller.userId, itemId, isFavourite);
  return 1;
}

/**
 * 0 when the report was deleted, 9000 when there is none that the caller sees. API description, Library (DelReport).
 */
function deleteReport(reportId: string, context: SignedInContext): HandlerReply {
  const { store, caller } = context;
  const found = new LibraryView(store, caller).item(reportId);
  if (found?.item.kind !== 'report') return errorCodes.unexpected;
  if (!found.place.rights.delete) return noContent;
  store.transaction(() => {
    deleteItem(store, reportId);
    context.audit(auditSymbols.change, `deleted report ${found.place.path}/${found.item.name}`);
  });
  return 0;
}

/** Deletes a folder with all its content; the caller must have the right to delete every part of it. */
function removeFolder(folderId: string, context: SignedInContext): HandlerReply {
  const { store, caller } = context;
  return store.transaction(() => {
    const view = new LibraryView(store, caller);
    const found = view.folder(folderId);
    if (!found) {
      if (caller.isSuperAdmin) throw refusal(`There is no folder with the id ${folderId}.`);
      return noContent;
    }
    if (found.folder.parentId === null) throw refusal(`${found.folder.name} is built in and cannot be deleted.`);
    if (!found.rights.delete) return noContent;
    const content = contentOf(store, folderId);
    const isAllDeletable = content.folderIds.every((id) => view.folder(id)?.rights.delete);
    if (!isAllDeletable) throw refusal(`${found.path} contains folders that you may not delete.`);
    deleteFolder(store, folderId);
    const affected = content.folderIds.length + content.itemCount;
    context.audit(auditSymbols.change, `deleted folder ${found.path} with ${affected} items`);
    return { returncode: 0, message: `${affected} item${affected === 1 ? '' : 's'} deleted.` };
  });
}

/** Id of the tree's Favorites entry, whose items are listed like those of a folder. Our choice. */
const favouritesId = '-1';
const favouritesType = 3;

/** An item that the caller may see, with its folder. */
interface VisibleItem {
  item: ListedItem;
  place: VisibleFolder;
}

/** The library as one caller sees it during one call. */
class LibraryView {
  readonly #store: Store;
  readonly #caller: Caller;
  /** Every folder that the caller may see, loaded on first use: opening a single folder does not need it. */
  #all: ReadonlyMap<string, VisibleFolder> | undefined;
  /** Folders looked up one by one; undefined for those that the caller may not view. */
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

  /** Whether a folder has subfolders. */
  hasFolders(folderId: string): boolean {
    const around = visibleAround(this.#store, this.#caller, folderId);
    return [...around.values()].some(({ folder }) => folder.parentId === folderId);
  }

  /** An item that the caller may see, or undefined. */
  item(itemId: string): VisibleItem | undefined {
    const item = findItem(this.#store, itemId);
    return item && this.#visible(item);
  }

  /** Items that the caller may see, in one folder or all, by name. */
  items(folderId?: string): VisibleItem[] {
    if (folderId === undefined) this.#all ??= visibleFolders(this.#store, this.#caller);
    const found = folderId === undefined ? listItems(this.#store) : listItemsIn(this.#store, folderId);
    return found.map((item) => this.#visible(item)).filter((item) => item !== undefined);
  }

  /** The caller's favourites that the caller may see. */
  favourites(): VisibleItem[] {
    const marked = favouritesOf(this.#store, this.#caller.userId);
    return this.items().filter(({ item }) => marked.has(item.id));
  }

  /** Items in their wire form. */
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

  /** The tree: the libraries of the given roots, then favourites if requested. API description, Library. */
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

/** Ids of a user's favourite reports and dashboards. */
function favouritesOf(store: Store, userId: string): ReadonlySet<string> {
  const rows = store.all('SELECT item_id FROM favourite WHERE user_id = ?', userId);
  return new Set(rows.map((row) => idOf(row, 'item_id')));
}

/** Adds or removes an item from a user's favourites. */
function setFavourite(store: Store, userId: string, itemId: string, isFavourite: boolean): void {
  const sql = isFavourite
    ? 'INSERT OR IGNORE INTO favourite (user_id, item_id) VALUES (?, ?)'
    : 'DELETE FROM favourite WHERE user_id = ? AND item_id = ?';
  store.run(sql, userId, itemId);
}
