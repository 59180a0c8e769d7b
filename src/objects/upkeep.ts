import { rightsOf } from '../client/session/accountRights.ts';
import type { AnalyticsClient } from '../client/client.ts';
import { isClientError } from '../client/clientError.ts';
import { writeOnce, type WriteOutcome } from '../client/writes/writes.ts';
import type { ReplyOf } from '../contract/endpoints.ts';
import { say } from '../l10n/l10n.ts';

/** What leaves no trace that could be read back. */
const traceless = {
  kind: 'change' as const,
  read: async (): Promise<never[]> => [],
  idOf: () => '',
  hasContent: () => false,
};
/** To look for it would show nothing. */
const once = { pauses: [] };

/**
 * Lets the server read its licences again. API description, Licensing (RefreshInstalledLicenses).
 * @returns what the server says.
 * @throws {ClientError} of kind unknownOutcome when the reply is lost: nothing shows whether it was done.
 */
export function refreshLicences(client: AnalyticsClient): Promise<string> {
  const write = {
    ...traceless,
    path: 'LicenseManager/RefreshInstalledLicenses' as const,
    body: {},
    object: say('the refreshing of the licences'),
  };
  type Outcome = WriteOutcome<ReplyOf<'LicenseManager/RefreshInstalledLicenses'>, never>;
  const words = async (outcome: Outcome) => (outcome.kind === 'answered' ? (outcome.reply.message ?? '') : '');
  return writeOnce(client, write, words, once);
}

/**
 * Reads anew whether the account that is signed in administers, and tells its session. An account that may not read itself stays as
 * it is known. API description, Users (GetContactById).
 * @throws {ClientError} when the server cannot be reached.
 */
export async function renewOwnRights(client: AnalyticsClient): Promise<void> {
  const { state } = client.session;
  if (state.kind !== 'active' || state.account.userId === '') return;
  try {
    const user = await client.call('Contact/GetContactById', { ContactId: state.account.userId });
    if (typeof user.isAdmin === 'boolean') await client.session.renewAccount(rightsOf(user));
  } catch (error) {
    if (!isClientError(error, 'noPermission') && !isClientError(error, 'refused')) throw error;
  }
}

/**
 * Lets the server read the account's groups and roles anew. API description, Authentication (ResetPassport).
 * @throws {ClientError} of kind unknownOutcome when the reply is lost: nothing shows whether it was done.
 */
export async function resetPassport(client: AnalyticsClient): Promise<void> {
  const write = {
    ...traceless,
    path: 'Session/ResetPassport' as const,
    body: { withReturn: false },
    object: say('the reloading of the permissions'),
  };
  await writeOnce(client, write, async () => undefined, once);
}
