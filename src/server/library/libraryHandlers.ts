import { errorCodes } from '../../contract/errorCodes.ts';
import { noContent, type HandlerReply, type Handlers, type SignedInContext } from '../calls/handlers.ts';
import { refusal } from '../calls/wholeObject.ts';
import type { ApplicationNames } from '../identity/userRecords.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { extraFieldsOf } from '../store/extraFields.ts';
import { setFavourite } from './favourites.ts';
import { deleteFolder, personalLibraryOf } from './folders.ts';
import { saveFolder } from './folderSaves.ts';
import { contentOf } from './folderContent.ts';
import { deleteItem, type ListedItem } from './items.ts';
import { folderRecord, newFolder } from './libraryRecords.ts';
import { publicLibraryId } from './librarySchema.ts';
import { favouritesId, LibraryView } from './libraryView.ts';

/** What the library shows of other rooms. */
export interface LibraryParts {
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

/** Items whose name contains `words`, whatever their case. */
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

/** 0 when the report is gone, 9000 when there is none that the caller sees. API description, Library (DelReport). */
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

/** Deletes a folder with all its content, of which the caller must be allowed to delete every part. */
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
    if (!isAllDeletable) throw refusal(`${found.path} holds folders that you may not delete.`);
    deleteFolder(store, folderId);
    const affected = content.folderIds.length + content.itemCount;
    context.audit(auditSymbols.change, `deleted folder ${found.path} with ${affected} items`);
    return { returncode: 0, message: `${affected} item${affected === 1 ? '' : 's'} deleted.` };
  });
}
