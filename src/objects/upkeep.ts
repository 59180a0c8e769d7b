import { rightsOf } from '../client/session/accountRights.ts';
import type { AnalyticsClient } from '../client/client.ts';
import { isClientError } from '../client/clientError.ts';
import { writeOnce, type WriteOutcome } from '../client/writes/writes.ts';
import type { Passport } from '../contract/resources/session.ts';
import type { ReplyOf } from '../contract/endpoints.ts';
import * as l10n from '../l10n/l10n.ts';

/** Actions without a result that could be read back. */
const traceless = {
  kind: 'change' as const,
  read: async (): Promise<never[]> => [],
  idOf: () => '',
  hasContent: () => false,
};
/** Checking again would show nothing. */
const once = { pauses: [] };

/**
 * Makes the server reload its licences. API description, Licensing (RefreshInstalledLicenses).
 * @returns the server's message.
 * @throws {ClientError} of kind unknownOutcome when the reply is lost, since the outcome cannot be checked.
 */
export function refreshLicences(client: AnalyticsClient): Promise<string> {
  const write = {
    ...traceless,
    path: 'LicenseManager/RefreshInstalledLicenses' as const,
    body: {},
    object: l10n.t('refreshing the licences'),
  };
  type Outcome = WriteOutcome<ReplyOf<'LicenseManager/RefreshInstalledLicenses'>, never>;
  const words = async (outcome: Outcome) => (outcome.kind === 'answered' ? (outcome.reply.message ?? '') : '');
  return writeOnce(client, write, words, once);
}

/**
 * Reloads the rights of the signed-in account, and whether it must set a new password, and updates its session. Leaves
 * them unchanged if the account may not read itself. API description, Users (GetContactById).
 * @throws {ClientError} when the server cannot be reached.
 */
export async function renewOwnRights(client: AnalyticsClient): Promise<void> {
  const { state } = client.session;
  if (state.kind !== 'active' || state.account.userId === '') return;
  try {
    const user = await client.call('Contact/GetContactById', { ContactId: state.account.userId });
    if (typeof user.isAdmin !== 'boolean') return;
    const { demand } = state.account;
    const due = user.bforcepasschange === true ? ('newPassword' as const) : undefined;
    await client.session.renewAccount({ ...rightsOf(user), demand: demand === 'secondFactor' ? demand : due });
  } catch (error) {
    if (!isClientError(error, 'noPermission') && !isClientError(error, 'refused')) throw error;
  }
}

/**
 * Makes the server reload the account's groups and roles. API description, Authentication (ResetPassport).
 * @returns whether the server's licence is valid; undefined if the reply does not say.
 * @throws {ClientError} of kind unknownOutcome when the reply is lost, since the outcome cannot be checked.
 */
export function resetPassport(client: AnalyticsClient): Promise<boolean | undefined> {
  const write = {
    ...traceless,
    path: 'Session/ResetPassport' as const,
    body: { withReturn: false },
    object: l10n.t('reloading the permissions'),
  };
  type Outcome = WriteOutcome<ReplyOf<'Session/ResetPassport'>, never>;
  const isValid = async (outcome: Outcome) => (outcome.kind === 'answered' ? isLicenceValid(outcome.reply) : undefined);
  return writeOnce(client, write, isValid, once);
}

/** A trial is a valid licence too. API description, Passport. */
function isLicenceValid({ isExpiredBase, isValidBase, isValidTrial }: Passport): boolean | undefined {
  if (isValidBase === true || isValidTrial === true) return isExpiredBase !== true || isValidTrial === true;
  return isExpiredBase === true || isValidBase === false ? false : undefined;
}
