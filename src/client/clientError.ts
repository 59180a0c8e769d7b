import { errorCodes } from '../contract/errorCodes.ts';
import * as l10n from '../l10n/l10n.ts';

/** Why a call failed, grouped by what the user can do about it. */
export type ClientErrorKind =
  /** The server could not be reached: name not found, connection refused or broken. */
  | 'unreachable'
  /** The TLS handshake failed; `reason` says whether the certificate is unknown, expired, changed and so on. */
  | 'tls'
  /** The proxy could not be reached or refused the connection; `reason` says which. */
  | 'proxy'
  /** The call's deadline passed. */
  | 'timeout'
  /** Cancelled by the user or the calling code. Not reported as a failure. */
  | 'cancelled'
  /** No such path: the API base is probably wrong. */
  | 'notFound'
  /** The response does not come from the management API. */
  | 'notTheApi'
  /** The reply breaks the contract: truncated, invalid JSON or an unexpected shape. */
  | 'malformed'
  /** The reply exceeds the size limits. */
  | 'tooLarge'
  /** No valid session, and the user must sign in. */
  | 'notSignedIn'
  /** The account signed in elsewhere, which ended this session. */
  | 'takenOver'
  /** Sign-in refused: wrong user or password, or a locked account. */
  | 'signInRefused'
  /** The session is valid but may not read or change the object. */
  | 'noPermission'
  /** The server refused the call; `code` says why. */
  | 'refused'
  /**
   * This computer failed to store or load what the call needs: secret storage, the cross-window lock or the journal.
   */
  | 'storage'
  /** A write was sent, its reply was lost, and reading the object again did not show the outcome. */
  | 'unknownOutcome';

/** Details of a connection problem, where the kind is not specific enough. */
export type FailureReason =
  | 'selfSigned'
  | 'unknownAuthority'
  | 'expired'
  | 'notYetValid'
  | 'wrongHost'
  | 'revoked'
  | 'invalidChain'
  | 'certificateChanged'
  | 'clientCertificate'
  | 'badCertificateFile'
  | 'handshake'
  | 'secondFactor'
  | 'newPassword'
  | 'proxyUnreachable'
  | 'proxyRefused'
  | 'proxySignIn'
  | 'badProxy';

/** Details of a failed call. */
export interface ClientErrorDetails {
  /** Display name of the server. */
  server: string;
  /** The saved connection that made the call; several may share a server and even a name. */
  connectionId?: string | undefined;
  /** Endpoint path below the API base. */
  endpoint?: string;
  /** The server's error code, if any. */
  code?: number;
  /** Position of the prompt that the server rejected. */
  prompt?: number | undefined;
  /** HTTP status, if a response arrived. */
  status?: number;
  reason?: FailureReason;
  /** What the user can do, if more specific than the default for the kind. */
  remedy?: string;
  /** Start of a reply that could not be parsed. */
  excerpt?: string;
  /** Whether no part of the request can have reached the server. Default: false. */
  isUnsent?: boolean;
  cause?: unknown;
}

/** What the user can do, by kind. @l10n */
const remedies: Record<ClientErrorKind, string> = {
  unreachable: 'Check that the server is running and that its address is correct.',
  tls: 'Check the server certificate with the server administrator.',
  proxy: 'Check the proxy settings and environment variables with the proxy administrator.',
  timeout: 'Try again, or request less data.',
  cancelled: '',
  notFound: 'Check the address. The API is usually at /api or /service/api.',
  notTheApi: 'Check the address, and whether a proxy or sign-in page answers instead of the server.',
  malformed: 'Try again. If the error persists, the extension may not support the release of the server.',
  tooLarge: 'Reduce the result: add criteria or a row limit.',
  notSignedIn: 'Sign in again.',
  takenOver: 'Sign in again. This ends the other session of this account.',
  signInRefused: 'Check the user name and password.',
  noPermission: 'Ask an administrator for access.',
  refused: 'Fix the problem that the server reported, then try again.',
  storage: 'Check that the disk has free space and that the system keyring is unlocked, then try again.',
  unknownOutcome: 'Refresh and check whether the change is there before you save again.',
};

