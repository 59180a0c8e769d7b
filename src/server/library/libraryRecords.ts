import type { Folder, LibraryItem, LibraryNode } from '../../contract/resources/library.ts';
import { libraryTypes } from '../../contract/resources/library.ts';
import { relationTypes, type Relation } from '../../contract/resources/relation.ts';
import type { Caller } from '../calls/caller.ts';
import { utcTimestamp } from '../calls/timestamps.ts';
import { applicationRoleIds, mayUseApplication } from '../identity/applicationRoles.ts';
import type { ExtraFields } from '../store/extraFields.ts';
import type { VisibleFolder } from './folderRights.ts';
import type { ListedItem } from './items.ts';

/** `PermissionTypeEnum` of a folder's relation to a group. API description, Relation entry. */
const folderPermission = 2;

/** Listed fields of a folder that are stored as sent. */
export const keptFolderFields = ['fmodtype', 'Application'] as const;

/** A folder in its wire form, including fields that are stored as sent. API description, Library folder. */
export function folderRecord(
  { folder, rights, isPublic, path, depth }: VisibleFolder,
  hasChildren: boolean,
  extra: ExtraFields,
): Folder {
  return {
    fmodtype: null,
    Application: null,
    ...extra,
    error_code: 0,
    error_message: '',
    id: Number(folder.id),
    fname: folder.name,
    ParentLibrary: folder.parentId,
    folderpath: path,
    flevel: String(depth),
    isParent: hasChildren,
    isHidden: folder.isHidden,
    InheritPermissions: folder.inherits,
    Permissions: folder.groupIds.map((groupId) => groupPermission(folder.id, groupId)),
    isUserAdmin: rights.admin,
    isUserView: rights.view,
    isUserModify: rights.modify,
    isPublicView: isPublic,
    isUserDelete: rights.delete,
    isPersonalFolder: folder.kind === 'personal',
    isRestricted: folder.isRestricted,
    Revision: folder.revision,
  };
}

/** Template of a new folder. API description, Library folder. */
export const newFolder: Folder = {
  error_code: 0,
  error_message: '',
  id: 0,
  fname: 'New Folder',
  ParentLibrary: null,
  folderpath: null,
  flevel: null,
  fmodtype: null,
  isParent: false,
  isHidden: false,
  InheritPermissions: true,
  Permissions: [],
  Application: null,
  isUserAdmin: false,
  isUserView: false,
  isUserModify: false,
  isPublicView: false,
  isUserDelete: false,
  isPersonalFolder: false,
  isRestricted: false,
};

/** A folder as a node of the tree. API description, Library tree entry. */
export function treeNode({ folder, rights, isPublic, depth }: VisibleFolder, children: LibraryNode[]): LibraryNode {
  return {
    id: Number(folder.id),
    text: folder.name,
    children,
    level: String(depth),
    isUserAdmin: rights.admin,
    isUserModify: rights.modify,
    isUserDelete: rights.delete,
    isUserView: rights.view,
    isPublicView: isPublic,
    libtype: libraryTypes[folder.kind],
  };
}

/** A report or dashboard to write, with data from outside the item. */
export interface ItemFacts {
  item: ListedItem;
  place: VisibleFolder;
  caller: Caller;
  applicationName: string;
  isFavourite: boolean;
  /** Reports of a dashboard. */
  reportIds: readonly string[];
}

/** A report or dashboard in a listing. API description, Library item. */
export function itemRecord({ item, place, caller, applicationName, isFavourite, reportIds }: ItemFacts): LibraryItem {
  const { applicationId } = item;
  const isDashboard = item.kind === 'dashboard';
  const holds = (roleId: string) => applicationId !== null && mayUseApplication(caller, applicationId, [roleId]);
  return {
    id: Number(item.id),
    ReportName: item.name,
    ReportType: item.reportType,
    AppDisplayName: applicationName,
    ModType: item.modType,
    Description: item.description,
    Application: applicationName,
    folderid: Number(item.folderId),
    folderpath: place.path,
    Published: place.folder.kind === 'public' ? 'True' : 'False',
    PluginId: 0,
    error_code: 0,
    error_message: null,
    CreatedDate: utcTimestamp(item.created),
    LastModified: utcTimestamp(item.modified),
    CreatedBy: item.createdBy?.loginName ?? '',
    ModifiedBy: item.modifiedBy?.loginName ?? '',
    Permissions: [],
    isUserAdmin: place.rights.admin,
    isUserView: place.rights.view,
    isUserModify: place.rights.modify,
    isUserDelete: place.rights.delete,
    isUserArchitect: holds(applicationRoleIds.architect),
    isUserBuilder: holds(applicationRoleIds.builder),
    isUserAgent: holds(applicationRoleIds.agent),
    isPublicView: place.isPublic,
    isEmbedable: true,
    isPrivate: place.folder.kind === 'personal',
    isFav: isFavourite,
    // A report's data grid is 1 in listings, since 0 means a dashboard there.
    itemtype: isDashboard ? 0 : item.outputType || 1,
    itemsubtype: null,
    index: 0,
    item_flags: isDashboard ? JSON.stringify({ reports: reportIds.map(Number) }) : null,
  };
}

function groupPermission(folderId: string, groupId: string): Relation {
  const options = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`Option${index + 1}`, '']));
  return {
    ErrorCode: 0,
    ErrorMessage: '',
    LeftID: folderId,
    RightID: groupId,
    RelationshipType: relationTypes.folderToGroup,
    RelationType: relationTypes.folderToGroup,
    ...options,
    PermissionTypeEnum: folderPermission,
  };
}
