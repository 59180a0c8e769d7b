import { ClientError } from '../client/clientError.ts';
import { say } from '../l10n/l10n.ts';

/** A server that says which installation answers. */
export interface InstalledServer {
  /** Name of the server as the user knows it. */
  readonly name: string;
  installation(): Promise<string>;
}

/**
 * Makes sure that a server is still the one that an object was shown on: ids of another installation are other objects.
 * @param shown id of that installation; empty or undefined where it is not known: then nothing is done either.
 * @returns its id.
 * @throws {ClientError} of kind refused when another installation answers; also when the server cannot be asked.
 */
export async function checkInstallation(server: InstalledServer, shown: string | undefined): Promise<string> {
  const now = await server.installation();
  if (now === shown) return now;
  const words =
    shown === undefined || shown === ''
      ? say('It is not known which installation of {0} showed this.', server.name)
      : say('Another installation answers at the address of {0} now.', server.name);
  throw new ClientError('refused', words, {
    server: server.name,
    remedy: say('Nothing was changed. Refresh the sidebar and choose again.'),
  });
}
