import { errorCodes } from '../../contract/errorCodes.ts';
import type { LoginResponse, Session } from '../../contract/resources/session.ts';
import { accountZone, licenceFacts, rightsOf } from './accountRights.ts';
import { ClientError, isClientError } from '../clientError.ts';
import { emptyReply } from '../http/reply/rawReply.ts';
import type { EndpointCaller } from '../http/endpointCall.ts';
import type { Credentials, StoredSession, SignInRequirement } from './sessionState.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Sent with every call; the longest tokens in use are signed ones of one or two thousand characters. */
const longestToken = 16_384;

/**
 * Requests a session, which ends every other session of the account. API description, Authentication (DoLogin).
 * @param now the clock, in ms since 1970.
 * @throws {ClientError} signInRefused when the server rejects the credentials or requires a second factor; malformed
 * when the reply has no token; otherwise why the server was not reached.
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

/** Only the server's own error code is a verdict on the credentials; a bare 500 or a gateway's 502 is not. */
export function isRefusal(error: unknown): error is ClientError {
  return (isClientError(error, 'notSignedIn') || isClientError(error, 'refused')) && error.code !== undefined;
}

/** Whether the server rejected these credentials, so that they are not sent again. */
export function isRejection(error: unknown): boolean {
  return isClientError(error) && error.code === errorCodes.notSignedIn;
}

/** Message for a refused sign-in. */
export function refusalText(error: ClientError, { userName }: Credentials): string {
  return userName
    ? l10n.t('Sign-in of {0} was refused. {1}', userName, error.message)
    : l10n.t('Sign-in as a guest was refused. {0}', error.message);
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
  const demand = signInRequirementOf(reply);
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
      ...accountZone(user ?? {}),
      isGuest: reply.LoginSession?.isGuestSession === true,
      productVersion: reply.ProductVersion ?? '',
      ...(maxRecords > 0 && { maxRecords }),
      ...licenceFacts(reply),
      ...(demand && { demand }),
    },
  };
}

function withoutToken(server: string, reply: LoginResponse | typeof emptyReply): ClientError {
  if (reply === emptyReply || signInRequirementOf(reply) !== 'secondFactor') {
    return new ClientError('malformed', l10n.t('{0} accepted the sign-in but returned no token.', server), { server });
  }
  return new ClientError(
    'signInRefused',
    l10n.t('{0} requires a second factor, which this extension does not support.', server),
    {
      server,
      reason: 'secondFactor',
      remedy: l10n.t(
        "Sign in on the server's web pages in the browser, and request an account without a second factor.",
      ),
    },
  );
}

/**
 * The action that the reply to a sign-in requires from the user. The second factor's fields have no documented values:
 * an address for confirmation is a requirement, and so is any state except none if there is no token. API description,
 * Session and User.
 */
function signInRequirementOf({ LoginSession, LoginUser }: LoginResponse): SignInRequirement | undefined {
  const hasAddress = isSaid(LoginSession?.Mfa2FA_AuthURI);
  const isOpen = !isSaid(LoginSession?.SessionToken) && isSaid(LoginSession?.Mfa2FA_State);
  if (hasAddress || isOpen) return 'secondFactor';
  return LoginUser?.bforcepasschange === true ? 'newPassword' : undefined;
}

function isSaid(text: string | null | undefined): boolean {
  return typeof text === 'string' && !['', 'none'].includes(text.trim().toLowerCase());
}

/** Session duration if the server does not send it: its documented default of 20 minutes. */
const defaultMs = 20 * 60_000;
const shortestMs = 60_000;
const longestMs = 30 * 24 * 60 * 60_000;
/** All time zone offsets are multiples of this. */
const zoneStepMs = 15 * 60_000;
/** Without a zone or other information, a longer duration means that the time is in the server's local time. */
const longestUnzonedMs = 60 * 60_000;
/** Maximum rounding difference of a duration in whole minutes. */
const roundingMs = 60_000;

/**
 * Duration of a new session without calls, in milliseconds: the time from the server's clock to `SessionExpir`, so that
 * clock skew does not matter. If that time has no zone it may be in the server's local time, hours off; then
 * `SessionTimeLeft` decides. API description, Authentication.
 * @param serverTime the server's time when it answered the sign-in.
 */
export function sessionLength(session: Session, serverTime: Date | undefined): number {
  const told = toldLengths(session.SessionTimeLeft ?? 0);
  const [likeliest = defaultMs] = told;
  const expires = parseTimestamp(session.SessionExpir);
  if (!expires) return likeliest;
  const distance = expires.moment - (serverTime ?? new Date()).getTime();
  if (!expires.hasZone && told.length > 0) {
    return told.find((length) => fromQuarterHour(distance - length) < roundingMs) ?? likeliest;
  }
  if (!expires.hasZone && (distance <= 0 || distance > longestUnzonedMs)) return nearDefault(distance);
  return distance > 0 && distance < longestMs ? Math.round(distance / 1000) * 1000 : likeliest;
}

/**
 * Possible meanings of `SessionTimeLeft`, whose unit is undocumented: seconds or minutes, the one nearer to the default
 * first.
 */
function toldLengths(timeLeft: number): number[] {
  const ratio = (length: number) => Math.abs(Math.log(length / defaultMs));
  return [timeLeft * 1000, timeLeft * 60_000]
    .filter((length) => length >= shortestMs && length < longestMs)
    .sort((a, b) => ratio(a) - ratio(b));
}

/** The duration nearest to the default that differs by a multiple of 15 minutes. */
function nearDefault(distance: number): number {
  if (Math.abs(distance) > longestMs) return defaultMs;
  const length = distance - Math.round((distance - defaultMs) / zoneStepMs) * zoneStepMs;
  return Math.round(length / 1000) * 1000;
}

function fromQuarterHour(ms: number): number {
  const rest = Math.abs(ms) % zoneStepMs;
  return Math.min(rest, zoneStepMs - rest);
}

/** Parses a time to milliseconds since 1970, as UTC if it has no zone. */
function parseTimestamp(text: string | null | undefined): { moment: number; hasZone: boolean } | undefined {
  if (!text) return undefined;
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  const moment = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(moment) ? undefined : { moment, hasZone };
}
