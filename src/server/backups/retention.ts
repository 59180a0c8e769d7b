/** An automatic backup in its folder. */
export interface KnownBackup {
  name: string;
  moment: Date;
  bytes: number;
}

const dayMs = 86_400_000;
const daysKept = 7;
const weeksKept = 4;

/** The moment in the name of an automatic backup; undefined for other files. */
export function momentOfBackup(name: string): Date | undefined {
  const parts = /^daily-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\.db$/.exec(name);
  if (!parts) return undefined;
  const [, day, hours, minutes, seconds] = parts;
  const moment = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** Whether the latest backup is a day old, or in the future because the clock was set back. */
export function isDue(backups: readonly KnownBackup[], now: Date): boolean {
  const ages = backups.map(({ moment }) => now.getTime() - moment.getTime());
  return !ages.some((age) => age >= 0 && age < dayMs);
}

/**
 * The backups that are no longer needed: kept are the latest of each of the last seven days with a backup, and of each
 * of the last four weeks. Beyond `limitBytes`, the oldest go first; the latest one always stays.
 */
export function backupsToDelete(backups: readonly KnownBackup[], limitBytes: number): KnownBackup[] {
  const newestFirst = backups.toSorted((one, other) => other.moment.getTime() - one.moment.getTime());
  const days = latestOfEach(newestFirst, ({ moment }) => Math.floor(moment.getTime() / dayMs)).slice(0, daysKept);
  // Day 0 of Unix time was a Thursday; weeks begin on Monday.
  const weekOf = ({ moment }: KnownBackup) => Math.floor((moment.getTime() / dayMs + 3) / 7);
  const weeks = latestOfEach(newestFirst, weekOf).slice(0, weeksKept);
  const kept = new Set<KnownBackup>();
  let bytes = 0;
  for (const backup of newestFirst.filter((each) => days.includes(each) || weeks.includes(each))) {
    bytes += backup.bytes;
    if (kept.size > 0 && bytes > limitBytes) break;
    kept.add(backup);
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}

function latestOfEach(newestFirst: readonly KnownBackup[], periodOf: (backup: KnownBackup) => number): KnownBackup[] {
  const seen = new Set<number>();
  return newestFirst.filter((backup) => {
    const period = periodOf(backup);
    const isLatest = !seen.has(period);
    seen.add(period);
    return isLatest;
  });
}
