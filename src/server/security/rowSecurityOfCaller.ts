import { isOwnField, isProfilePlaceholder, type ProfilePlaceholder } from '../../contract/placeholders.ts';
import { zoneOfUser } from '../../contract/zones/zoneNames.ts';
import { dayIn } from '../../contract/zones/zonedTimes.ts';
import type { Caller } from '../calls/caller.ts';
import type { Store } from '../store/store.ts';
import { tagValuesFor } from './dataTags.ts';
import { activePoliciesFor } from './policies.ts';
import type { RowSecurity } from './rowSecurity.ts';

const profileValues: Record<ProfilePlaceholder, (caller: Caller) => string> = {
  tag1: ({ tags }) => tags[0],
  tag2: ({ tags }) => tags[1],
  tag3: ({ tags }) => tags[2],
  tag4: ({ tags }) => tags[3],
  login: ({ loginName }) => loginName,
  firstname: ({ firstName }) => firstName,
  lastname: ({ lastName }) => lastName,
  email: ({ email }) => email,
  company: ({ company }) => company,
};

/**
 * The row restrictions of a caller, who may be an administrator: the active policies and the values of their
 * placeholders. A profile field hides a data tag of the same label.
 */
export function rowSecurityOf(store: Store, caller: Caller, today: string): RowSecurity {
  return {
    policies: activePoliciesFor(store, caller),
    today,
    tagValues(label) {
      if (!isProfilePlaceholder(label)) return tagValuesFor(store, caller, label);
      // Users who could set this value could choose whose rows to see.
      if (isOwnField(label) && caller.selfSetFields.includes(label)) return undefined;
      const value = profileValues[label](caller);
      return value === '' ? undefined : [value];
    },
  };
}

/**
 * The calendar day (`YYYY-MM-DD`) that policies are based on: the server's, in UTC. Users set their own time zone, so
 * with the caller's day they could influence policies.
 */
export function dayOfPolicies(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** The caller's calendar day (`YYYY-MM-DD`) at `now`. */
export function todayOf(caller: Pick<Caller, 'timezone' | 'timezonename'>, now: Date): string {
  return dayIn(zoneOfUser(caller), now.getTime());
}
