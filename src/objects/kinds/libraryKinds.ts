import { dashboardItemType } from '../../contract/outputTypes.ts';
import { folder } from '../../contract/resources/library.ts';
import { relationTypes } from '../../contract/resources/relation.ts';
import { report } from '../../contract/resources/report.ts';
import { fieldOf, identifierText, isJsonObject, numberOrText, type Json } from '../json.ts';
import { entriesOf, idOf, withRevision, type ObjectKind } from './objectKind.ts';
import { textField, type ObjectEntry } from './objectEntry.ts';
import { callForList, callForObject } from '../objectServer.ts';

/** Library folders and the groups with access. API description, Library. */
export const folderKind: ObjectKind = {
  name: 'folder',
  icon: 'folder',
  idField: 'id',
  nameField: 'fname',
  schema: folder,
  shape: {
    hidden: ['error_code', 'error_message', 'Revision'],
    readOnly: [
      'id',
      'folderpath',
      'flevel',
      'isParent',
      'isUserAdmin',
      'isUserView',
      'isUserModify',
      'isPublicView',
      'isUserDelete',
      'isPersonalFolder',
      'isRestricted',
    ],
    fields: {
      Permissions: {
        key: 'RightID',
        isRestriction: true,
        shown: ['RightID'],
        newEntry: {
          ErrorCode: 0,
          ErrorMessage: '',
          LeftID: '',
          RightID: '',
          RelationshipType: relationTypes.folderToGroup,
          RelationType: relationTypes.folderToGroup,
          PermissionTypeEnum: 2,
        },
      },
    },
  },
  placeFields: ['isPersonalFolder'],
  folderField: 'ParentLibrary',
  read: (server, id) => callForObject(server, 'library/GetFolderById', { folderid: id }),
  list: async (server) => {
    const tree = await callForList(server, 'library/GetAllLibraryTree', { includefav: false, includePersonal: true });
    return tree.flatMap((entry) => foldersBelow(fieldOf(entry, 'rootnode'), ''));
  },
  template: async (server, parent) => {
    const folder = await callForObject(server, 'library/NewLibraryFolder', {});
    if (parent === undefined) return folder;
    const above = await callForObject(server, 'library/GetFolderById', { folderid: parent });
    const isPersonalFolder = fieldOf(above, 'isPersonalFolder') === true;
    return { ...folder, ParentLibrary: parent, isPersonalFolder };
  },
  save: (server, full) => {
    const isShared = fieldOf(full, 'isPersonalFolder') !== true;
    const isNew = [undefined, '0'].includes(idOf(folderKind, full));
    // The owner of a folder never changes, so only a new one needs it.
    const currentUserId = isNew && !isShared ? server.accountId?.() : undefined;
    const body = { libraryfolder: full, isShared, ...(currentUserId === undefined ? {} : { currentUserId }) };
    return callForObject(server, 'library/SaveLibraryFolder', withRevision(body, full));
  },
  remove: async (server, full) => {
    await server.call('library/DelFolder', { folderid: identifierText(fieldOf(full, 'id')) ?? '' });
  },
};

/** Report definitions; hides the server's connection data. API description, Reports. */
export const reportKind: ObjectKind = {
  name: 'report',
  icon: 'table',
  idField: 'ReportID',
  nameField: 'Reportname',
  authorField: 'LastModifiedBy',
  folderField: 'folderid',
  schema: report,
  shape: {
    hidden: ['ErrorCode', 'ErrorMessage', 'Revision', 'DbLogin', 'DbPass', 'DbName', 'DbDriver'],
    readOnly: ['ReportID', 'CreatedBy', 'LastModifiedBy', 'CreatedDate', 'LastModifiedDate'],
    fields: {
      CreatedBy: { shown: ['LoginName', 'FullName'] },
      LastModifiedBy: { shown: ['LoginName', 'FullName'] },
    },
  },
  read: (server, id) => callForObject(server, 'Report/GetReport', { ReportId: id, isbuilder: true }),
  // Dashboards are listed with the reports but have no definition.
  list: async (server) => {
    const items = await callForList(server, 'library/SearchReports', { searchstring: '' });
    const reports = items.filter((item) => fieldOf(item, 'itemtype') !== dashboardItemType);
    return entriesOf(server, 'library/SearchReports', reports, { id: 'id', name: 'ReportName', detail: 'folderpath' });
  },
  template: async (server, parent) => {
    const report = await callForObject(server, 'Report/NewReport', {});
    return parent === undefined ? report : { ...report, folderid: numberOrText(parent) };
  },
  save: (server, full) =>
    callForObject(server, 'Report/SaveReport', withRevision({ report: full, processlinks: true }, full)),
  saveHead: (server, full) => callForObject(server, 'Report/UpdateReport', withRevision({ report: full }, full)),
  remove: async (server, full) => {
    await server.call('library/DelReport', { ReportId: idOf(reportKind, full) ?? '' });
  },
};

/** A node of the library tree and all its descendants; the detail is the parent path. */
function foldersBelow(node: Json | undefined, above: string): ObjectEntry[] {
  if (!isJsonObject(node)) return [];
  const id = identifierText(fieldOf(node, 'id'));
  const name = textField(node, 'text');
  const path = above === '' ? name : `${above}/${name}`;
  const children = fieldOf(node, 'children');
  const below = Array.isArray(children) ? children.flatMap((child) => foldersBelow(child, path)) : [];
  return id === undefined ? below : [{ id, name, detail: above }, ...below];
}
