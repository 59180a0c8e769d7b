import type { RequestOf } from '../../contract/endpoints.ts';
import type { OwnField, ProfilePlaceholder } from '../../contract/placeholders.ts';
import { user as userSchema, type User } from '../../contract/resources/user.ts';
import { type Caller, isAdministrator } from '../calls/caller.ts';
import { noContent, type HandlerReply, type SignedInContext } from '../calls/handlers.ts';
import {
  inactiveFieldsMessage,
  checkRevision,
  extraFields,
  refusal,
  requireCollections,
  requireWholeNumbers,
  sentId,
} from '../calls/wholeObject.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { extraFieldsOf, writeExtraFields } from '../store/extraFields.ts';
import { readSettings } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import { applicationRoleIds, applicationRolesOf, assignApplication, releaseApplications } from './applicationRoles.ts';
import { changedOwnFields, recordAdministratorsSave, recordOwnChanges } from './fieldOrigins.ts';
import { adminUserId, guestUserId } from './identitySchema.ts';
import { requireSeats } from './licences.ts';
import { passwordChangeDue, hashPassword, longestPassword, verifyPassword } from './passwords.ts';
import { isReservedLogin } from './product.ts';
import { callerNow, isOutOfReach, requireUser, userCollections, type UserParts } from './userAccess.ts';
import { inactiveFieldsOf, keptUserFields } from './userRecords.ts';
import {
  findUser,
  findUserByLogin,
  passwordHashOf,
  insertUser,
  setPassword,
  updateUser,
  type StoredUser,
  type UserProfile,
} from './users.ts';

type Save = RequestOf<'Contact/SaveContact'>;

/**
 * Creates a user, or replaces a user's profile and application roles. Groups change through AddUser and RemoveUser, so
 * SecurityGroups is required but ignored. API description, Users (SaveContact).
 */
export async function saveUser(parts: UserParts, body: Save, context: SignedInContext): Promise<HandlerReply> {
  const { store } = context;
  const { user } = body;
  requireCollections(user, 'The user', userCollections);
  const id = sentId(user.ID);
  const before = id === null ? undefined : requireUser(store, user);
  if (before && isOutOfReach(before, context)) return noContent;
  const passwordHash = body.withpin ? await hashPin(store, user.Pin) : undefined;
  const caller = callerNow(parts, context.caller);
  if (!isAdministrator(caller)) return noContent;

  const savedId = store.transaction(() => {
    const stored = before && requireUser(store, user);
    if (stored && isOutOfReach(stored, { caller })) return undefined;
    if (stored) checkRevision(body, stored.revision, `User ${stored.loginName}`);
    const profile = sentProfile(user, stored);
    checkTimezone(profile);
    checkProfile(store, profile, stored, caller);
    const userId = stored ? stored.id : insertUser(store, profile, context.now);
    if (stored) {
      updateUser(store, userId, profile, context.now);
      recordAdministratorsSave(store, stored, profile, user);
    }
    const kept = extraFieldsOf(store, 'user', userId);
    writeExtraFields(store, 'user', userId, {
      ...kept,
      ...extraFields(keptAsSent(user), userSchema.shape, keptUserFields),
    });
    if (passwordHash !== undefined) setPassword(store, userId, passwordHash);
    saveApplications(parts, store, userId, user);
    context.audit(auditSymbols.change, `${stored ? 'saved' : 'created'} user ${profile.loginName}`);
    return userId;
  });
  if (savedId === undefined) return noContent;
  // A new password ends the user's other sessions; the caller's own session stays.
  if (passwordHash !== undefined) {
    parts.sessions.endAllOf(savedId, savedId === caller.userId ? context.sessionToken : undefined);
  }
  const record = parts.records.forAdministrator(store, savedId);
  const saved = findUser(store, savedId);
  const inactive = saved ? inactiveFieldsOf(saved, extraFieldsOf(store, 'user', savedId)) : [];
  return inactive.length > 0 ? { ...record, ErrorMessage: inactiveFieldsMessage(inactive) } : record;
}

/**
 * Changes the caller's own name, address, time zone, preferences and password; all other fields are ignored, including
 * rights. Fields used by row security cannot be changed this way. API description, Users (SaveMYContact).
 */
