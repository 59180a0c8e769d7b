import * as z from 'zod';
import type { Caller, CallerApplication, CallerGroup } from '../calls/caller.ts';
import { readSettings } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import { applicationRolesOf } from './applicationRoles.ts';
import { selfSetFields } from './fieldOrigins.ts';
import { membershipsOf } from './groups.ts';
import { allUsersGroupId } from './identitySchema.ts';
import type { StoredUser } from './users.ts';

/**
 * What a session stores from sign-in until ResetPassport: the application roles, which take licence seats. API
 * description, States and transitions.
 */
export const callerPassport = z.object({
  applications: z.array(z.object({ applicationId: z.string(), roleId: z.string() })),
});

export type CallerPassport = z.output<typeof callerPassport>;

/** Creates a passport with the user's current application roles. */
export function currentPassport(store: Store, userId: string): CallerPassport {
  return { applications: currentApplications(store, userId) };
}

/**
 * The caller of a session, with the user and groups as currently stored. An application role counts only if the user
 * has it and the passport lists it: a removed role is lost immediately, an added one takes effect with ResetPassport.
 */
export function callerOf(
  store: Store,
  user: StoredUser,
  isGuest: boolean,
  passport: CallerPassport = currentPassport(store, user.id),
): Caller {
  const known = new Set(passport.applications.map(applicationKey));
  return {
    userId: user.id,
    loginName: user.loginName,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    company: user.company,
    selfSetFields: selfSetFields(user),
    tags: user.tags,
    isGuest,
    isAdmin: user.isAdmin,
    mustChangePassword: user.mustChangePassword && !isGuest,
    isSuperAdmin: user.isSuperAdmin,
    groups: currentGroups(store, user.id),
    applications: currentApplications(store, user.id).filter((role) => known.has(applicationKey(role))),
    timezone: user.timezone,
    timezonename: user.timezoneName,
  };
}

function applicationKey({ applicationId, roleId }: CallerApplication): string {
  return `${applicationId} ${roleId}`;
}

function currentApplications(store: Store, userId: string): CallerApplication[] {
  return applicationRolesOf(store, userId).map(({ applicationId, roleId }) => ({ applicationId, roleId }));
}

/** When All Users is disabled, it grants its members nothing; its policies still apply to them. */
function currentGroups(store: Store, userId: string): CallerGroup[] {
  const grantsAll = readSettings(store).enableallusersgrp === 'True';
  return membershipsOf(store, userId).map(({ groupId, roleId }) => ({
    groupId,
    roleId: groupId === allUsersGroupId && !grantsAll ? noRole : roleId,
  }));
}

/** Role None. API description, Role. */
const noRole = '0';
