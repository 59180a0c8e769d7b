import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Milliseconds of processor time that the threads of a process have taken so far, which other programs on the machine do
 * not lengthen; undefined where the system does not tell (it does on Linux).
 */
export function processorTime(pid: number): number | undefined {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(`${threads}/${pid}/schedstat`)) return undefined;
  const nanoseconds = readdirSync(threads).map((thread) => {
    const [onProcessor] = readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ');
    return Number(onProcessor);
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
