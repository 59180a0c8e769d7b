/** A time zone and how its clocks run. Times are in milliseconds since 1970; a wall time is read as if it were UTC. */
export interface ZoneClock {
  /** Wall time at a moment. */
  wall: (moment: number) => number;
  /**
   * Moment of a wall time. A time that clocks show twice is the first one; a time that they skip is read with the offset
   * before the change.
   */
  moment: (wall: number) => number;
}

const dayMs = 86_400_000;
/** Before this date, time zones changed at odd times of the day. */
const firstPlain = Date.UTC(1973, 0, 1);
const lastPlain = Date.UTC(9999, 0, 1);
/** Number of days to cache UTC offsets for. More are rare; then the cache is cleared. */
const mostDays = 50_000;
const fixedForm = /^([+-])(\d{2}):(\d{2})$/;

const known = new Map<string, ZoneClock>();

/**
 * The clock of a time zone. Clocks are cached: `Intl` is called only for the UTC offset of each day.
 * @param zone IANA name such as `Europe/Berlin`, or a fixed offset such as `+05:30`.
 */
export function zoneClock(zone: string): ZoneClock {
  let clock = known.get(zone);
  if (clock === undefined) known.set(zone, (clock = newClock(zone)));
  return clock;
}

function newClock(zone: string): ZoneClock {
  const [, sign, hours = '0', minutes = '0'] = fixedForm.exec(zone) ?? [];
  if (sign === undefined && zone !== 'UTC') return namedClock(zone);
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return { wall: (moment) => moment + offset, moment: (wall) => wall - offset };
}

function namedClock(timeZone: string): ZoneClock {
  let format: Intl.DateTimeFormat | undefined;
  const ask = (moment: number) => {
    // Swedish uses the ISO format.
    format ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
    const wholeSeconds = Math.floor(moment / 1000) * 1000;
    const wall = format.format(moment).replace(' ', 'T').padStart('YYYY-MM-DDTHH:mm:ss'.length, '0');
    const offset = Date.parse(`${wall}Z`) - wholeSeconds;
    return Number.isNaN(offset) ? 0 : offset;
  };
  const offsetAt = byDay(ask, (day) => {
    const offset = ask(day * dayMs);
    return ask((day + 1) * dayMs) === offset ? offset : NaN;
  });
  const offsetOfWall = (wall: number) => {
    const [before, after] = [offsetAt(wall - dayMs), offsetAt(wall + dayMs)];
    const isAfter = before !== after && offsetAt(wall - before) !== before && offsetAt(wall - after) === after;
    return isAfter ? after : before;
  };
  const offsetOf = byDay(offsetOfWall, (day) => {
    const offset = offsetAt((day - 1) * dayMs);
    return [0, 1, 2].every((later) => offsetAt((day + later) * dayMs) === offset) ? offset : NaN;
  });
  return { wall: (moment) => moment + offsetAt(moment), moment: (wall) => wall - offsetOf(wall) };
}

/** Offsets by day: `ofDay` returns NaN for a day whose offset is not constant, for which `ask` is called each time. */
function byDay(ask: (time: number) => number, ofDay: (day: number) => number): (time: number) => number {
  const offsets = new Map<number, number>();
  return (time) => {
    if (!(time >= firstPlain && time < lastPlain)) return ask(time);
    const day = Math.floor(time / dayMs);
    let offset = offsets.get(day);
    if (offset === undefined) {
      offset = ofDay(day);
      if (offsets.size >= mostDays) offsets.clear();
      offsets.set(day, offset);
    }
    return Number.isNaN(offset) ? ask(time) : offset;
  };
}
