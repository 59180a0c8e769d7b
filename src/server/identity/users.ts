import * as z from 'zod';
import { ownFields, type OwnField } from '../../contract/placeholders.ts';
import { flagOf, idOf, jsonOf, numberOf, textOf, textOrNull, rowById } from '../store/columns.ts';
import type { Row, Store } from '../store/store.ts';
import { addMember } from './groups.ts';
import { allUsersGroupId } from './identitySchema.ts';

/** Profile tags Tag1 to Tag4 of a user. */
export type ProfileTags = readonly [string, string, string, string];

/** Stored fields of a user that a save may set. API description, User. */
export interface UserProfile {
  loginName: string;
  firstName: string;
  lastName: string;
  email: string;
  company: string;
  description: string;
  tags: ProfileTags;
  twoFactor: string;
  isAdmin: boolean;
  isSuperAdmin: boolean;
  mustChangePassword: boolean;
  userState: number;
  /** Offset from UTC in hours. */
  timezone: number;
  timezoneName: string;
  isFastCache: number;
  fastCacheLimit: number;
  preferences: readonly unknown[];
}

/** A user to create; omitted fields are empty, false or 0. */
export type NewUser = Pick<UserProfile, 'loginName'> & Partial<UserProfile>;

/** A stored user. Dates and times are UTC ISO 8601 text. */
export interface StoredUser extends UserProfile {
  id: string;
  created: string;
  modified: string;
  lastLogin: string | null;
  failedLogins: number;
  /** When the account was locked, or null. */
  locked: string | null;
  /** Origin of user-editable profile fields whose value may not come from an administrator. */
  fieldOrigins: FieldOrigins;
  /** Incremented with every save. */
  revision: number;
}

const fieldOrigin = z.enum(['self', 'unknown']);
const fieldOrigins = z.partialRecord(z.enum(Object.keys(ownFields) as OwnField[]), fieldOrigin);

/** `self`: set by the user. `unknown`: set before origins were recorded. */
export type FieldOrigins = z.output<typeof fieldOrigins>;

const columns = `id, login_name, first_name, last_name, email, company, description, tag1, tag2, tag3, tag4, two_factor,
  is_admin, is_super_admin, must_change_password, user_state, timezone, timezone_name, is_fast_cache, fast_cache_limit,
  preferences, created, modified, last_login, failed_logins, locked, field_origins, revision`;

const emptyProfile: Omit<UserProfile, 'loginName'> = {
  firstName: '',
  lastName: '',
  email: '',
  company: '',
  description: '',
  tags: ['', '', '', ''],
  twoFactor: 'none',
  isAdmin: false,
  isSuperAdmin: false,
  mustChangePassword: false,
  userState: 0,
  timezone: 0,
  timezoneName: '',
  isFastCache: 0,
  fastCacheLimit: 0,
  preferences: [],
};

/**
 * Creates a user without a password (see {@link setPassword}) as a member of All Users with role View; returns its id.
 * @throws Error when the login name is taken.
 */
export function insertUser(store: Store, user: NewUser, now = new Date()): string {
  return store.transaction(() => {
    const moment = now.toISOString();
    const { lastId } = store.run(
      'INSERT INTO user (login_name, created, modified) VALUES (?, ?, ?)',
      user.loginName,
      moment,
      moment,
    );
    const id = String(lastId);
    writeProfile(store, id, { ...emptyProfile, ...user });
    addMember(store, allUsersGroupId, id, '2');
    return id;
  });
}

/** Replaces a user's profile and increments its revision. */
export function updateUser(store: Store, userId: string, profile: UserProfile, now = new Date()): void {
  store.transaction(() => {
    writeProfile(store, userId, profile);
    store.run('UPDATE user SET modified = ?, revision = revision + 1 WHERE id = ?', now.toISOString(), userId);
  });
}

