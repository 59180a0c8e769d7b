import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { serverCommandMessage, type ServerCommandMessage } from '../../contract/serverCommands.ts';
import { cleanEnvironment } from './serverProcess.ts';

/** A command of the server's program on the data of the local server. */
export interface ServerCommand {
  name: 'backup' | 'restore' | 'check';
  args: readonly string[];
  /** Ends the command, which then leaves the data and the folder of backups as they were. */
  signal: AbortSignal;
  /** Receives the part that is done, from 0 to 1. */
  onProgress?: (done: number) => void;
}

/** Where and with what a command runs. */
interface CommandPlace {
  /** Path of the server's bundle. */
  script: string;
  dataFolder: string;
  /** Key of the stored passwords, as hexadecimal digits. */
  key: string;
}

const longestReason = 2_000;

/**
 * Runs a command in a process of its own to its end.
 * @returns its result.
 * @throws {Error} with the reason that the command gives, or the signal's when it is cancelled.
 */
export async function runServerCommand(
  { script, dataFolder, key }: CommandPlace,
  { name, args, signal, onProgress }: ServerCommand,
): Promise<ServerCommandMessage> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [script, name, '--data', dataFolder, ...args], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  });
  // Ending the channel is what the command takes for the end of its parent, on every platform.
  const stop = () => child.connected && child.disconnect();
  signal.addEventListener('abort', stop);
  let result: ServerCommandMessage | undefined;
  let reason = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (reason = (reason + text).slice(-longestReason)));
  child.on('message', (message) => {
    const said = serverCommandMessage.parse(message);
    if (said.kind === 'progress') onProgress?.(said.copied / Math.max(1, said.total));
    else result = said;
  });
  child.send({ key }, () => undefined);
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  if (!result) throw new Error(reason.trim() || `server.js ${name}: ${child.exitCode ?? child.signalCode}`);
  return result;
}