function remedyOf(kind: ClientErrorKind, code: number | undefined): string {
  if (code !== errorCodes.noLicence) return l10n.listed(remedies[kind]);
  return l10n.t('Revoke a role that takes a seat, or renew the licence. Licences in the sidebar shows who has seats.');
}

/**
 * A failed call: what happened, where, why (`cause`) and what the user can do (`remedy`). Messages are safe to show and
 * to log: they never contain tokens, passwords or documents.
 */
export class ClientError extends Error {
  readonly kind: ClientErrorKind;
  readonly server: string;
  readonly endpoint: string | undefined;
  readonly code: number | undefined;
  /** Position of the prompt that the server rejected, if it names one. */
  readonly prompt: number | undefined;
  readonly status: number | undefined;
  readonly reason: FailureReason | undefined;
  /** Whether no part of the request can have reached the server. */
  readonly isUnsent: boolean;
  readonly remedy: string;
  /**
   * Start of a reply that could not be parsed. Shown to the user only, never logged or saved: it may be part of a
   * document.
   */
  readonly excerpt: string;
  #connectionId: string | undefined;

  constructor(kind: ClientErrorKind, message: string, details: ClientErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ClientError';
    this.kind = kind;
    this.server = details.server;
    this.#connectionId = details.connectionId;
    this.endpoint = details.endpoint;
    this.code = details.code;
    this.prompt = details.prompt;
    this.status = details.status;
    this.reason = details.reason;
    this.isUnsent = details.isUnsent ?? false;
    this.remedy = details.remedy ?? remedyOf(kind, details.code);
    this.excerpt = details.excerpt ?? '';
  }

  /**
   * The saved connection that made the call, so that remedies act on it. Undefined for a server that is not saved yet.
   */
  get connectionId(): string | undefined {
    return this.#connectionId;
  }

  /** Sets the connection, unless known: parts of a client know their server, not the connection that uses it. */
  attribute(connectionId: string): void {
    this.#connectionId ??= connectionId;
  }

  /** The same failure, for a step before the request was sent. */
  asUnsent(): ClientError {
    return this.#with({ isUnsent: true });
  }

  /** The same failure, for a step after the request was sent. */
  asSent(): ClientError {
    return this.#with({ isUnsent: false });
  }

  /** The same failure, with the reason behind it and what the user can do about that. */
  because(reason: FailureReason, remedy: string): ClientError {
    return this.#with({ reason, remedy });
  }

  /** The same failure, with other words about what the user can do. */
  withRemedy(remedy: string): ClientError {
    return this.#with({ remedy });
  }

  #with(changes: Partial<ClientErrorDetails>): ClientError {
    const { server, connectionId, endpoint, code, prompt, status, reason, remedy, excerpt, isUnsent } = this;
    if (changes.isUnsent === isUnsent) return this;
    return new ClientError(this.kind, this.message, {
      ...{ server, connectionId, prompt },
      ...(endpoint !== undefined && { endpoint }),
      ...(code !== undefined && { code }),
      ...(status !== undefined && { status }),
      ...(reason !== undefined && { reason }),
      ...{ remedy, excerpt, isUnsent, cause: this },
      ...changes,
    });
  }
}

/** The message to show, with the start of a reply that could not be parsed. Not for logs or files. */
export function shownMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isClientError(error) && error.excerpt !== ''
    ? l10n.t('{0} Received: {1}', error.message, error.excerpt)
    : error.message;
}

/** Whether `error` is a {@link ClientError}, optionally of the given `kind`. */
export function isClientError(error: unknown, kind?: ClientErrorKind): error is ClientError {
  return error instanceof ClientError && (kind === undefined || error.kind === kind);
}

/** Runs `work` and attributes its failure to the given connection. */
export async function forConnection<T>(connectionId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isClientError(error)) error.attribute(connectionId);
    throw error;
  }
}
