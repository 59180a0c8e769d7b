import { folder } from '../../contract/resources/library.ts';
import { relationTypes } from '../../contract/resources/relation.ts';
import { report } from '../../contract/resources/report.ts';
import { fieldOf, identifierText } from '../json.ts';
import { idOf, withRevision, type ObjectKind } from '../objectKind.ts';
import { callForObject } from '../objectServer.ts';

/** Library folders and the groups they are open to. API description, Library. */
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
  read: (server, id) => callForObject(server, 'library/GetFolderById', { folderid: id }),
  template: (server) => callForObject(server, 'library/NewLibraryFolder', {}),
  save: (server, full) => {
    const isShared = fieldOf(full, 'isPersonalFolder') !== true;
    return callForObject(server, 'library/SaveLibraryFolder', withRevision({ libraryfolder: full, isShared }, full));
  },
  remove: async (server, full) => {
    await server.call('library/DelFolder', { folderid: identifierText(fieldOf(full, 'id')) ?? '' });
  },
};

/** Report definitions; what the server connects with stays out of view. API description, Reports. */
export const reportKind: ObjectKind = {
  name: 'report',
  icon: 'table',
  idField: 'ReportID',
  nameField: 'Reportname',
  authorField: 'LastModifiedBy',
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
  template: (server) => callForObject(server, 'Report/NewReport', {}),
  save: (server, full) =>
    callForObject(server, 'Report/SaveReport', withRevision({ report: full, processlinks: true }, full)),
  remove: async (server, full) => {
    await server.call('library/DelReport', { ReportId: idOf(reportKind, full) ?? '' });
  },
};
