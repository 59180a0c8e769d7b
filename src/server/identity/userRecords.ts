import type { AppAssignment, GroupRef, User } from '../../contract/resources/user.ts';
import { ownFields } from '../../contract/placeholders.ts';
import { roles } from '../../contract/roles.ts';
import { inactiveFieldsName } from '../calls/wholeObject.ts';
import { neverTimestamp, zonelessTimestamp } from '../calls/timestamps.ts';
import { allExtraFields, extraFieldsOf, type ExtraFields } from '../store/extraFields.ts';
import type { Store } from '../store/store.ts';
import {
  applicationRoleIds,
  applicationRolesOf,
  listApplicationRoles,
  type ApplicationRole,
} from './applicationRoles.ts';
import { selfSetFields } from './fieldOrigins.ts';
import { listGroups, listMemberships, membershipsOf, type Membership, type StoredGroup } from './groups.ts';
import { isAccountLocked } from './signInLocks.ts';
import { findUser, listUsers, type StoredUser } from './users.ts';

/** Name of each application by id; provided by the room that owns them. */
export type ApplicationNames = (store: Store) => ReadonlyMap<string, string>;

/** Listed fields of a user that are stored as sent: users sign in by password, and the server is English only. */
export const keptUserFields = ['AuthType', 'Language'] as const;

/** Name of a role 0 to 7. */
export function roleName(roleId: string): string {
  return roles.find((role) => role.id === roleId)?.name ?? '';
}

/** Writes users in the form of the API description, User: with groups and application assignments, never the PIN. */
export class UserRecords {
  readonly #applicationNames: ApplicationNames;

  constructor(applicationNames: ApplicationNames) {
    this.#applicationNames = applicationNames;
  }

  /** The record of one user, or undefined when it does not exist. */
  one(store: Store, userId: string): User | undefined {
    return this.some(store, [userId])[0];
  }

  /** The records of these users, without those that do not exist. Faster than {@link all} for few of them. */
  some(store: Store, userIds: readonly string[]): User[] {
    if (userIds.length === 0) return [];
    const names = this.#names(store);
    return userIds.flatMap((userId) => {
      const user = findUser(store, userId);
      if (!user) return [];
      const extra = extraFieldsOf(store, 'user', userId);
      return [this.#record({ user, extra }, membershipsOf(store, userId), applicationRolesOf(store, userId), names)];
    });
  }

  /**
   * The record of one user for administrators: includes the fields that the user set and no administrator confirmed.
   */
  forAdministrator(store: Store, userId: string): User | undefined {
    const [record, user] = [this.one(store, userId), findUser(store, userId)];
    return record && user && { ...record, ...selfSetList(user) };
  }

  /** {@link forAdministrator} of all users, by login name. */
  allForAdministrator(store: Store): User[] {
    return this.#all(store, selfSetList);
  }

  /** The records of all users, by login name. */
  all(store: Store): User[] {
    return this.#all(store, () => ({}));
  }

  #all(store: Store, more: (user: StoredUser) => Partial<User>): User[] {
    const names = this.#names(store);
    const memberships = Map.groupBy(listMemberships(store), (membership) => membership.userId);
    const assignments = Map.groupBy(listApplicationRoles(store), (assignment) => assignment.userId);
    const extras = allExtraFields(store, 'user');
    return listUsers(store).map((user) => ({
      ...this.#record(
        { user, extra: extras.get(user.id) ?? {} },
        memberships.get(user.id) ?? [],
        assignments.get(user.id) ?? [],
        names,
      ),
      ...more(user),
    }));
  }

  #names(store: Store): Names {
    const groups = new Map(listGroups(store).map((group) => [group.id, group]));
    return { groups, applications: this.#applicationNames(store) };
  }

  #record(
    { user, extra }: { user: StoredUser; extra: ExtraFields },
    memberships: readonly Membership[],
    assignments: readonly ApplicationRole[],
    names: Names,
  ): User {
    const inactive = inactiveFieldsOf(user, extra);
    const holds = (roleId: string) => assignments.some((assignment) => assignment.roleId === roleId);
    return {
      AuthType: 'PIN',
      Language: language,
      ...extra,
      ...profileFields(user),
      isBuilder: holds(applicationRoleIds.builder),
      isAgent: holds(applicationRoleIds.agent),
      isArchitect: holds(applicationRoleIds.architect),
      SecurityGroups: memberships.map((membership) => groupRef(membership, names.groups)),
      UserApplications: assignments.map((assignment) => appAssignment(assignment, names.applications)),
      ...(inactive.length > 0 && { [inactiveFieldsName]: inactive }),
    };
  }
}

