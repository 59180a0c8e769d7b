import { describe, expect, it } from 'vitest';
import { datTexts, rezoned } from '../../../../src/contract/zones/zonedTimes.ts';

/*
 * Days around changes of clocks. The oracle asks `Intl` what clocks show, and looks for the moment among all offsets.
 */

/** Zones with changes by an hour, half an hour and at midnight, without changes, and between two hours. */
const zones = [
  ...['America/New_York', 'America/Denver', 'America/St_Johns', 'Europe/Berlin', 'Asia/Beirut', 'Australia/Lord_Howe'],
  ...['Asia/Kolkata', 'Pacific/Chatham', 'Atlantic/Cape_Verde', 'Asia/Kathmandu', 'UTC'],
];
/** Days on which clocks change in one of them, in 2026. */
const days = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-09-27', '2026-10-04', '2026-10-25', '2026-11-01'];
const hourMs = 3_600_000;
const formats = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }),
  ]),
);

function clocksOf(zone: string, moment: number): string {
  return formats.get(zone)?.format(moment) ?? '';
}

/** The earliest moment at which the clocks of a zone show `text`; undefined if they skip it. */
function momentOf(zone: string, text: string): number | undefined {
  const read = Date.parse(`${text.replace(' ', 'T')}Z`);
  const moments = Array.from({ length: 105 }, (_, index) => read - 14 * hourMs + (index * hourMs) / 4);
  return moments.find((moment) => clocksOf(zone, moment) === text);
}

function shifted(day: string, hours: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + Math.round(hours * 60) * 60_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');
}

const stored = zones.flatMap((zone) =>
  days.flatMap((day) =>
    // Every ten minutes, from the evening before to the morning.
    Array.from({ length: 10 * 6 }, (_, index) => shifted(day, index / 6 - 4)).map((text) => ({
      zone,
      text,
      moment: momentOf(zone, text),
    })),
  ),
);

describe.each(zones)('shown in %s', (shown) => {
  it('a time is of the day that a criterion on this day finds, also where clocks change', () => {
    for (const { zone, text, moment } of stored) {
      // Times that the clocks of the server skip are no times.
      if (moment === undefined) continue;
      const expected = clocksOf(shown, moment);
      expect(datTexts.shown(text, { stored: zone, shown }), `${text} of ${zone}`).toBe(expected);
      const day = expected.slice(0, 10);
      const next = shifted(day, 24).slice(0, 10);
      const [from, to] = [rezoned(day, shown, zone), rezoned(next, shown, zone)];
      expect(from <= text && text < to, `${text} of ${zone}, shown as ${expected}: from ${from} to ${to}`).toBe(true);
    }
  });

  it('a time that does not exist is one and the same moment on the screen and in files', () => {
    const skipped = stored.filter(({ moment }) => moment === undefined);
    expect(skipped.length).toBeGreaterThan(20);
    for (const { zone, text } of skipped) {
      const [screen, file] = [
        datTexts.shown(text, { stored: zone, shown }),
        datTexts.iso(text, { stored: zone, shown }),
      ];
      expect(file, `${text} of ${zone}`).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
      expect(file.slice(0, 19).replace('T', ' '), `${text} of ${zone}`).toBe(screen);
      expect(clocksOf(shown, Date.parse(file)), `${text} of ${zone}`).toBe(screen);
    }
  });
});
