import { ClientError, isClientError, type ClientErrorDetails, type ClientErrorKind } from '../clientError.ts';
import type { JournalledWrite } from './writeJournal.ts';
import { say } from '../../l10n/l10n.ts';

/** Failures of which nothing can have come. */
const verdicts: readonly ClientErrorKind[] = ['tls', 'proxy', 'noPermission'];

/** What answers so says that it has done nothing: of a server that is right, of something on the way perhaps not. */
const denials: readonly ClientErrorKind[] = ['noPermission', 'notFound', 'notSignedIn', 'takenOver', 'signInRefused'];

/** The server accepted a write, and shows when asked that it has not done it. */
export class WriteNotDone extends ClientError {
  constructor(message: string, details: ClientErrorDetails) {
    super('refused', message, details);
  }
}

/** The error of a write that reading did not show. */
export function unknownOutcome(server: string, { kind, object }: JournalledWrite, cause: Error): ClientError {
  const sentences = {
    create: () => say('{0} may or may not have created {1}: {2}', server, object, cause.message),
    change: () => say('{0} may or may not have taken {1}: {2}', server, object, cause.message),
    delete: () => say('{0} may or may not have deleted {1}: {2}', server, object, cause.message),
  };
  return new ClientError('unknownOutcome', sentences[kind](), {
    server,
    ...(isClientError(cause) && cause.endpoint !== undefined && { endpoint: cause.endpoint }),
    cause,
  });
}

/** The error of a write that the server accepted, and that could not be read back. */
export function acceptedOnly(server: string, { kind, object }: JournalledWrite, cause: Error): ClientError {
  const message =
    kind === 'delete'
      ? say('{0} accepted to delete {1}, but could not be asked: {2}', server, object, cause.message)
      : say('{0} accepted {1}, but it could not be read back: {2}', server, object, cause.message);
  return new ClientError('unknownOutcome', message, { server, cause });
}

/**
 * Whether a request that went out was answered with a denial: in words, by an empty reply, or by a status or code that says that
 * there is no such thing, or no session. A look tells whether it is true.
 */
export function isDenial({ kind, code, status, isUnsent }: ClientError): boolean {
  if (isUnsent) return false;
  return denials.includes(kind) || (kind === 'refused' && code === undefined && status === 200);
}

/** Whether the server may have done what was asked although the call failed. */
export function isUnknown(error: ClientError): boolean {
  if (error.isUnsent || verdicts.includes(error.kind)) return false;
  // A refusal with the server's own code is a verdict; a bare status, from it or from a gateway, is none.
  return error.kind !== 'refused' || error.code === undefined;
}
