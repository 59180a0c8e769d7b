import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';

import * as z from 'zod';
import { waitFor } from '../waitFor.ts';

/** Variable that marks the processes of one workbench. */
const markVariable = 'ANALYTICS_STUDIO_TEST_MARK';

/** Where Node.js opens its debugger on a signal: the editor lets no option through that would choose another port. */
const debuggerPort = 9229;

const targets = z.array(z.object({ webSocketDebuggerUrl: z.string() }));
const reply = z.object({
  id: z.number().optional(),
  result: z.object({ result: z.object({ value: z.unknown() }).optional() }).optional(),
});

/**
 * Reads how much memory the extension host of a real workbench holds, through the debugger that Node.js opens on a signal.
 * Give `env` to `openWorkbench`. Linux only: the process is found by its environment.
 */
export class ExtensionHostMemory {
  readonly #mark = randomUUID();
  /** Marks the extension host. */
  readonly env: NodeJS.ProcessEnv = { [markVariable]: this.#mark };
  #socket: WebSocket | undefined;
  #asked = 0;

  /** Megabytes that live objects hold after garbage was collected: the heap and the buffers beside it. */
  async heldMb(): Promise<number> {
    this.#socket ??= await this.#attach();
    for (let round = 0; round < 3; round++) await this.#ask('HeapProfiler.collectGarbage');
    return (await this.#evaluate('(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())')) / 2 ** 20;
  }

  /** Lets go of the debugger. */
  close(): void {
    this.#socket?.close();
  }

  async #attach(): Promise<WebSocket> {
    const pid = await this.#pid();
    process.kill(pid, 'SIGUSR1');
    const url = await waitFor('the debugger of the extension host', async () => {
      const response = await fetch(`http://127.0.0.1:${debuggerPort}/json/list`);
      return targets.parse(await response.json())[0]?.webSocketDebuggerUrl;
    });
    const socket = new WebSocket(url);
    await once(socket, 'open');
    this.#socket = socket;
    if ((await this.#evaluate('process.pid')) !== pid) throw new Error('Port 9229 belongs to another process.');
    return socket;
  }

  async #evaluate(expression: string): Promise<number> {
    const answer = reply.parse(await this.#ask('Runtime.evaluate', { expression, returnByValue: true }));
    return z.number().parse(answer.result?.result?.value);
  }

  async #pid(): Promise<number> {
    return waitFor('the extension host', async () => {
      for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
        if (await isHost(pid, `${markVariable}=${this.#mark}`)) return Number(pid);
      }
      return undefined;
    });
  }

  async #ask(method: string, params: object = {}): Promise<unknown> {
    const id = (this.#asked += 1);
    const socket = this.#socket;
    if (!socket) throw new Error('The debugger is not open.');
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const listen = ({ data }: MessageEvent) => {
      const message: unknown = JSON.parse(String(data));
      if (reply.safeParse(message).data?.id !== id) return;
      socket.removeEventListener('message', listen);
      resolve(message);
    };
    socket.addEventListener('message', listen);
    socket.send(JSON.stringify({ id, method, params }));
    return promise;
  }
}

async function isHost(pid: string, variable: string): Promise<boolean> {
  try {
    const [line, variables] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
    );
    return Boolean(line?.includes('--type=extensionHost') && variables?.split('\0').includes(variable));
  } catch {
    // Ended meanwhile, or somebody else's.
    return false;
  }
}