/** Deletes a user with all memberships, application roles and sessions. */
export function deleteUser(store: Store, userId: string): void {
  store.run('DELETE FROM user WHERE id = ?', userId);
}

/** The user with this id, or undefined. */
export function findUser(store: Store, userId: string): StoredUser | undefined {
  const row = rowById(store, `SELECT ${columns} FROM user WHERE id = ?`, userId);
  return row && readUser(row);
}

/** The user with this login name, ignoring case, or undefined. */
export function findUserByLogin(store: Store, loginName: string): StoredUser | undefined {
  const row = store.get(`SELECT ${columns} FROM user WHERE login_name = ?`, loginName);
  return row && readUser(row);
}

/** Every user, by login name. */
export function listUsers(store: Store): StoredUser[] {
  return store.all(`SELECT ${columns} FROM user ORDER BY login_name`).map(readUser);
}

/** Stores a hash made by `hashPassword`, or null for an account without a password. */
export function setPassword(store: Store, userId: string, passwordHash: string | null): void {
  store.run('UPDATE user SET password_hash = ? WHERE id = ?', passwordHash, userId);
}

/** Stored password hash of a user, or null when there is none. */
export function passwordHashOf(store: Store, userId: string): string | null {
  const row = store.get('SELECT password_hash FROM user WHERE id = ?', userId);
  return row ? textOrNull(row, 'password_hash') : null;
}

function writeProfile(store: Store, userId: string, profile: UserProfile): void {
  store.run(
    `UPDATE user SET login_name = ?, first_name = ?, last_name = ?, email = ?, company = ?, description = ?,
      tag1 = ?, tag2 = ?, tag3 = ?, tag4 = ?, two_factor = ?, is_admin = ?, is_super_admin = ?,
      must_change_password = ?, user_state = ?, timezone = ?, timezone_name = ?, is_fast_cache = ?,
      fast_cache_limit = ?, preferences = ? WHERE id = ?`,
    profile.loginName,
    profile.firstName,
    profile.lastName,
    profile.email,
    profile.company,
    profile.description,
    ...profile.tags,
    profile.twoFactor,
    Number(profile.isAdmin),
    Number(profile.isSuperAdmin),
    Number(profile.mustChangePassword),
    profile.userState,
    profile.timezone,
    profile.timezoneName,
    profile.isFastCache,
    profile.fastCacheLimit,
    JSON.stringify(profile.preferences),
    userId,
  );
}

function readUser(row: Row): StoredUser {
  const preferences = jsonOf(row, 'preferences');
  return {
    id: idOf(row, 'id'),
    loginName: textOf(row, 'login_name'),
    firstName: textOf(row, 'first_name'),
    lastName: textOf(row, 'last_name'),
    email: textOf(row, 'email'),
    company: textOf(row, 'company'),
    description: textOf(row, 'description'),
    tags: [textOf(row, 'tag1'), textOf(row, 'tag2'), textOf(row, 'tag3'), textOf(row, 'tag4')],
    twoFactor: textOf(row, 'two_factor'),
    isAdmin: flagOf(row, 'is_admin'),
    isSuperAdmin: flagOf(row, 'is_super_admin'),
    mustChangePassword: flagOf(row, 'must_change_password'),
    userState: numberOf(row, 'user_state'),
    timezone: numberOf(row, 'timezone'),
    timezoneName: textOf(row, 'timezone_name'),
    isFastCache: numberOf(row, 'is_fast_cache'),
    fastCacheLimit: numberOf(row, 'fast_cache_limit'),
    preferences: Array.isArray(preferences) ? preferences : [],
    created: textOf(row, 'created'),
    modified: textOf(row, 'modified'),
    lastLogin: textOrNull(row, 'last_login'),
    failedLogins: numberOf(row, 'failed_logins'),
    locked: textOrNull(row, 'locked'),
    fieldOrigins: fieldOrigins.parse(jsonOf(row, 'field_origins')),
    revision: numberOf(row, 'revision'),
  };
}
