import { readFileSync } from 'node:fs';

/** Bytes of memory that a process holds; only Linux tells. */
export function residentBytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}
