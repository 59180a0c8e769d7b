import type { Session } from '../../contract/resources/session.ts';

/** Session length where the server does not tell: its documented default of 20 minutes. */
const defaultMs = 20 * 60_000;
const shortestMs = 60_000;
const longestMs = 30 * 24 * 60 * 60_000;
/** Every zone's distance from UTC is a multiple of this. */
const zoneStepMs = 15 * 60_000;
/** Without a zone and without another word, a longer time is taken for the server's own time. */
const longestUnzonedMs = 60 * 60_000;
/** How far a length in whole minutes may be from the moments that it is checked against. */
const roundingMs = 60_000;

/**
 * How long a fresh session lasts without calls, in milliseconds: the distance from the server's clock to `SessionExpir`,
 * so that clock skew does not matter. Where that moment has no zone it may be the server's local time, hours away on the
 * clock; then `SessionTimeLeft` tells. API description, Authentication.
 * @param serverTime the server's clock when it answered the sign-in.
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

/** What `SessionTimeLeft` may mean, as its unit is not documented: seconds or minutes, the one nearer to the default first. */
function toldLengths(timeLeft: number): number[] {
  const ratio = (length: number) => Math.abs(Math.log(length / defaultMs));
  return [timeLeft * 1000, timeLeft * 60_000]
    .filter((length) => length >= shortestMs && length < longestMs)
    .sort((a, b) => ratio(a) - ratio(b));
}

/** The length nearest to the default that is off by whole quarter hours only. */
function nearDefault(distance: number): number {
  if (Math.abs(distance) > longestMs) return defaultMs;
  const length = distance - Math.round((distance - defaultMs) / zoneStepMs) * zoneStepMs;
  return Math.round(length / 1000) * 1000;
}

function fromQuarterHour(ms: number): number {
  const rest = Math.abs(ms) % zoneStepMs;
  return Math.min(rest, zoneStepMs - rest);
}

/** The moment in milliseconds since 1970, read as UTC where no zone stands. */
function parseTimestamp(text: string | null | undefined): { moment: number; hasZone: boolean } | undefined {
  if (!text) return undefined;
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  const moment = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(moment) ? undefined : { moment, hasZone };
}
