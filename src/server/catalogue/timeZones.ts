import { setImmediate } from 'node:timers/promises';

/**
 * A time zone on the wire; `Offset` in whole hours from UTC, in standard time: of a zone between two hours the one nearer to
 * UTC, while the name says it all. API description, AnyDB module (time zone).
 */
export interface TimeZone {
  Name: string;
  Code: string;
  Offset: number;
}

const zonesPerTurn = 20;
let known: { year: number; zones: Promise<TimeZone[]> } | undefined;

/** Every time zone that the runtime knows, west to east; offsets are those of standard time in the year of `now`. */
export function timeZones(now: Date): Promise<TimeZone[]> {
  const year = now.getUTCFullYear();
  if (known?.year !== year) known = { year, zones: listZones(year) };
  return known.zones;
}

/** Looks the zones up in small portions: all at once would hold every other call up for 60 ms. */
async function listZones(year: number): Promise<TimeZone[]> {
  const zones: { hours: number; zone: TimeZone }[] = [];
  for (const code of ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')]) {
    const hours = standardOffset(code, year);
    const Name = `(${offsetName(hours)}) ${code.replaceAll('_', ' ')}`;
    // Adding 0 makes a negative zero an ordinary one.
    zones.push({ hours, zone: { Name, Code: code, Offset: Math.trunc(hours) + 0 } });
    if (zones.length % zonesPerTurn === 0) await setImmediate();
  }
  zones.sort((a, b) => a.hours - b.hours || (a.zone.Code < b.zone.Code ? -1 : 1));
  return zones.map(({ zone }) => zone);
}

/** Clocks go forward in summer, so the smaller of January's and July's offset is standard time. */
function standardOffset(timeZone: string, year: number): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return Math.min(...[0, 6].map((month) => offsetOn(format, new Date(Date.UTC(year, month, 1)))));
}

function offsetOn(format: Intl.DateTimeFormat, day: Date): number {
  const name = format.formatToParts(day).find((part) => part.type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const size = Number(hours ?? 0) + Number(minutes ?? 0) / 60;
  return sign === '-' ? -size : size;
}

function offsetName(hours: number): string {
  const minutes = Math.round(Math.abs(hours) * 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return `UTC${hours < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
