import type { EndpointPath } from '../../contract/endpoints.ts';
import type { Caller } from '../calls/caller.ts';

/** Message for a caller who must choose a new password. */
export const passwordChangeDue = 'Choose a new password first: until then this account can do nothing else.';

const openPaths: ReadonlySet<EndpointPath> = new Set([
  'Session/CheckSession',
  'Session/RefreshSession',
  'login/DoLogout',
  'Contact/SaveMYContact',
]);

/**
 * Whether a call waits until its caller has chosen a new password (`bforcepasschange`): all do but those about the session, and
 * those that read and save the caller's own account.
 */
export function waitsForPasswordChange(path: EndpointPath, body: object, caller: Caller): boolean {
  if (!caller.mustChangePassword || openPaths.has(path)) return false;
  return !(path === 'Contact/GetContactById' && 'ContactId' in body && body.ContactId === caller.userId);
}
