import { ClientError } from '../../client/clientError.ts';
import * as l10n from '../../l10n/l10n.ts';

/**
 * Uses the editor's secret storage on behalf of `server`.
 * @throws {ClientError} of kind storage, naming the server and what to do, when the storage fails: its own error
 * contains only the message of the system's keyring.
 */
export async function withSecretStorage<T>(server: string, use: () => Thenable<T>): Promise<T> {
  try {
    return await use();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError('storage', l10n.t('The secret storage of VS Code failed for {0}: {1}', server, why), {
      server,
      isUnsent: true,
      remedy: l10n.t('Unlock the system keyring or restart VS Code, then try again.'),
      cause,
    });
  }
}
