import * as z from 'zod';
import {
  anyList,
  errorCode,
  flag,
  identifier,
  integer,
  listOf,
  standardErrorFields,
  text,
  timestamp,
} from '../fields.ts';

/** A member's role in a security group. API description, User (GroupRef). */
export const groupRole = z.looseObject({ RoleId: identifier, RoleName: text });

/** A user's membership of one security group. API description, User (GroupRef). */
export const groupRef = z.looseObject({
  GroupId: identifier,
  GroupName: text,
  GroupDescription: text,
  GroupRoles: listOf(groupRole),
  GroupStatus: integer,
});

/** A user's role on one application. API description, User (AppAssignment). */
export const appAssignment = z.looseObject({
  ApplicationID: identifier,
  ApplicationName: text,
  ApplicationRoleID: identifier,
  ApplicationRoleName: text,
  ApplicationRoleType: identifier,
  applicationUserDataSourceID: text,
});

/** Interface language of a user; `phraselist` is sent on sign-in only and is large. */
export const language = z.looseObject({
  id: integer,
  nativename: text,
  englishname: text,
  iso_name: text,
  phraselist: listOf(z.looseObject({ internalname: text, text, dialog: text })),
});

/** User account. `Pin` is write-only: null in every reply. API description, User. */
export const user = z.looseObject({
  ...standardErrorFields,
  ID: identifier,
  LoginName: text,
  FirstName: text,
  LastName: text,
  EmailAddress: text,
  Company: text,
  Description: text,
  Tag1: text,
  Tag2: text,
  Tag3: text,
  Tag4: text,
  twofa: text,
  AuthType: text,
  Pin: text,
  CreateDate: timestamp,
  ModifyDate: timestamp,
  LoginDate: timestamp,
  lockdate: timestamp,
  isAdmin: flag,
  isSuperAdmin: flag,
  isBuilder: flag,
  isAgent: flag,
  isArchitect: flag,
  SecurityGroups: listOf(groupRef),
  UserApplications: listOf(appAssignment),
  Preferences: anyList,
  UserState: integer,
  ComboName: text,
  FullName: text,
  Language: language.nullish(),
  timezone: integer,
  timezonename: text,
  isFastCache: integer,
  FastCacheLimit: integer,
  bforcepasschange: flag,
});

/** Role 0 to 7 of the roles list. API description, Role. */
export const role = z.looseObject({
  ERROR_CODE: errorCode,
  ERROR_MESSAGE: text,
  RoleId: identifier,
  RoleName: text,
  RoleDescription: text,
});

export type GroupRef = z.infer<typeof groupRef>;
export type AppAssignment = z.infer<typeof appAssignment>;
export type User = z.infer<typeof user>;
export type Role = z.infer<typeof role>;
