import { ClientError, type ClientErrorDetails } from './clientError.ts';

const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH)/;

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens at this address',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was broken',
  UND_ERR_SOCKET: 'the connection was broken',
  EPIPE: 'the connection was broken',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
};

/** Turns whatever the network layer threw into a {@link ClientError} that names the cause. */
export function networkError(
  cause: unknown,
  signal: AbortSignal,
  limits: { signal?: AbortSignal | undefined; deadlineMs: number },
  details: ClientErrorDetails,
): ClientError {
  const facts = { ...details, cause };
  if (limits.signal?.aborted) return new ClientError('cancelled', `Cancelled: ${details.endpoint ?? 'call'}.`, facts);
  if (signal.aborted) {
    const seconds = Math.round(limits.deadlineMs / 1000);
    return new ClientError('timeout', `${details.server} did not finish its answer within ${seconds} s.`, facts);
  }
  const code = errorCode(cause);
  if (tlsCodes.test(code)) {
    return new ClientError('tls', `No trusted connection to ${details.server}: ${messageOf(cause)} (${code}).`, facts);
  }
  if (code.startsWith('Z_')) {
    return new ClientError('malformed', `The compressed reply of ${details.server} is damaged (${code}).`, facts);
  }
  const reason = reasons[code] ?? messageOf(cause);
  return new ClientError(
    'unreachable',
    `${details.server} cannot be reached: ${reason}${code && ` (${code})`}.`,
    facts,
  );
}

/** The most telling error code in a chain of causes, or an empty string. */
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
