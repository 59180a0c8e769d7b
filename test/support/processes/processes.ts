import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** What to start and how. */
export interface ProcessOptions {
  cwd?: string;
  /** The whole environment of the new process; the caller's own by default. */
  env?: NodeJS.ProcessEnv;
  /** Receives every line of standard output and standard error. Without it both go to the terminal. */
  onLine?: (line: string) => void;
}

/** A process of ours together with everything that it starts in turn. */
export interface RunningProcess {
  readonly pid: number;
  /** The exit code, or 1 when a signal ended the process. Never rejects. */
  readonly exited: Promise<number>;
  /** Ends the process and all its descendants; resolves when it is gone. Safe to call again. */
  stop(): Promise<void>;
}

const patience = 5_000;
const running = new Set<ChildProcess>();

/** Nothing that we started outlives us: not after an uncaught error, and not after Ctrl+C, which waits for its end. */
process.on('exit', () => running.forEach((child) => signalGroup(child, 'SIGTERM')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void endAll());

async function endAll(): Promise<void> {
  await Promise.all(Array.from(running, stop));
  process.exit(130);
}

/**
 * Starts a program as the leader of a process group of its own, so that its descendants can be ended with it.
 * @throws Error when the program cannot be started.
 */
export async function startProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<RunningProcess> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    detached: process.platform !== 'win32',
    stdio: options.onLine ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  const exited = new Promise<number>((resolve) => {
    child.once('exit', () => {
      // Descendants that the leader left behind are ours to end as well; then its output closes.
      signalGroup(child, 'SIGKILL');
      running.delete(child);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
  if (options.onLine) {
    forEachLine(child.stdout, options.onLine);
    forEachLine(child.stderr, options.onLine);
  }
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new Error(`Could not start ${command}`, { cause: error });
  }
  running.add(child);
  return { pid: child.pid ?? 0, exited, stop: () => stop(child) };
}

/**
 * Lets a process that {@link startProcess} started, and what it starts from now on, give way to everything else.
 * Linux weighs sessions against each other before the processes of one: a priority alone has no effect between two of ours.
 */
export async function giveWay(pid: number): Promise<void> {
  setPriority(pid, constants.priority.PRIORITY_LOW);
  const group = `/proc/${pid}/autogroup`;
  if (existsSync(group)) await writeFile(group, String(constants.priority.PRIORITY_LOW));
}

/**
 * Runs a program to its end.
 * @throws Error that names the command and its exit code, and ends with its last lines when they were collected.
 */
export async function runToEnd(command: string, args: readonly string[], options: ProcessOptions = {}): Promise<void> {
  const lastLines: string[] = [];
  const onLine =
    options.onLine &&
    ((line: string) => {
      lastLines.push(line);
      if (lastLines.length > 30) lastLines.shift();
      options.onLine?.(line);
    });
  const child = await startProcess(command, args, { ...options, onLine });
  const code = await child.exited;
  if (code !== 0) throw new Error([`${command} ${args.join(' ')} ended with code ${code}`, ...lastLines].join('\n'));
}

function forEachLine(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
}

async function stop(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const ended = once(child, 'exit');
  signalGroup(child, 'SIGTERM');
  const kill = setTimeout(() => signalGroup(child, 'SIGKILL'), patience);
  await ended;
  clearTimeout(kill);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}
