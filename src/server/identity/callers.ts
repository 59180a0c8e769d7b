import * as z from 'zod';
import type { Caller } from '../calls/caller.ts';
import type { Store } from '../store/store.ts';
import { applicationRolesOf } from './applicationRoles.ts';
import { membershipsOf } from './groups.ts';
import type { StoredUser } from './users.ts';

/** The part of a caller that is frozen at sign-in and renewed by ResetPassport. API description, States and transitions. */
export const callerPassport = z.object({
  groups: z.array(z.object({ groupId: z.string(), roleId: z.string() })),
  applications: z.array(z.object({ applicationId: z.string(), roleId: z.string() })),
});

export type CallerPassport = z.output<typeof callerPassport>;

/** A user's groups and applications as they stand now. */
export function currentPassport(store: Store, userId: string): CallerPassport {
  return {
    groups: membershipsOf(store, userId).map(({ groupId, roleId }) => ({ groupId, roleId })),
    applications: applicationRolesOf(store, userId).map(({ applicationId, roleId }) => ({ applicationId, roleId })),
  };
}

/** The caller that a session stands for: the user as stored, with the session's passport. */
export function callerOf(user: StoredUser, passport: CallerPassport, isGuest: boolean): Caller {
  return {
    userId: user.id,
    loginName: user.loginName,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    company: user.company,
    tags: user.tags,
    isGuest,
    isAdmin: user.isAdmin,
    isSuperAdmin: user.isSuperAdmin,
    groups: passport.groups,
    applications: passport.applications,
    timezone: user.timezone,
  };
}
