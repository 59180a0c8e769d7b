import { closeSync, existsSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/**
 * Grows a journal of SQLite to `bytes`, if it is shorter, so that commits write into room that the file system has already
 * given: a commit that makes its file longer has to force the file's own size to the disk, too, which takes as long again.
 * Zeros behind the last frame are no frame, so SQLite reads as much as before; it writes over them and keeps the length.
 * To be called while nothing writes to the database. On file systems where SQLite keeps no such journal there is none to
 * grow; where there is no room it stays as it was: commits are slower then, or fail where they always would have.
 */
export function growJournal(file: string, bytes: number): void {
  if (!existsSync(file)) return;
  const journal = openSync(file, 'r+');
  const before = fstatSync(journal).size;
  if (before >= bytes) {
    closeSync(journal);
    return;
  }
  const zeros = Buffer.alloc(256 * 1024);
  try {
    for (let at = before; at < bytes;) at += writeSync(journal, zeros, 0, Math.min(zeros.length, bytes - at), at);
  } catch {
    // No room for all of it: commits make it longer as they come, only slower.
    ftruncateSync(journal, before);
  }
  // The first commit would otherwise have to wait for all of it.
  fdatasync(journal, () => closeSync(journal));
}
