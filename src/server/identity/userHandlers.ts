import type { User } from '../../contract/resources/user.ts';
import { roles } from '../../contract/roles.ts';
import { isAdministrator } from '../calls/caller.ts';
import { noContent, type Handlers, adminOnly } from '../calls/handlers.ts';
import { neverTimestamp } from '../calls/timestamps.ts';
import { refusal, requireCollections } from '../calls/wholeObject.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { adminUserId, guestUserId } from './identitySchema.ts';
import { isOutOfReach, requireUser, userCollections, type UserParts } from './userAccess.ts';
import { language } from './userRecords.ts';
import { saveOwnProfile, saveUser } from './userSaves.ts';
import { deleteUser } from './users.ts';

/** Handlers of user accounts. API description, Users. */
export function createUserHandlers(parts: UserParts): Handlers {
  const { records, sessions, locks } = parts;
  return {
    'Contact/NewContact': () => newUser,
    'Contact/SaveContact': adminOnly((body, context) => saveUser(parts, body, context)),
    'Contact/SaveMYContact': (body, context) => saveOwnProfile(parts, body, context),
    'Contact/GetContactList': adminOnly((_body, { store }) => records.allForAdministrator(store)),
    'Contact/GetContactById': ({ ContactId }, { store, caller }) => {
      if (ContactId !== caller.userId && !isAdministrator(caller)) return noContent;
      const record = isAdministrator(caller)
        ? records.forAdministrator(store, ContactId)
        : records.one(store, ContactId);
      if (!record) throw refusal(`There is no user with the id ${ContactId}.`);
      return record;
    },
    'Contact/DeleteContact': adminOnly(({ user }, context) => {
      requireCollections(user, 'The user', userCollections);
      const stored = requireUser(context.store, user);
      if (isOutOfReach(stored, context)) return noContent;
      if (stored.id === adminUserId || stored.id === guestUserId) {
        throw refusal(`${stored.loginName} is built in and cannot be deleted.`);
      }
      if (stored.id === context.caller.userId) throw refusal('You cannot delete the account you are signed in with.');
      return context.store.transaction(() => {
        const record = records.forAdministrator(context.store, stored.id);
        sessions.endAllOf(stored.id);
        deleteUser(context.store, stored.id);
        context.audit(auditSymbols.change, `deleted user ${stored.loginName}`);
        return { ...record, SecurityGroups: null, UserApplications: [] };
      });
    }),
    'Contact/UnlockContact': adminOnly(({ user }, context) => {
      requireCollections(user, 'The user', userCollections);
      const stored = requireUser(context.store, user);
      if (isOutOfReach(stored, context)) return noContent;
      return context.store.transaction(() => {
        locks.unlock(context.store, stored.id);
        context.audit(auditSymbols.change, `unlocked user ${stored.loginName}`);
        return { ...records.forAdministrator(context.store, stored.id), SecurityGroups: [], UserApplications: [] };
      });
    }),
    'Contact/GetRolesList': () => roleList,
  };
}

const roleList = roles.map((role) => ({
  ERROR_CODE: 0,
  ERROR_MESSAGE: '',
  RoleId: role.id,
  RoleName: role.name,
  RoleDescription: role.description,
}));

/** Template of a new user. API description, Users (NewContact). */
const newUser: User = {
  ErrorCode: 0,
  ErrorMessage: null,
  ID: null,
  LoginName: '',
  FirstName: '',
  LastName: '',
  EmailAddress: '',
  Company: '',
  Description: '',
  Tag1: '',
  Tag2: '',
  Tag3: '',
  Tag4: '',
  twofa: 'none',
  AuthType: 'PIN',
  Pin: null,
  CreateDate: neverTimestamp,
  ModifyDate: neverTimestamp,
  LoginDate: neverTimestamp,
  lockdate: neverTimestamp,
  isAdmin: false,
  isSuperAdmin: false,
  isBuilder: false,
  isAgent: false,
  isArchitect: false,
  SecurityGroups: [],
  UserApplications: [],
  Preferences: [],
  UserState: 0,
  ComboName: '',
  FullName: '',
  Language: language,
  timezone: 0,
  timezonename: '',
  isFastCache: 0,
  FastCacheLimit: 0,
  bforcepasschange: false,
};