export async function saveOwnProfile(parts: UserParts, body: Save, context: SignedInContext): Promise<HandlerReply> {
  const { store, caller } = context;
  const { user } = body;
  requireCollections(user, 'The user', userCollections);
  if (caller.isGuest || sentId(user.ID) !== caller.userId) return noContent;
  if (caller.mustChangePassword) await requireOtherPassword(store, caller.userId, body);
  const passwordHash = body.withpin ? await hashPin(store, user.Pin) : undefined;
  callerNow(parts, caller);

  store.transaction(() => {
    const stored = requireUser(store, user);
    checkRevision(body, stored.revision, `User ${stored.loginName}`);
    const sent = sentProfile(user, stored);
    checkTimezone(sent);
    const profile: UserProfile = {
      ...stored,
      firstName: sent.firstName,
      lastName: sent.lastName,
      email: sent.email,
      company: sent.company,
      description: sent.description,
      timezone: sent.timezone,
      timezoneName: sent.timezoneName,
      preferences: sent.preferences,
      mustChangePassword: passwordHash === undefined && stored.mustChangePassword,
    };
    refuseProtectedChanges(stored, profile, parts.protectedProfileFields(store));
    updateUser(store, stored.id, profile, context.now);
    recordOwnChanges(store, stored, profile);
    if (passwordHash !== undefined) setPassword(store, stored.id, passwordHash);
    context.audit(auditSymbols.change, 'saved own profile');
  });
  return parts.records.one(store, caller.userId);
}

/** @throws {CallFailure} 9001 when the save lacks a new password, or sends the current one as the new one. */
async function requireOtherPassword(store: Store, userId: string, { withpin, user: { Pin } }: Save): Promise<void> {
  if (!withpin || !Pin) throw refusal(passwordChangeDue);
  if (await verifyPassword(Pin, passwordHashOf(store, userId))) {
    throw refusal('This is the password that must be changed. Choose a different one.');
  }
}

/** Maximum length of all texts of a profile together: every list of users, groups and policies includes them. */
const longestProfile = 20_000;

/**
 * Merges a sent user into the stored profile: omitted fields keep their values.
 * @throws {CallFailure} 9001 when the profile is too long.
 */
function sentProfile(user: User, stored: StoredUser | undefined): UserProfile {
  requireWholeNumbers(user, 'The user', ['UserState', 'timezone', 'isFastCache', 'FastCacheLimit']);
  requireWholeNumbers(user.Language ?? {}, 'The language of the user', ['id']);
  const profile = profileOf(user, stored);
  const { length } = JSON.stringify(profile);
  if (length > longestProfile) {
    throw refusal(`The profile has ${length} characters; ${longestProfile} are the most.`);
  }
  return profile;
}

function profileOf(user: User, stored: StoredUser | undefined): UserProfile {
  const text = (sent: string | null | undefined, before = '') => (sent === undefined ? before : (sent ?? ''));
  const flag = (sent: boolean | null | undefined, before = false) => (sent === undefined ? before : (sent ?? false));
  const number = (sent: number | null | undefined, before = 0) => (sent === undefined ? before : (sent ?? 0));
  return {
    loginName: text(user.LoginName, stored?.loginName).trim(),
    firstName: text(user.FirstName, stored?.firstName),
    lastName: text(user.LastName, stored?.lastName),
    email: text(user.EmailAddress, stored?.email),
    company: text(user.Company, stored?.company),
    description: text(user.Description, stored?.description),
    tags: [
      text(user.Tag1, stored?.tags[0]),
      text(user.Tag2, stored?.tags[1]),
      text(user.Tag3, stored?.tags[2]),
      text(user.Tag4, stored?.tags[3]),
    ],
    twoFactor: text(user.twofa, stored?.twoFactor) || 'none',
    isAdmin: flag(user.isAdmin, stored?.isAdmin),
    isSuperAdmin: flag(user.isSuperAdmin, stored?.isSuperAdmin),
    mustChangePassword: flag(user.bforcepasschange, stored?.mustChangePassword),
    userState: number(user.UserState, stored?.userState),
    timezone: number(user.timezone, stored?.timezone),
    timezoneName: text(user.timezonename, stored?.timezoneName),
    isFastCache: number(user.isFastCache, stored?.isFastCache),
    fastCacheLimit: number(user.FastCacheLimit, stored?.fastCacheLimit),
    preferences: user.Preferences ?? [],
  };
}

