import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ZoneCase, ZoneCells } from '../../support/zones/zoneCases.ts';

/*
 * Dates and times of a registered server as a user sees them, on machines in other time zones: the screen, the clipboard, the
 * filter box and files. The oracle looks for the moment among all offsets that exist; it calculates none.
 */

/** Registered servers by the zone that their times are of: a fixed offset has none. */
const servers = [
  { zone: 'UTC', server: { TimeZone: 0, DaylightSavings: false } },
  { zone: 'Europe/London', server: { TimeZone: 0, DaylightSavings: true } },
  { zone: 'Etc/GMT-1', server: { TimeZone: 1, DaylightSavings: false } },
  { zone: 'Europe/Berlin', server: { TimeZone: 1, DaylightSavings: true } },
  { zone: 'America/New_York', server: { TimeZone: -5, DaylightSavings: true } },
  { zone: 'Etc/GMT+8', server: { TimeZone: -8, DaylightSavings: false } },
  { zone: 'Pacific/Auckland', server: { TimeZone: 12, DaylightSavings: true } },
  { zone: 'Australia/Sydney', server: { TimeZone: 10, DaylightSavings: true } },
  { zone: 'Asia/Kolkata', server: { TimeZone: 5, DaylightSavings: false, timezonename: 'Asia/Kolkata' } },
  { zone: 'Australia/Lord_Howe', server: { TimeZone: 10, DaylightSavings: true, timezonename: 'Australia/Lord_Howe' } },
];
/** Users by the zone that they are in, as servers of different releases name it. */
const users = [
  { zone: 'UTC', user: { timezone: 0, timezonename: '' } },
  { zone: 'America/Los_Angeles', user: { timezone: -8, timezonename: 'America/Los_Angeles' } },
  { zone: 'America/Los_Angeles', user: { timezone: -8, timezonename: '(UTC-08:00) America/Los Angeles' } },
  { zone: 'America/Los_Angeles', user: { timezone: -8, timezonename: 'Pacific Standard Time' } },
  { zone: 'Asia/Kolkata', user: { timezone: 5, timezonename: 'India Standard Time' } },
  { zone: 'Asia/Kolkata', user: { timezone: 5, timezonename: '(UTC+05:30) Chennai, Kolkata' } },
  { zone: 'America/St_Johns', user: { timezone: -3, timezonename: 'America/St_Johns' } },
  { zone: 'Pacific/Auckland', user: { timezone: 13, timezonename: 'Pacific/Auckland' } },
  { zone: 'Pacific/Chatham', user: { timezone: 12, timezonename: '(UTC+12:45) Pacific/Chatham' } },
  { zone: 'Etc/GMT-3', user: { timezone: 3, timezonename: 'Europe/Berlin' } },
  { zone: 'Etc/GMT+5', user: { timezone: -5, timezonename: '' } },
];

const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone show at a moment, as `YYYY-MM-DD HH:mm:ss`. */
function clocksOf(timeZone: string, moment: number): string {
  const digits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', ...digits, hourCycle: 'h23' });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second}`;
}

/** All offsets of a zone from 1975 on are multiples of 15 minutes, the largest first: it gives the earliest moment. */
const offsets = Array.from({ length: (14 + 12) * 4 + 1 }, (_, index) => 14 * 60 - index * 15);

/** The earliest moment at which the clocks of a zone show `text`; undefined if they skip it. */
function momentOf(text: string, zone: string): number | undefined {
  const moments = offsets.map((minutes) => Date.parse(`${text.replace(' ', 'T')}Z`) - minutes * 60_000);
  return moments.find((moment) => clocksOf(zone, moment) === text);
}

const second = 1000;
/** Hours in which clocks change in one of the zones, in 2026. */
const changes = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-09-27', '2026-10-04', '2026-10-25', '2026-11-01'];
const moments = fc.oneof(
  fc.integer({ min: Date.UTC(1975, 0, 2) / second, max: Date.UTC(2037, 0, 1) / second }),
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -15 * 3600, max: 39 * 3600 }))
    .map(([day, seconds]) => Date.parse(`${day}T00:00:00Z`) / second + seconds),
);
const cases = fc.tuple(
  fc.constantFrom(...servers),
  fc.constantFrom(...users),
  fc.array(moments, { minLength: 20, maxLength: 60 }),
);

const machines = [
  ['Pacific/Auckland', -780],
  ['America/Los_Angeles', 480],
  ['Asia/Kolkata', -330],
  ['UTC', 0],
] as const;

describe.each(machines)('on a machine in %s', (TZ, offset) => {
  it(
    'every cell, copy, filter and file has the time of the server in the zone of the user',
    { timeout: 300_000 },
    async () => {
      const drawn = fc.sample(cases, { seed: Number(process.env.PROPERTY_SEED ?? 20_261_125), numRuns: 60 });
      const asked = drawn.map(([{ zone, server }, { zone: shown, user }, seconds]) => {
        const all = seconds.map((each) => new Date(each * second).toISOString().slice(0, 19).replace('T', ' '));
        // Times that the server's clocks skip are no times there.
        return { zone, shown, server, user, values: all.filter((text) => momentOf(text, zone) !== undefined) };
      });
      const answers = await answersOf(
        TZ,
        asked.map(({ server, user, values }) => ({ server, user, values })),
      );
      for (const [index, { zone, shown, server, user, values }] of asked.entries()) {
        const { cells, copied, files, found, offset: taken } = answers[index]!;
        const what = `${JSON.stringify(server)} to ${JSON.stringify(user)}`;
        expect(taken, 'the process took the zone').toBe(offset);
        const expected = values.map((text) => momentOf(text, zone) ?? NaN);
        const texts = expected.map((moment) => clocksOf(shown, moment));
        expect(cells, what).toEqual(texts);
        expect(copied, what).toEqual(texts);
        expect(
          files.map((text) => Date.parse(text)),
          what,
        ).toEqual(expected);
        expect(
          files.map((text) => text.slice(0, 19).replace('T', ' ')),
          what,
        ).toEqual(texts);
        expect(
          files.every((text) => /[+-]\d\d:\d\d$/.test(text)),
          what,
        ).toBe(true);
        const rows = (wanted: string) => texts.flatMap((text, row) => (text === wanted ? [row] : []));
        expect(found, what).toEqual(texts.slice(0, 20).map(rows));
      }
    },
  );
});

async function answersOf(TZ: string, asked: ZoneCase[]): Promise<ZoneCells[]> {
  const script = path.join(import.meta.dirname, '../../support/zones/writeCells.ts');
  const child = fork(script, [], { env: { ...process.env, TZ } });
  try {
    await once(child, 'message');
    const answer = once(child, 'message') as Promise<[ZoneCells[]]>;
    child.send(asked);
    return (await answer)[0];
  } finally {
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  }
}
