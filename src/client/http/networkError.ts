import { ClientError, type ClientErrorDetails } from '../clientError.ts';
import { tlsProblem } from './tlsProblem.ts';
import { abortError } from './waitFor.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Connecting failed, so no part of a request was sent; see `cause`. */
export class ConnectingFailed extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'ConnectingFailed';
  }
}

/** A request was never sent, or the server states that it has not handled it: it may be sent again. RFC 9113, 6.8; see `cause`. */
export class NotHandled extends ConnectingFailed {}

/** Why a connection failed, as the end of a sentence. @l10n */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'no server is listening at this address',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  ECONNRESET: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  EPROTO: 'the connection was lost',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
};

/** Errors that occur only while connecting; a route can also be lost while waiting for a reply. */
const connecting = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/** Facts about the call for {@link networkError}. */
interface NetworkCall {
  /** Ends the call: the signal of the caller, the deadline or both. */
  signal: AbortSignal;
  /** For messages, in milliseconds. */
  deadlineMs: number;
  /** Host of the proxy, if any. */
  proxy?: string | undefined;
}

/** Converts any error of the network layer to a {@link ClientError} that names the cause. */
export function networkError(cause: unknown, call: NetworkCall, details: ClientErrorDetails): ClientError {
  if (call.signal.aborted) return abortError(call, { ...details, cause });
  const code = errorCode(cause);
  const isConnecting = connecting.test(code) || cause instanceof ConnectingFailed;
  const facts = { ...details, cause, isUnsent: details.isUnsent ?? isConnecting };
  const problem = tlsProblem(code);
  // A TLS failure after the handshake is a broken connection: the server may have handled the request.
  const isVerdict = problem && (problem.reason !== 'handshake' || facts.isUnsent);
  if (problem && isVerdict) {
    const { reason, words, remedy } = problem;
    const message = l10n.t('Untrusted connection to {0}: {1} ({2}).', details.server, words, code);
    return new ClientError('tls', message, { ...facts, reason, remedy, isUnsent: true });
  }
  if (code.startsWith('Z_')) {
    return new ClientError(
      'malformed',
      l10n.t('The compressed reply of {0} is damaged ({1}).', details.server, code),
      facts,
    );
  }
  if (call.proxy !== undefined) {
    const failure = proxyError(cause, code, call.proxy, facts);
    if (failure) return failure;
  }
  const words = wordsOf(code, cause);
  const message = code
    ? l10n.t('{0} cannot be reached: {1} ({2}).', details.server, words, code)
    : l10n.t('{0} cannot be reached: {1}.', details.server, words);
  return new ClientError('unreachable', message, facts);
}

/** The error for a proxy that answers instead of the server, by status. */
export function proxyStatusError(status: number, proxy: string, details: ClientErrorDetails): ClientError {
  if (status === 407) {
    return new ClientError(
      'proxy',
      l10n.t('The proxy {0} requires a user name and password, or rejects the given ones.', proxy),
      {
        ...details,
        status,
        reason: 'proxySignIn',
        remedy: l10n.t('Set the user name and password of the proxy.'),
        isUnsent: true,
      },
    );
  }
  return new ClientError(
    'proxy',
    l10n.t('The proxy {0} refuses to connect to {1} ({2}).', proxy, details.server, status),
    {
      ...details,
      status,
      reason: 'proxyRefused',
      remedy: l10n.t('Ask the proxy administrator to allow the server, or exclude the server from the proxy.'),
      isUnsent: true,
    },
  );
}

function proxyError(cause: unknown, code: string, proxy: string, facts: ClientErrorDetails): ClientError | undefined {
  const status = /^Proxy response \((\d+)\)/.exec(messageOf(cause))?.[1];
  if (status !== undefined) return proxyStatusError(Number(status), proxy, facts);
  if (messageOf(cause).startsWith('Proxy Authentication Required')) return proxyStatusError(407, proxy, facts);
  if (!facts.isUnsent && code !== 'UND_ERR_PRX_TLS') return undefined;
  const words = wordsOf(code, cause);
  return new ClientError('proxy', l10n.t('The proxy {0} cannot be reached: {1} ({2}).', proxy, words, code || 'HTTP'), {
    ...facts,
    reason: 'proxyUnreachable',
    isUnsent: true,
  });
}

function wordsOf(code: string, cause: unknown): string {
  const reason = code.startsWith('ERR_HTTP2_') ? reasons.ECONNRESET : reasons[code];
  return reason === undefined ? messageOf(cause) : l10n.listed(reason);
}

/** The most specific error code in a chain of causes, or an empty string. */
function errorCode(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof AggregateError && current.errors.length > 0) {
      const inner = errorCode(current.errors[0]);
      if (inner) return inner;
    }
    if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
