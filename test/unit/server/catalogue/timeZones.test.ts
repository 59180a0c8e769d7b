import { describe, expect, it } from 'vitest';
import { timeZones } from '../../../../src/server/catalogue/applicationHandlers.ts';

describe('timeZones', () => {
  it('gives standard offsets in whole hours, whatever the season', async () => {
    for (const now of [new Date('2026-01-15T00:00:00Z'), new Date('2025-07-15T00:00:00Z')]) {
      const offsets = new Map((await timeZones(now)).map(({ Code, Offset }) => [Code, Offset]));
      expect(offsets.get('UTC')).toBe(0);
      expect(offsets.get('America/New_York')).toBe(-5);
      expect(offsets.get('Asia/Kathmandu') ?? offsets.get('Asia/Katmandu')).toBe(5);
      expect(offsets.get('Australia/Adelaide')).toBe(9);
      expect(offsets.get('America/St_Johns')).toBe(-3);
    }
  });

  it('names each zone once, west to east', async () => {
    const zones = await timeZones(new Date('2026-01-15T00:00:00Z'));
    expect(new Set(zones.map(({ Code }) => Code)).size).toBe(zones.length);
    expect(zones.map(({ Offset }) => Offset)).toEqual(zones.map(({ Offset }) => Offset).toSorted((a, b) => a - b));
    expect(zones.every(({ Offset }) => Number.isInteger(Offset) && !Object.is(Offset, -0))).toBe(true);
    expect(zones.find(({ Code }) => Code === 'America/St_Johns')?.Name).toBe('(UTC-03:30) America/St Johns');
  });
});
