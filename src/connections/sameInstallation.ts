import type { AnalyticsClient } from '../client/client.ts';
import { ClientError, isClientError } from '../client/clientError.ts';
import { say } from '../l10n/l10n.ts';
import type { ServerEntry } from './serverEntry.ts';

const endpoint = 'LicenseManager/GetInstallationID';
const deadlineMs = 15_000;

type KnownServer = Pick<ServerEntry, 'name' | 'installationId'>;

/**
 * Asks which installation answers at a server's address, and refuses another than the one that is known; the embedded server has
 * its own way to tell. API description, Licensing (GetInstallationID).
 * @throws {ClientError} of kind notSignedIn for another one; else when it cannot be asked.
 */
export async function throwIfOther(client: AnalyticsClient, { name, installationId }: KnownServer): Promise<void> {
  if (installationId === '') return;
  const now = await client.call(endpoint, {}, { deadlineMs });
  if (now === installationId) return;
  throw new ClientError(
    'notSignedIn',
    say(
      'Another installation answers at the address of {0} than before: {1} instead of {2}.',
      name,
      now,
      installationId,
    ),
    { server: name, endpoint, isUnsent: true, remedy: say('Sign in again if that is right.') },
  );
}

/**
 * The installation that the user has just signed in to. Where it does not say, it is taken for the one that is known: the
 * sign-in itself is good.
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
