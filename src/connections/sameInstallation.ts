import type { AnalyticsClient } from '../client/client.ts';
import { ClientError, isClientError } from '../client/clientError.ts';
import * as l10n from '../l10n/l10n.ts';
import type { ServerEntry } from './serverEntry.ts';

const endpoint = 'LicenseManager/GetInstallationID';
const deadlineMs = 15_000;

type KnownServer = Pick<ServerEntry, 'name' | 'installationId'>;

/**
 * Requests the installation id at a server's address and throws if it differs from the known one; the embedded server
 * has its own check. API description, Licensing (GetInstallationID).
 * @throws {ClientError} of kind notSignedIn if it differs; any other kind when it cannot be requested.
 */
export async function throwIfOther(client: AnalyticsClient, { name, installationId }: KnownServer): Promise<void> {
  if (installationId === '') return;
  const now = await client.call(endpoint, {}, { deadlineMs });
  if (now === installationId) return;
  throw new ClientError(
    'notSignedIn',
    l10n.t('Another installation now answers at the address of {0}: {1} instead of {2}.', name, now, installationId),
    { server: name, endpoint, isUnsent: true, remedy: l10n.t('Sign in again if this is expected.') },
  );
}

/**
 * The installation that the user has just signed in to. If the server does not return it, the known one is assumed: the
 * sign-in itself has succeeded.
 */
export async function currentInstallation(client: AnalyticsClient, { installationId }: KnownServer): Promise<string> {
  if (installationId === '') return '';
  try {
    return await client.call(endpoint, {}, { deadlineMs });
  } catch (error) {
    if (isClientError(error)) return installationId;
    throw error;
  }
}