/** Omits what the server records itself, and the language phrases, which every sign-in sends anyway. */
function keptAsSent({ SelfSetFields: _, ...user }: User): User {
  return user.Language ? { ...user, Language: { ...user.Language, phraselist: null } } : user;
}

/** Relative dates count from the user's own day, so the offset must yield a valid one. */
function checkTimezone({ timezone }: UserProfile): void {
  if (Math.abs(timezone) > 24) throw refusal(`timezone is ${timezone}: it is the offset from UTC in hours, -24 to 24.`);
}

function checkProfile(store: Store, profile: UserProfile, stored: StoredUser | undefined, caller: Caller): void {
  const { loginName } = profile;
  if (loginName === '') throw refusal('LoginName is empty.');
  if (isReservedLogin(store, loginName) && stored?.id !== adminUserId)
    throw refusal(`The login name ${loginName} is reserved.`);
  const namesake = findUserByLogin(store, loginName);
  if (namesake && namesake.id !== stored?.id) throw refusal(`The login name ${loginName} is taken.`);
  if (profile.isSuperAdmin && !stored?.isSuperAdmin && !caller.isSuperAdmin) {
    throw refusal('Only a super-admin can create another super-admin.');
  }
  if (stored?.id === guestUserId && profile.mustChangePassword) {
    throw refusal(`${stored.loginName} has no password to change.`);
  }
  const isBuiltIn = stored?.id === adminUserId || stored?.id === guestUserId;
  if (!isBuiltIn) return;
  const keepsRights = profile.isAdmin === stored.isAdmin && profile.isSuperAdmin === stored.isSuperAdmin;
  if (loginName !== stored.loginName || !keepsRights) {
    throw refusal(`${stored.loginName} is built in: its login name and rights cannot be changed.`);
  }
}

function saveApplications({ applicationNames }: UserParts, store: Store, userId: string, user: User): void {
  const names = applicationNames(store);
  const allowed: readonly string[] = Object.values(applicationRoleIds);
  const before = new Set(applicationRolesOf(store, userId).map((role) => `${role.applicationId} ${role.roleId}`));
  releaseApplications(store, userId);
  const gained = new Set<string>();
  for (const assignment of user.UserApplications ?? []) {
    const applicationId = sentId(assignment.ApplicationID) ?? '';
    const roleId = sentId(assignment.ApplicationRoleID) ?? '';
    if (!names.has(applicationId)) throw refusal(`There is no application with the id ${applicationId || '(none)'}.`);
    if (!allowed.includes(roleId)) {
      throw refusal(`Role ${roleId || '(none)'} cannot be assigned on an application: use 5, 6 or 7.`);
    }
    assignApplication(store, userId, applicationId, roleId, assignment.applicationUserDataSourceID ?? '');
    if (!before.has(`${applicationId} ${roleId}`)) gained.add(applicationId);
  }
  for (const applicationId of gained) requireSeats(store, applicationId, names.get(applicationId) ?? '');
}

const fieldLabels: Record<OwnField, string> = {
  firstname: 'First name',
  lastname: 'Last name',
  email: 'Email address',
  company: 'Company',
};

function refuseProtectedChanges(
  before: UserProfile,
  after: UserProfile,
  fields: ReadonlySet<ProfilePlaceholder>,
): void {
  const refused = changedOwnFields(before, after).find((field) => fields.has(field));
  if (refused) {
    throw refusal(`${fieldLabels[refused]} decides which data you see: ask an administrator to change it.`);
  }
}

/**
 * Hash of a sent PIN. @throws {CallFailure} 9001 when it is empty or, if the settings require strong ones, too weak.
 */
async function hashPin(store: Store, pin: string | null | undefined): Promise<string> {
  if (!pin) throw refusal('The password is empty. Send Pin, or withpin false to leave the password as it is.');
  if (pin.length > longestPassword) throw refusal(`The password is longer than ${longestPassword} characters.`);
  if (readSettings(store).enforcestrongpassword === 'True' && !isStrong(pin)) {
    throw refusal('The password is too weak: use at least 12 characters with lower case, upper case and digits.');
  }
  return hashPassword(pin);
}

function isStrong(pin: string): boolean {
  return [...pin].length >= 12 && [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u].every((kind) => kind.test(pin));
}
