import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A forward proxy in a process of its own, for which every host name is this machine. */
export interface ProxyProcess {
  url: string;
  /** What was asked of it, for example `CONNECT reports.test:443`. */
  asked: string[];
  stop(): Promise<void>;
}

/**
 * Starts the proxy.
 * @param root folder of the project.
 * @param token the `Proxy-Authorization` that it wants, if any.
 */
export async function startProxyProcess(root: string, token?: string): Promise<ProxyProcess> {
  const child = spawn(process.execPath, [path.join(root, 'test', 'support', 'faults', 'proxyMain.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ELECTRON_RUN_AS_NODE: '1',
      ...(token !== undefined && { ANALYTICS_STUDIO_PROXY_TOKEN: token }),
    },
  });
  const lines = createInterface(child.stdout);
  const [url] = (await once(lines, 'line', { signal: AbortSignal.timeout(20_000) })) as [string];
  const asked: string[] = [];
  lines.on('line', (line) => asked.push(line));
  return {
    url,
    asked,
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
