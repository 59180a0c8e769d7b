import { type DatabaseAddress, DatabaseError } from './database.ts';

/** Address of a database server: a host and port, or the folder or file of a socket. */
export interface Endpoint {
  host: string;
  port: number;
}

/**
 * Parses `host`, `host:port`, `[address]:port` or the absolute path of a socket. An empty host is this machine.
 * @throws {DatabaseError} of kind `unreachable` for anything else.
 */
export function endpointOf({ host, displayName, params }: DatabaseAddress, ownPort: number): Endpoint {
  const text = host.trim();
  const port = Number(setting(params, 'port') ?? ownPort);
  if (text === '') return { host: 'localhost', port };
  if (text.startsWith('/')) return { host: text, port };
  const found = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text);
  if (!found) throw new DatabaseError('unreachable', `${displayName}: "${text}" is not a host; enter host:port`);
  return { host: found[1] ?? found[2] ?? '', port: Number(found[3] ?? port) };
}

/** A setting of additionalparams, which are `name=value` pairs separated by `;`. */
export function setting(params: string, name: string): string | undefined {
  const pairs = params.split(';').map((pair) => pair.split('='));
  return pairs.find(([key = '']) => key.trim().toLowerCase() === name)?.[1]?.trim();
}

/**
 * Encryption of a connection, by the setting `tls`: `verify` checks the server's certificate, `require` accepts any,
 * `off` disables encryption. `usual` is the default.
 * @throws {DatabaseError} of kind `unreachable` for any other value.
 */
export function tlsOf(
  { params, displayName }: DatabaseAddress,
  usual: 'off' | 'require' = 'off',
): { rejectUnauthorized: boolean } | undefined {
  const wanted = (setting(params, 'tls') ?? usual).toLowerCase();
  if (wanted === 'off') return undefined;
  if (wanted === 'verify' || wanted === 'require') return { rejectUnauthorized: wanted === 'verify' };
  throw new DatabaseError(
    'unreachable',
    `${displayName}: the setting tls is "${wanted}"; write off, require or verify`,
  );
}

const networkProblems: Record<string, string> = {
  ECONNREFUSED: 'no server is listening there',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host is unknown',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
};

/** The same message whether or not the socket's path exists: different ones would reveal which files exist. */
const socketProblem = 'no database server answers at this socket';

/** The code of a driver or network error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** An error and its causes: a driver's error often wraps the network errors, one for each address. */
function chainOf(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  const joined: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...[...joined, error.cause].flatMap(chainOf)];
}

/**
 * The error for a failed connection, without the database's own message, which may contain the login. `own` are the
 * driver's codes.
 */
export function unreachable(
  { displayName, connectionTimeout }: DatabaseAddress,
  { host, port }: Endpoint,
  error: unknown,
  own: Readonly<Record<string, string>>,
): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const codes = chainOf(error).map(codeOf);
  const code = codes.find((each) => Object.hasOwn(own, each) || Object.hasOwn(networkProblems, each)) ?? codes[0] ?? '';
  const isLate = error instanceof Error && /time.?out/i.test(error.message);
  const isSocket = host.startsWith('/');
  const known = own[code] ?? (isSocket && !isLate ? socketProblem : networkProblems[code]);
  const problem = known ?? (isLate ? `it did not answer within ${connectionTimeout} s` : `the connection failed`);
  const detail = known === undefined && code !== '' ? ` (${code})` : '';
  const place = isSocket ? host : `${host}:${port}`;
  return new DatabaseError('unreachable', `${displayName}: cannot connect to ${place}: ${problem}${detail}`);
}
