import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** No server outlives the process that started it. */
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A database server of this machine, running for a test on loopback with a folder of its own. */
export interface DatabaseServer {
  host: string;
  port: number;
  login: string;
  password: string;
  database: string;
  /** Ends it and removes its data. */
  stop: () => Promise<void>;
}

/** Who runs a database server: such servers refuse to be root. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/** This user, or somebody without rights when this is root. */
export const serverUser: ServerUser | undefined = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

/** A new folder that belongs to whoever runs the server. */
export async function serverFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `${name}-`));
  if (serverUser) await chown(folder, serverUser.uid, serverUser.gid);
  return folder;
}

/** Runs a command of the server to its end. @throws Error with what it said when it fails. */
export async function runAsServer(command: string, args: string[], cwd: string): Promise<void> {
  await run(command, args, { cwd, ...serverUser });
}

/**
 * A port of loopback that is free now. It is below those that systems give to outgoing connections, and random: a test
 * that runs beside this one must not take it before the server does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    // Fetch refuses to connect to it.
    if (port === 10_080) continue;
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/** Starts a server and waits until `isReady` matches its log. Database servers run as {@link serverUser}. */
export async function startProcess(
  command: string,
  args: string[],
  folder: string,
  isReady: RegExp,
  options: Partial<ServerUser> & { env?: NodeJS.ProcessEnv } = serverUser ?? {},
): Promise<ChildProcess> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (isReady.test(log)) resolve();
    });
    child.once('error', reject).once('exit', () => reject(new Error(`${command} stopped while starting:\n${log}`)));
  });
  return child;
}

/** Ends a server by `signal` and removes its folder. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
}
