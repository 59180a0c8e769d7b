import * as z from 'zod';
import { anyList, errorCode, flag, identifier, integer, listOf, text, timestamp } from '../fields.ts';
import { relation } from './relation.ts';

/**
 * Library folder with its group permissions; without any, it is visible to All Users. API description, Library folder.
 */
export const folder = z.looseObject({
  error_code: errorCode,
  error_message: text,
  id: identifier,
  fname: text,
  ParentLibrary: z.union([z.string(), z.number()]).nullish(),
  folderpath: text,
  flevel: text,
  fmodtype: text,
  isParent: flag,
  isHidden: flag,
  InheritPermissions: flag,
  Permissions: listOf(relation),
  Application: text,
  isUserAdmin: flag,
  isUserView: flag,
  isUserModify: flag,
  isPublicView: flag,
  isUserDelete: flag,
  isPersonalFolder: flag,
  isRestricted: flag,
});

/** Folder of the library tree. API description, Library tree entry. */
export interface LibraryNode {
  id?: number | string | null;
  text?: string | null;
  children?: LibraryNode[] | null;
  level?: string | null;
  libtype?: number | null;
  isUserAdmin?: boolean | null;
  isUserModify?: boolean | null;
  isUserDelete?: boolean | null;
  isUserView?: boolean | null;
  isPublicView?: boolean | null;
  [key: string]: unknown;
}

export const libraryNode: z.ZodType<LibraryNode> = z.looseObject({
  id: identifier,
  text,
  get children() {
    return z.array(libraryNode).nullish();
  },
  level: text,
  libtype: integer,
  isUserAdmin: flag,
  isUserModify: flag,
  isUserDelete: flag,
  isUserView: flag,
  isPublicView: flag,
});

/** Values of a tree entry's `libtype`. */
export const libraryTypes = { public: 1, personal: 2 } as const;

/** One root of the library: public, personal or favourites. API description, Library tree entry. */
export const libraryTreeEntry = z.looseObject({ rootnode: libraryNode.nullish() });

/** Report or dashboard in a listing; `itemtype` 0 is a dashboard. API description, Library item. */
export const libraryItem = z.looseObject({
  id: identifier,
  ReportName: text,
  ReportType: text,
  AppDisplayName: text,
  ModType: text,
  Description: text,
  Application: text,
  folderid: identifier,
  folderpath: text,
  Published: text,
  PluginId: integer,
  error_code: errorCode,
  error_message: text,
  CreatedDate: timestamp,
  LastModified: timestamp,
  CreatedBy: text,
  ModifiedBy: text,
  Permissions: anyList,
  isUserAdmin: flag,
  isUserView: flag,
  isUserModify: flag,
  isUserDelete: flag,
  isUserArchitect: flag,
  isUserBuilder: flag,
  isUserAgent: flag,
  isPublicView: flag,
  isEmbedable: flag,
  isPrivate: flag,
  isFav: flag,
  itemtype: integer,
  itemsubtype: text,
  index: integer,
  item_flags: text,
});

/** Dashboard found by search; `isFav` and `isPersonal` are 1 or 0. API description, Dashboard search entry. */
export const dashboardEntry = z.looseObject({
  id: identifier,
  name: text,
  descr: text,
  weight: integer,
  isFav: z.union([z.number(), z.boolean()]).nullish(),
  isPersonal: z.union([z.number(), z.boolean()]).nullish(),
});

/** Reply of DelFolder and of the licence refresh. */
export const returnMessage = z.looseObject({ returncode: errorCode, message: text });

export type Folder = z.infer<typeof folder>;
export type LibraryTreeEntry = z.infer<typeof libraryTreeEntry>;
export type LibraryItem = z.infer<typeof libraryItem>;
export type DashboardEntry = z.infer<typeof dashboardEntry>;
