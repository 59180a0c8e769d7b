import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { serverScript } from '../serverScript.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** How a command of the server ended. */
export interface EndedCommand {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** Runs `server.js COMMAND …`, or another script, as a process of its own. */
export async function runCommand(
  args: readonly string[],
  {
    script = serverScript,
    launcher = [],
    kill,
  }: { script?: string; launcher?: readonly string[]; kill?: Promise<void> } = {},
): Promise<EndedCommand> {
  const [program = process.execPath, ...rest] = [...launcher, process.execPath, script, ...args];
  const child = spawn(program, rest, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const closed = once(child, 'close');
  if (kill) void kill.then(() => child.kill('SIGKILL'));
  await closed;
  return { code: child.exitCode, signal: child.signalCode, out, err };
}
