import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** Whether this system lets tests mount a small disk. */
export const mayMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;
if (!mayMount)
  console.warn('Skipped: this system does not let tests mount a small disk, so a full one cannot be tried');

/** Puts a file system of 8 MB on a folder that only the started program sees, half of it taken by the file `filler`. */
export function onSmallDisk(folder: string): readonly string[] {
  const mount = 'mount -t tmpfs -o size=8m,mode=700 tmpfs "$0" && head -c 4194304 /dev/zero > "$0/filler" && exec "$@"';
  return ['unshare', '-rm', 'sh', '-c', mount, folder];
}
