import { ClientError } from '../client/clientError.ts';
import * as l10n from '../l10n/l10n.ts';

/** A server that identifies its installation. */
export interface InstalledServer {
  /** Display name of the server. */
  readonly name: string;
  installation(): Promise<string>;
}

/**
 * Verifies that the server is still the installation on which an object was shown: in another installation the same ids
 * mean other objects.
 * @param shown id of that installation; if empty or undefined, nothing is checked.
 * @returns its id.
 * @throws {ClientError} of kind refused when it is another installation; also when the server cannot be asked.
 */
export async function checkInstallation(server: InstalledServer, shown: string | undefined): Promise<string> {
  const now = await server.installation();
  if (now === shown) return now;
  const words =
    shown === undefined || shown === ''
      ? l10n.t('It is unknown which installation of {0} this came from.', server.name)
      : l10n.t('Another installation now answers at the address of {0}.', server.name);
  throw new ClientError('refused', words, {
    server: server.name,
    remedy: l10n.t('Nothing was changed. Refresh the sidebar and try again.'),
  });
}
