import { ClientError, isClientError, type ClientErrorDetails, type ClientErrorKind } from '../clientError.ts';
import type { JournalledWrite } from './writeJournal.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Failures that guarantee that nothing was written. */
const verdicts: readonly ClientErrorKind[] = ['tls', 'proxy', 'noPermission'];

/** Denials: the server says that nothing was written. A proxy may return the same, so they are verified. */
const denials: readonly ClientErrorKind[] = ['noPermission', 'notFound', 'notSignedIn', 'takenOver', 'signInRefused'];

/** The server accepted a write but did not carry it out. */
export class WriteNotDone extends ClientError {
  constructor(message: string, details: ClientErrorDetails) {
    super('refused', message, details);
  }
}

/** The error for a write whose outcome could not be found by reading. */
export function unknownOutcome(server: string, { kind, object }: JournalledWrite, cause: Error): ClientError {
  const sentences = {
    create: () => l10n.t('{0} may or may not have created {1}: {2}', server, object, cause.message),
    change: () => l10n.t('{0} may or may not have applied {1}: {2}', server, object, cause.message),
    delete: () => l10n.t('{0} may or may not have deleted {1}: {2}', server, object, cause.message),
  };
  return new ClientError('unknownOutcome', sentences[kind](), {
    server,
    ...(isClientError(cause) && cause.endpoint !== undefined && { endpoint: cause.endpoint }),
    cause,
  });
}

/** The error for a write that the server accepted but that could not be read back. */
export function acceptedOnly(server: string, { kind, object }: JournalledWrite, cause: Error): ClientError {
  const message =
    kind === 'delete'
      ? l10n.t(
          '{0} accepted the deletion of {1}, but the result could not be checked: {2}',
          server,
          object,
          cause.message,
        )
      : l10n.t('{0} accepted {1}, but it could not be read back: {2}', server, object, cause.message);
  return new ClientError('unknownOutcome', message, { server, cause });
}

/**
 * Whether the reply to a sent request was a denial: a message, an empty reply, or a status or code that means not found
 * or no session. The server must be checked to confirm it.
 */
export function isDenial({ kind, code, status, isUnsent }: ClientError): boolean {
  if (isUnsent) return false;
  return denials.includes(kind) || (kind === 'refused' && code === undefined && status === 200);
}

/** Whether the server may have carried out the request although the call failed. */
export function isUnknown(error: ClientError): boolean {
  if (error.isUnsent || verdicts.includes(error.kind)) return false;
  // A refusal with the server's own code is a verdict; a bare status, from it or from a gateway, is not.
  return error.kind !== 'refused' || error.code === undefined;
}
