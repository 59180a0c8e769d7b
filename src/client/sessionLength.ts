import type { Session } from '../contract/resources/session.ts';

/** Session length where the server does not tell: its documented default of 20 minutes. */
const defaultMs = 20 * 60_000;
const longestMs = 30 * 24 * 60 * 60_000;

/**
 * How long a fresh session lasts without calls, in milliseconds: the distance from the server's clock to
 * `SessionExpir`, so that neither clock skew nor a missing zone matters. API description, Authentication.
 * @param serverTime the server's clock when it answered the sign-in.
 */
export function sessionLength(session: Session, serverTime: Date | undefined): number {
  const expires = parseTimestamp(session.SessionExpir);
  if (expires !== undefined) {
    const length = expires - (serverTime ?? new Date()).getTime();
    // A timestamp without a zone may be the server's local time; then the distance is off by whole hours.
    if (length > 0 && length < longestMs) return Math.round(length / 1000) * 1000;
  }
  const minutes = session.SessionTimeLeft ?? 0;
  return minutes > 0 ? minutes * 60_000 : defaultMs;
}

/** Milliseconds since 1970, reading a timestamp without a zone as UTC. */
function parseTimestamp(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const value = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(value) ? undefined : value;
}
