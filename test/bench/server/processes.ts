import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processes that a process started and that run; none where the system does not tell (Linux alone does). */
export function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) =>
      readOrEmpty(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    );
  } catch {
    // It has ended, or this is not Linux.
    return [];
  }
}

/** The text of a file of `/proc`; empty for a process that has ended meanwhile. */
export function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Lets processes, and those that they start, run only while nothing else wants the processor, as if they had processors of
 * their own.
 */
export function letRunLast(pids: readonly number[]): void {
  for (const pid of pids) {
    execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)]);
    letRunLast(childrenOf(pid));
  }
}
