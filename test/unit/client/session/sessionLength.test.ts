import { describe, expect, it } from 'vitest';
import { sessionLength } from '../../../../src/client/session/sessionLength.ts';

const serverTime = new Date('2026-03-01T12:00:00Z');
const minute = 60_000;

describe('the length of a session', () => {
  it('is the distance from the server clock to the moment of expiry where that has a zone', () => {
    expect(sessionLength({ SessionExpir: '2026-03-01T12:45:00Z', SessionTimeLeft: 20 }, serverTime)).toBe(45 * minute);
    expect(sessionLength({ SessionExpir: '2026-03-01T14:45:00+02:00' }, serverTime)).toBe(45 * minute);
  });

  it.each([-12, -5, -3.5, -0.25, 0, 1, 2, 5.5, 5.75, 12.75, 14])(
    'is not taken for longer or shorter where the server writes its own time, %d h from UTC',
    (zone) => {
      for (const [minutes, told] of [
        [20, 20],
        [20, 1200],
        [60, 60],
        [60, 3600],
        [480, 480],
        [5, 300],
      ] as const) {
        const local = new Date(serverTime.getTime() + zone * 60 * minute + minutes * minute);
        const SessionExpir = local.toISOString().slice(0, 19);
        const length = sessionLength({ SessionExpir, SessionTimeLeft: told }, serverTime);
        expect({ told, length }).toEqual({ told, length: minutes * minute });
      }
    },
  );

  it('is what the server tells in minutes or seconds, else the default', () => {
    expect(sessionLength({ SessionTimeLeft: 30 }, serverTime)).toBe(30 * minute);
    expect(sessionLength({ SessionTimeLeft: 1800 }, serverTime)).toBe(30 * minute);
    expect(sessionLength({ SessionExpir: '2026-03-01T12:30:00' }, serverTime)).toBe(30 * minute);
    for (const moment of ['2026-03-01T14:20:00', '2026-03-01T17:50:00', '2026-03-01T07:20:00']) {
      expect(sessionLength({ SessionExpir: moment }, serverTime), moment).toBe(20 * minute);
    }
    expect(sessionLength({ SessionExpir: '0001-01-01T00:00:00' }, serverTime)).toBe(20 * minute);
    expect(sessionLength({}, undefined)).toBe(20 * minute);
  });
});