/** Fields of a user that have no effect on this server: users sign in by password only, and every account is active. */
export function inactiveFieldsOf(user: StoredUser, { AuthType = 'PIN' }: ExtraFields): string[] {
  const said = {
    twofa: user.twoFactor.toLowerCase() !== 'none',
    AuthType: !['', 'PIN'].includes(String(AuthType)),
    UserState: user.userState !== 0,
    isFastCache: user.isFastCache !== 0,
  };
  return Object.entries(said).flatMap(([name, isSaid]) => (isSaid ? [name] : []));
}

interface Names {
  groups: ReadonlyMap<string, StoredGroup>;
  applications: ReadonlyMap<string, string>;
}

function selfSetList(user: StoredUser): Pick<User, 'SelfSetFields'> {
  return { SelfSetFields: selfSetFields(user).map((field) => ownFields[field]) };
}

/** The interface language of every user; the phrase list is sent on sign-in only. */
export const language = { id: 1, nativename: 'English', englishname: 'English', iso_name: 'en', phraselist: null };

function profileFields(user: StoredUser): User {
  const [Tag1, Tag2, Tag3, Tag4] = user.tags;
  return {
    ErrorCode: 0,
    ErrorMessage: null,
    ID: user.id,
    LoginName: user.loginName,
    FirstName: user.firstName,
    LastName: user.lastName,
    EmailAddress: user.email,
    Company: user.company,
    Description: user.description,
    ...{ Tag1, Tag2, Tag3, Tag4 },
    twofa: user.twoFactor,
    Pin: null,
    CreateDate: zonelessTimestamp(user.created),
    ModifyDate: zonelessTimestamp(user.modified),
    LoginDate: zonelessTimestamp(user.lastLogin),
    lockdate: isAccountLocked(user, new Date()) ? zonelessTimestamp(user.locked) : neverTimestamp,
    isAdmin: user.isAdmin,
    isSuperAdmin: user.isSuperAdmin,
    Preferences: [...user.preferences],
    UserState: user.userState,
    ComboName: [user.lastName, user.firstName].filter(Boolean).join(', '),
    FullName: [user.firstName, user.lastName].filter(Boolean).join(' '),
    timezone: user.timezone,
    timezonename: user.timezoneName,
    isFastCache: user.isFastCache,
    FastCacheLimit: user.fastCacheLimit,
    bforcepasschange: user.mustChangePassword,
    Revision: user.revision,
  };
}

function groupRef({ groupId, roleId }: Membership, groups: Names['groups']): GroupRef {
  const group = groups.get(groupId);
  return {
    GroupId: groupId,
    GroupName: group?.name ?? '',
    GroupDescription: group?.description ?? '',
    GroupRoles: [{ RoleId: roleId, RoleName: roleName(roleId) }],
    GroupStatus: 0,
  };
}

function appAssignment(assignment: ApplicationRole, names: Names['applications']): AppAssignment {
  return {
    ApplicationID: assignment.applicationId,
    ApplicationName: names.get(assignment.applicationId) ?? '',
    ApplicationRoleID: assignment.roleId,
    ApplicationRoleName: roleName(assignment.roleId),
    ApplicationRoleType: assignment.roleId,
    applicationUserDataSourceID: assignment.dataSourceId,
  };
}
