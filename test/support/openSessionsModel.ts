/*
 * What row security and folder scopes let each user of a small world see, told from the rules in src/server/security/README.md alone: the
 * oracle of the test of open sessions. It knows nothing of sessions, callers and caches.
 */

export const tenants = ['North', 'South', 'East', 'West'] as const;
export type Tenant = (typeof tenants)[number];

export interface ModelUser {
  id: string;
  name: string;
  tag1: string;
  /** Role by group. */
  groups: Map<string, string>;
  /** Whether the account has a role on the application, and whether the open session's passport names it. */
  hasRole: boolean;
  passportHasRole: boolean;
}

export interface ModelTag {
  id: string;
  label: string;
  isActive: boolean;
  fallback: string;
  byUser: Map<string, string>;
  byGroup: Map<string, string>;
}

export interface ModelPolicy {
  id: string;
  isActive: boolean;
  /** Label of a data tag, or tag1. */
  label: string;
  groups: Set<string>;
  users: Set<string>;
}

export interface ModelFolder {
  id: string;
  name: string;
  parent: ModelFolder | undefined;
  inherits: boolean;
  /** Groups of its own; once it had any, it stays closed to others, even when they are deleted. */
  groups: Set<string>;
  isRestricted: boolean;
}

export interface Model {
  allUsers: string;
  /** Whether the setting `enableallusersgrp` lets All Users grant anything. */
  allUsersGrants: boolean;
  users: ModelUser[];
  groups: string[];
  tags: ModelTag[];
  policies: ModelPolicy[];
  folders: ModelFolder[];
}

/** Tenants whose rows a user sees, or undefined where the report itself is refused. */
export function visibleTenants(model: Model, user: ModelUser): Tenant[] | undefined {
  if (!user.hasRole || !user.passportHasRole) return undefined;
  const mine = model.policies.filter(
    ({ isActive, users, groups }) =>
      isActive && (users.has(user.id) || [...groups].some((group) => user.groups.has(group))),
  );
  return tenants.filter((tenant) => mine.every(({ label }) => valuesOf(model, user, label).includes(tenant)));
}

function valuesOf(model: Model, user: ModelUser, label: string): readonly string[] {
  if (label === 'tag1') return user.tag1 === '' ? [] : [user.tag1];
  const tag = model.tags.find((one) => one.label === label);
  if (!tag?.isActive) return [];
  const own = tag.byUser.get(user.id);
  if (own) return [own];
  const ofGroups = [...tag.byGroup].filter(([group]) => isGranted(model, user, group));
  if (ofGroups.length > 0) return ofGroups.map(([, value]) => value);
  return tag.fallback === '' ? [] : [tag.fallback];
}

/** Whether a group grants anything to a user. */
function isGranted(model: Model, user: ModelUser, group: string): boolean {
  return (user.groups.get(group) ?? '0') !== '0' && (group !== model.allUsers || model.allUsersGrants);
}

/** Names of the folders that a user sees. */
export function visibleFolderNames(model: Model, user: ModelUser): string[] {
  const scopeOf = (folder: ModelFolder): readonly string[] => {
    if (folder.isRestricted) return [...folder.groups];
    return folder.inherits && folder.parent ? scopeOf(folder.parent) : [model.allUsers];
  };
  const isVisible = (folder: ModelFolder): boolean =>
    scopeOf(folder).some((group) => isGranted(model, user, group)) &&
    (folder.parent === undefined || isVisible(folder.parent));
  return model.folders
    .filter(isVisible)
    .map(({ name }) => name)
    .sort();
}

/** Forgets a group everywhere. */
export function dropGroup(model: Model, group: string): void {
  model.groups = model.groups.filter((id) => id !== group);
  for (const { groups } of [...model.users, ...model.policies, ...model.folders]) groups.delete(group);
  for (const { byGroup } of model.tags) byGroup.delete(group);
}

/** Forgets a user everywhere. */
export function dropUser(model: Model, user: ModelUser): void {
  model.users = model.users.filter((one) => one !== user);
  for (const { users } of model.policies) users.delete(user.id);
  for (const { byUser } of model.tags) byUser.delete(user.id);
}
