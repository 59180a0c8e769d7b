import type { RegisteredServer } from '../resources/application.ts';
import type { User } from '../resources/user.ts';
import { windowsZones } from './windowsZones.ts';
import { zoneClock } from './zoneClock.ts';

/**
 * The time zones of a `dat` column, each an IANA name or a fixed offset such as `+05:30`: values are wall times of
 * `stored`, the registered server's zone, and are shown in `shown`, the user's.
 */
export interface Zones {
  stored: string;
  shown: string;
}

const hourMs = 3_600_000;

/** Zones that change their clocks, by their standard offset in hours: the one with most people. */
const changing: Readonly<Record<string, string>> = {
  '-10': 'America/Adak',
  '-9': 'America/Anchorage',
  '-8': 'America/Los_Angeles',
  '-7': 'America/Denver',
  '-6': 'America/Chicago',
  '-5': 'America/New_York',
  '-4': 'America/Halifax',
  '-3.5': 'America/St_Johns',
  '-3': 'America/Miquelon',
  '-1': 'Atlantic/Azores',
  '0': 'Europe/London',
  '1': 'Europe/Berlin',
  '2': 'Europe/Athens',
  '9.5': 'Australia/Adelaide',
  '10': 'Australia/Sydney',
  '10.5': 'Australia/Lord_Howe',
  '12': 'Pacific/Auckland',
  '12.75': 'Pacific/Chatham',
};

/** The zone of a user: by name where the server gives one that exists, else the offset. API description, User. */
export function zoneOfUser({ timezone, timezonename }: Partial<Pick<User, 'timezone' | 'timezonename'>>): string {
  const hours = timezone ?? 0;
  const zone = namedZone(timezonename);
  // A zero may only mean that the offset was never set.
  return zone !== undefined && (hours === 0 || isOffsetOf(zone, hours)) ? zone : fixedZone(hours);
}

/**
 * The zone of the dates and times in a registered server's database: by name where the server gives one, which the API
 * description does not list; else the offset, with the clock changes of the largest zone of that offset if
 * `DaylightSavings` is set. API description, Registered server.
 */
export function zoneOfServer({
  TimeZone,
  DaylightSavings,
  timezonename,
}: Partial<Pick<RegisteredServer, 'TimeZone' | 'DaylightSavings' | 'timezonename'>>): string {
  const hours = TimeZone ?? 0;
  const zone = namedZone(timezonename);
  if (zone !== undefined && isOffsetOf(zone, hours)) return zone;
  return (DaylightSavings === true ? changing[String(hours)] : undefined) ?? fixedZone(hours);
}

/** Name of a zone for display: `Europe/Berlin`, `UTC`, `UTC+05:30`. */
export function zoneTitle(zone: string): string {
  return /^[+-]/.test(zone) ? `UTC${zone}` : zone;
}

/**
 * Reads a zone's name: an IANA name, a Windows name, or a name as servers list it, such as `(UTC+05:30) Asia/Kolkata`,
 * of which the offset remains if the rest is unknown. Undefined if it names no zone.
 */
function namedZone(name: string | null | undefined): string | undefined {
  const [, offset, rest = ''] =
    /^\s*(?:\(?\s*(?:UTC|GMT)?\s*([+-]\d{1,2}(?::?\d{2})?)?\s*\))?\s*(.*?)\s*$/i.exec(name ?? '') ?? [];
  const wanted = windowsZones[rest.toLowerCase()] ?? rest.replaceAll(' ', '_');
  if (/^[a-z]/i.test(wanted) && isZone(wanted)) return /^(etc\/)?(utc|gmt)$/i.test(wanted) ? 'UTC' : wanted;
  const [, sign, hours = '', minutes = '00'] = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/i.exec(offset ?? rest) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return undefined;
  return fixedZone((sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60));
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) instanceof Intl.DateTimeFormat;
  } catch {
    // Intl throws for a name that it does not know.
    return false;
  }
}

/** Whether a zone has this offset in summer or winter. Servers give whole hours, also for zones between two hours. */
function isOffsetOf(zone: string, hours: number): boolean {
  const { wall } = zoneClock(zone);
  const year = new Date().getUTCFullYear();
  return [0, 6].some((month) => {
    const moment = Date.UTC(year, month, 1);
    return Math.abs((wall(moment) - moment) / hourMs - hours) < 1;
  });
}

function fixedZone(hours: number): string {
  const minutes = Math.min(Math.round(Math.abs(hours) * 60), 24 * 60 - 1);
  if (minutes === 0 || Number.isNaN(minutes)) return 'UTC';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${hours < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
