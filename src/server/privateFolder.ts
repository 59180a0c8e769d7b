import { chmodSync, lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

const stickyBit = 0o1000;
const root = 0;

/**
 * Makes the folder if need be, and takes from all others what rights they have on it. Where the system knows no modes, as Windows
 * does not, its access lists are left as they are.
 * @returns its whole path without links.
 * @throws Error when somebody else owns the folder, can write to it or can put another in its place.
 */
export function privateFolder(folder: string): string {
  const given = path.resolve(folder);
  const real = madeFolder(given);
  const user = process.geteuid?.();
  if (user === undefined) return real;
  requireOwn(real, user);
  // The way by which it was named, links and all, may be another one.
  for (const way of new Set([given, real])) requireFixedPlace(way, user);
  chmodSync(real, 0o700);
  return real;
}

function madeFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return realpathSync.native(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The data folder ${folder} cannot be made (${reason}). Name another by --data.`, { cause });
  }
}

function requireOwn(folder: string, user: number): void {
  const stats = statSync(folder);
  if (stats.uid !== user) {
    throw new Error(
      `The data folder ${folder} belongs to another user (id ${stats.uid}, not ${user}). ` +
        'Name a folder of the user who runs the server by --data, or give it to that user (chown).',
    );
  }
  if (mayOthersWrite(stats)) {
    throw new Error(
      `Others can write to the data folder ${folder} (mode ${modeOf(stats)}), so what is in it may be theirs. ` +
        `Look through it, take the right from them (chmod 700), or name another folder by --data.`,
    );
  }
}

/** @throws Error when others could put something else in the place of `folder`, or of a folder above it. */
function requireFixedPlace(folder: string, user: number): void {
  for (let inner = folder, outer = path.dirname(folder); outer !== inner; inner = outer, outer = path.dirname(outer)) {
    const stats = statSync(outer);
    if (!mayOthersWrite(stats)) continue;
    // There only the owner moves what is in it.
    if (stats.mode & stickyBit && [user, root].includes(lstatSync(inner).uid)) continue;
    throw new Error(
      `Others can put something else in the place of the data folder ${folder}: they can write to ${outer} (mode ${modeOf(stats)}). ` +
        'Take that right from them (chmod go-w), or name another folder by --data.',
    );
  }
}

/** A group of the same id as its one user is that user's alone, by the custom of Linux systems. */
function mayOthersWrite({ mode, uid, gid }: Stats): boolean {
  return Boolean(mode & 0o002) || (Boolean(mode & 0o020) && gid !== uid);
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}
