/** An automatic backup, or a state that a restore replaced. */
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
  return momentIn(/^daily-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\.db$/.exec(name));
}

/** The moment in the name of a state that a restore replaced, damaged or not; undefined for other files. */
export function momentOfReplaced(name: string): Date | undefined {
  return momentIn(/^replaced-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\.(?:db|damaged)$/.exec(name));
}

function momentIn(parts: RegExpExecArray | null): Date | undefined {
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
export function backupsToDelete(backups: readonly KnownBackup[], limitBytes: number, now: Date): KnownBackup[] {
  const sorted = newestFirst(backups, now);
  const days = latestOfEach(sorted, ({ moment }) => Math.floor(moment.getTime() / dayMs)).slice(0, daysKept);
  // Day 0 of Unix time was a Thursday; weeks begin on Monday.
  const weekOf = ({ moment }: KnownBackup) => Math.floor((moment.getTime() / dayMs + 3) / 7);
  const weeks = latestOfEach(sorted, weekOf).slice(0, weeksKept);
  const wanted = sorted.filter((each) => days.includes(each) || weeks.includes(each));
  return without(sorted, withinLimit(wanted, limitBytes));
}

/**
 * The states replaced by a restore that are no longer needed: those older than four weeks, and the oldest beyond
 * `limitBytes`; the latest one always stays.
 */
export function replacedToDelete(replaced: readonly KnownBackup[], limitBytes: number, now: Date): KnownBackup[] {
  const sorted = newestFirst(replaced, now);
  const oldest = now.getTime() - weeksKept * 7 * dayMs;
  const wanted = sorted.filter(({ moment }, index) => index === 0 || moment.getTime() > oldest);
  return without(sorted, withinLimit(wanted, limitBytes));
}

/** Those of the future, made before the clock was set back, count as the oldest: they must not displace new ones. */
function newestFirst(backups: readonly KnownBackup[], now: Date): KnownBackup[] {
  const rank = ({ moment }: KnownBackup) => (moment > now ? -moment.getTime() : moment.getTime());
  return backups.toSorted((one, other) => rank(other) - rank(one));
}

function withinLimit(sorted: readonly KnownBackup[], limitBytes: number): KnownBackup[] {
  let bytes = 0;
  const end = sorted.findIndex((backup, index) => {
    bytes += backup.bytes;
    return index > 0 && bytes > limitBytes;
  });
  return end < 0 ? [...sorted] : sorted.slice(0, end);
}

function without(backups: readonly KnownBackup[], kept: readonly KnownBackup[]): KnownBackup[] {
  return backups.filter((backup) => !kept.includes(backup));
}

function latestOfEach(sorted: readonly KnownBackup[], periodOf: (backup: KnownBackup) => number): KnownBackup[] {
  const seen = new Set<number>();
  return sorted.filter((backup) => {
    const period = periodOf(backup);
    const isLatest = !seen.has(period);
    seen.add(period);
    return isLatest;
  });
}
