import { errorCodes } from '../../contract/errorCodes.ts';
import type { LoginResponse } from '../../contract/resources/session.ts';
import { rightsOf } from './accountRights.ts';
import { ClientError, isClientError } from '../clientError.ts';
import { emptyReply } from '../http/reply/rawReply.ts';
import type { EndpointCaller } from '../http/endpointCall.ts';
import { demandOf } from './sessionDemand.ts';
import { sessionLength } from './sessionLength.ts';
import type { Credentials, StoredSession } from './sessionState.ts';
import { say } from '../../l10n/l10n.ts';

/** Every call carries it; the longest in use are signed ones of one or two thousand characters. */
const longestToken = 16_384;

/**
 * Asks the server for a session, which ends every other session of the account. API description, Authentication (DoLogin).
 * @param now the clock, in ms since 1970.
 * @throws {ClientError} signInRefused when the server rejects the credentials or asks for a second factor; malformed when it
 * gives no token; else why it was not reached.
 */
export async function signInAt(
  caller: EndpointCaller,
  credentials: Credentials,
  now: () => number,
  signal: AbortSignal,
): Promise<StoredSession> {
  const { userName, password, isGuest } = credentials;
  const body = { UserId: userName, UserPassword: password, isGuest, bolForceLogin: true };
  const { value, serverTime } = await caller.call('login/DoLogin', body, undefined, { signal });
  const session = value === emptyReply ? undefined : sessionOf(value, credentials, now(), serverTime);
  if (!session) throw withoutToken(caller.target.name, value);
  return session;
}

/** Only the server's own code is a verdict on the credentials; a bare 500 or a gateway's 502 is none. */
export function isRefusal(error: unknown): error is ClientError {
  return (isClientError(error, 'notSignedIn') || isClientError(error, 'refused')) && error.code !== undefined;
}

/** Whether the server said that it does not know these credentials, so that nobody sends them again. */
export function isRejection(error: unknown): boolean {
  return isClientError(error) && error.code === errorCodes.notSignedIn;
}

/** Why a sign-in was refused, in words. */
export function refusalWords(error: ClientError, { userName }: Credentials): string {
  return userName
    ? say('Sign-in of {0} was refused. {1}', userName, error.message)
    : say('Sign-in as a guest was refused. {0}', error.message);
}

function sessionOf(
  reply: LoginResponse,
  { userName }: Credentials,
  now: number,
  serverTime: Date | undefined,
): StoredSession | undefined {
  const token = reply.LoginSession?.SessionToken;
  if (!token || token.length > longestToken) return undefined;
  const timeoutMs = sessionLength(reply.LoginSession ?? {}, serverTime);
  const user = reply.LoginUser;
  const demand = demandOf(reply);
  const maxRecords = Math.trunc(Number(reply.maxrecords ?? '')) || 0;
  return {
    token,
    timeoutMs,
    expiresAt: new Date(now + timeoutMs).toISOString(),
    account: {
      userId: String(user?.ID ?? ''),
      loginName: user?.LoginName || userName || 'guest',
      fullName: user?.FullName ?? '',
      ...rightsOf(user ?? {}),
      isGuest: reply.LoginSession?.isGuestSession === true,
      productVersion: reply.ProductVersion ?? '',
      ...(maxRecords > 0 && { maxRecords }),
      ...(demand && { demand }),
    },
  };
}

function withoutToken(server: string, reply: LoginResponse | typeof emptyReply): ClientError {
  if (reply === emptyReply || demandOf(reply) !== 'secondFactor') {
    return new ClientError('malformed', say('{0} signed in without giving a token.', server), { server });
  }
  return new ClientError('signInRefused', say('{0} asks for a second factor, which cannot be given here.', server), {
    server,
    reason: 'secondFactor',
    remedy: say('Sign in on the pages of the server, in the browser, and ask for an account without a second factor.'),
  });
}
