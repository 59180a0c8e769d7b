import { describe, expect, it } from 'vitest';
import {
  backupsToDelete,
  isDue,
  type KnownBackup,
  momentOfBackup,
  replacedToDelete,
} from '../../../../src/server/backups/retention.ts';

function backup(name: string, bytes = 1): KnownBackup {
  return {
    name: `daily-${name}.db`,
    moment: new Date(`${name.slice(0, 10)}T${name.slice(11).replaceAll('-', ':')}Z`),
    bytes,
  };
}

const now = new Date('2026-03-18T12:00:00Z');

function kept(backups: readonly KnownBackup[], limit = Infinity, rule = backupsToDelete): string[] {
  const gone = new Set(rule(backups, limit, now).map(({ name }) => name));
  return backups.map(({ name }) => name.slice(6, 16)).filter((_, index) => !gone.has(backups[index]?.name ?? ''));
}

/** One backup a day, the last on Wednesday 2026-03-18. */
const daily = (days: number) =>
  Array.from({ length: days }, (_, ago) =>
    backup(new Date(Date.UTC(2026, 2, 18 - ago)).toISOString().slice(0, 10) + 'T03-00-00'),
  );

describe('automatic backups', () => {
  it('are due a day after the latest, and when its moment is in the future', () => {
    const one = [backup('2026-03-17T03-00-00')];
    expect(isDue([], new Date('2026-03-18T00:00:00Z'))).toBe(true);
    expect(isDue(one, new Date('2026-03-18T02:59:59Z'))).toBe(false);
    expect(isDue(one, new Date('2026-03-18T03:00:00Z'))).toBe(true);
    expect(isDue(one, new Date('2026-03-17T02:59:59Z'))).toBe(true);
  });

  it('stay for seven days, and the latest of each of four weeks', () => {
    expect(kept(daily(60))).toEqual([
      ...['2026-03-18', '2026-03-17', '2026-03-16', '2026-03-15', '2026-03-14', '2026-03-13', '2026-03-12'],
      // Sundays, the last days of weeks.
      ...['2026-03-08', '2026-03-01'],
    ]);
  });

  it('stay as they are after months without the server: old ones are better than none', () => {
    const old = [backup('2025-12-01T03-00-00'), backup('2025-11-03T03-00-00'), backup('2025-06-01T03-00-00')];
    expect(backupsToDelete([backup('2026-03-18T03-00-00'), ...old], Infinity, now)).toEqual([]);
  });

  it('are one a day', () => {
    const two = [backup('2026-03-18T03-00-00'), backup('2026-03-18T09-00-00')];
    expect(backupsToDelete(two, Infinity, now)).toEqual([backup('2026-03-18T03-00-00')]);
  });

  it('take no more than the limit, but for the latest', () => {
    const large = daily(5).map((each) => ({ ...each, bytes: 40 }));
    expect(kept(large, 100)).toEqual(['2026-03-18', '2026-03-17']);
    expect(kept(large, 10)).toEqual(['2026-03-18']);
    expect(kept([], 10)).toEqual([]);
  });

  it('of the future do not displace the latest', () => {
    const ahead = { ...backup('2031-01-01T03-00-00'), bytes: 90 };
    expect(kept([ahead, ...daily(1).map((each) => ({ ...each, bytes: 40 }))], 100)).toEqual(['2026-03-18']);
    expect(kept([ahead], 10)).toEqual(['2031-01-01']);
  });

  it('have their moment in the name, unlike other files', () => {
    expect(momentOfBackup('daily-2026-03-18T03-04-05.db')).toEqual(new Date('2026-03-18T03:04:05Z'));
    for (const name of [
      'daily-2026-13-99T03-04-05.db',
      'backup-2026-03-18T03-04-05.db',
      'daily-2026-03-18T03-04-05.db.new',
    ]) {
      expect(momentOfBackup(name)).toBeUndefined();
    }
  });
});

describe('states that restores replaced', () => {
  it('stay for four weeks, also several of a day, within the limit', () => {
    const sameDay = [backup('2026-03-18T01-00-00'), backup('2026-03-18T02-00-00')];
    expect(kept(sameDay, Infinity, replacedToDelete)).toHaveLength(2);
    expect(kept(daily(60), Infinity, replacedToDelete)).toHaveLength(28);
    expect(kept(daily(60), 3, replacedToDelete)).toEqual(['2026-03-18', '2026-03-17', '2026-03-16']);
    expect(kept([backup('2025-01-01T03-00-00')], 0, replacedToDelete)).toEqual(['2025-01-01']);
  });
});
