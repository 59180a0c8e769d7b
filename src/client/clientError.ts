import { say, sayListed } from '../l10n/l10n.ts';

/** Why a call failed, in terms of what the user can do about it. */
export type ClientErrorKind =
  /** The server could not be reached: name not found, connection refused or broken. */
  | 'unreachable'
  /** The TLS handshake failed; `reason` says whether the certificate is unknown, expired, changed and so on. */
  | 'tls'
  /** The proxy on the way could not be reached or refused; `reason` says which. */
  | 'proxy'
  /** The call's deadline passed. */
  | 'timeout'
  /** The user, or the code that asked, gave up. Not a failure to report. */
  | 'cancelled'
  /** No such path: the API base is probably wrong. */
  | 'notFound'
  /** What answered is not the management API. */
  | 'notTheApi'
  /** The reply breaks the contract: truncated, not JSON, of another shape. */
  | 'malformed'
  /** The reply is larger than the caps allow. */
  | 'tooLarge'
  /** No valid session and no way to get one without the user. */
  | 'notSignedIn'
  /** The account signed in elsewhere, which ended this session. */
  | 'takenOver'
  /** Sign-in was refused: wrong user or password, or a locked account. */
  | 'signInRefused'
  /** The session is valid, but may not see or change the object. */
  | 'noPermission'
  /** The server understood the call and refused it; `code` says why. */
  | 'refused'
  /** This computer does not keep or give back what the call needs: secret storage, the lock of all windows, the journal. */
  | 'storage'
  /** A write was sent, its reply was lost, and reading again did not show what became of it. */
  | 'unknownOutcome';

/** What exactly was wrong with the connection, where the kind alone leaves it open. */
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
  | 'proxyUnreachable'
  | 'proxyRefused'
  | 'proxySignIn'
  | 'badProxy';

/** Facts of a failed call. */
export interface ClientErrorDetails {
  /** Name of the server as the user knows it. */
  server: string;
  /** The saved connection that the call was made for; several may have the same server, and even the same name. */
  connectionId?: string | undefined;
  /** Path of the endpoint below the API base. */
  endpoint?: string;
  /** The server's own error code, where it gave one. */
  code?: number;
  /** Place of the prompt that the server objects to. */
  prompt?: number | undefined;
  /** HTTP status, where one came. */
  status?: number;
  reason?: FailureReason;
  /** What can be done, where it is known better than from the kind. */
  remedy?: string;
  /** The start of a reply that could not be read. */
  excerpt?: string;
  /** Whether it is certain that nothing of the request reached the server. Default false. */
  isUnsent?: boolean;
  cause?: unknown;
}

/** What can be done about each kind. @l10n */
const remedies: Record<ClientErrorKind, string> = {
  unreachable: 'Check that the server is running and that its address is right.',
  tls: "Check the server's certificate with whoever runs it.",
  proxy: 'Check the proxy in the settings or the environment with whoever runs it.',
  timeout: 'Try again, or ask for less.',
  cancelled: '',
  notFound: 'Check the address: the API usually lies below /api or /service/api.',
  notTheApi: 'Check the address, and whether a proxy or sign-in page answers in place of the server.',
  malformed: 'Try again; if it stays, the server may be of a release that this extension does not know.',
  tooLarge: 'Ask for less: add criteria or a row limit.',
  notSignedIn: 'Sign in again.',
  takenOver: 'Sign in again; that ends the other session of this account.',
  signInRefused: 'Check the user name and the password.',
  noPermission: 'Ask an administrator for access.',
  refused: 'Mend what the server objects to and try again.',
  storage: "Check that the disk has room and the system's keyring is unlocked, then try again.",
  unknownOutcome: 'Refresh and look whether the change is there before you save again.',
};

/**
 * A call that failed: what happened, where, why (`cause`) and what can be done (`remedy`). Messages are safe to show and
 * to log: they never carry tokens, passwords or documents.
 */
export class ClientError extends Error {
  readonly kind: ClientErrorKind;
  readonly server: string;
  readonly endpoint: string | undefined;
  readonly code: number | undefined;
  /** Place of the prompt that the server objects to, where it names one. */
  readonly prompt: number | undefined;
  readonly status: number | undefined;
  readonly reason: FailureReason | undefined;
  /** Whether it is certain that nothing of the request reached the server. */
  readonly isUnsent: boolean;
  readonly remedy: string;
  /** The start of a reply that could not be read: for the user's eyes, never for a log or a file, since it may be a document. */
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
    this.remedy = details.remedy ?? sayListed(remedies[kind]);
    this.excerpt = details.excerpt ?? '';
  }

  /** The saved connection that the call was made for, so that a way out acts on that very one; absent for a server not saved yet. */
  get connectionId(): string | undefined {
    return this.#connectionId;
  }

  /** Notes whose call failed, unless that is known: parts of a client know their server, and not who uses it. */
  attribute(connectionId: string): void {
    this.#connectionId ??= connectionId;
  }

  /** The same failure, of a step before the request: that never went out. */
  asUnsent(): ClientError {
    return this.#toldAs(true);
  }

  /** The same failure, of a step after a request that did go out. */
  asSent(): ClientError {
    return this.#toldAs(false);
  }

  #toldAs(isUnsent: boolean): ClientError {
    if (this.isUnsent === isUnsent) return this;
    const { server, connectionId, endpoint, code, status, reason, remedy, excerpt } = this;
    return new ClientError(this.kind, this.message, {
      ...{ server, connectionId },
      ...(endpoint !== undefined && { endpoint }),
      ...(code !== undefined && { code }),
      ...(status !== undefined && { status }),
      ...(reason !== undefined && { reason }),
      ...{ remedy, excerpt, isUnsent, cause: this },
    });
  }
}

/** What happened, in words for the user; with the start of a reply that could not be read. Not for logs and files. */
export function shownMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isClientError(error) && error.excerpt !== ''
    ? say('{0} What came: {1}', error.message, error.excerpt)
    : error.message;
}

/** Whether `error` is a {@link ClientError}, of `kind` if one is given. */
export function isClientError(error: unknown, kind?: ClientErrorKind): error is ClientError {
  return error instanceof ClientError && (kind === undefined || error.kind === kind);
}

/** Runs `work`; a failure of it tells that it was a call for this connection. */
export async function forConnection<T>(connectionId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isClientError(error)) error.attribute(connectionId);
    throw error;
  }
}
