import { readdir, readFile } from 'node:fs/promises';
import type { Workbench } from '../workbench/workbench.ts';

interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Kills the extension host of a workbench without warning, as a crash does. Linux only. @throws Error when there is none. */
export async function killExtensionHost(workbench: Workbench): Promise<void> {
  const all = await processes();
  const own = new Set(all.filter(({ command }) => command.includes(workbench.stateFolder)).map(({ pid }) => pid));
  for (let before = -1; before < own.size;) {
    before = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  const hosts = all.filter(({ pid, command }) => own.has(pid) && command.includes('--type=extensionHost'));
  if (hosts.length === 0) throw new Error('The workbench has no extension host.');
  for (const { pid } of hosts) process.kill(pid, 'SIGKILL');
}

async function processes(): Promise<SeenProcess[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    ids.map(async (id) => {
      const read = (name: string) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '');
      const parent = Number(/^PPid:\s*(\d+)/m.exec(await read('status'))?.[1] ?? 0);
      return { pid: Number(id), parent, command: await read('cmdline') };
    }),
  );
}
