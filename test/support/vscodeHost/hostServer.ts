import { startProcess, type RunningProcess } from '../processes/processes.ts';
import { hostEnvironment } from './hostEnvironment.ts';
import type { HostFolders } from './hostFolders.ts';
import { ensureHost } from './installHost.ts';
import { frontEntry, serverEntry } from './paths.ts';

/** A running VS Code that no page has opened yet. */
export interface HostServer extends RunningProcess {
  /** Host and port, such as `127.0.0.1:40123`: of its pages and of its `vscode-remote:` addresses. */
  readonly authority: string;
  /** The last lines that it printed, for messages about failures. */
  readonly lastLines: readonly string[];
}

const startDeadline = 60_000;
const keptLines = 40;

/**
 * Starts VS Code's own server on a free loopback port. Its page takes the extension under test from its address
 * (see `testAddress`), but shows no notifications in the corner then.
 * @param env added to the environment of its extensions.
 * @throws Error with the server's last lines when it ends or stays silent.
 */
export async function startTestServer(folders: HostFolders, env?: NodeJS.ProcessEnv): Promise<HostServer> {
  const args = [
    ...[serverEntry, '--host', '127.0.0.1', '--port', '0', '--without-connection-token'],
    ...['--accept-server-license-terms', '--enable-smoke-test-driver', '--disable-experiments'],
    ...['--server-data-dir', folders.server, '--disable-workspace-trust'],
  ];
  return startServer([...args, ...commonArguments(folders)], /Web UI available at http:\/\/[^:]+:(\d+)/, env);
}

/**
 * Starts VS Code behind its front, for people and for tests that act like them: extensions come from the extensions
 * folder, secrets outlive a reload, and pages of other origins are turned away.
 * @param port 0 for any free one.
 * @param env added to the environment of its extensions.
 * @param folder that a page opens when its address names none; absolute path.
 * @param distrusts whether folders are not trusted by themselves.
 * @throws Error with the server's last lines when it ends or stays silent.
 */
export async function startFront(
  folders: HostFolders,
  port: number,
  env?: NodeJS.ProcessEnv,
  folder?: string,
  distrusts = false,
): Promise<HostServer> {
  const trust = distrusts ? [] : ['--disable-workspace-trust'];
  const args = [
    ...[frontEntry, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--disable-update-check'],
    ...['--disable-getting-started-override', '--disable-proxy', '--config', '/dev/null'],
  ];
  const opened = folder === undefined ? [] : [folder];
  return startServer(
    [...args, ...commonArguments(folders), ...trust, ...opened],
    /HTTP server listening on http:\/\/[^:]+:(\d+)/,
    env,
  );
}

const commonArguments = (folders: HostFolders): string[] => [
  ...['--user-data-dir', folders.data, '--extensions-dir', folders.extensions],
  '--disable-telemetry',
];

/** Starts a server and waits for the line that tells its port. */
async function startServer(args: string[], readyLine: RegExp, env?: NodeJS.ProcessEnv): Promise<HostServer> {
  await ensureHost();
  const lastLines: string[] = [];
  const ready = Promise.withResolvers<string>();
  const server = await startProcess(process.execPath, args, {
    env: hostEnvironment(env),
    onLine: (line) => {
      lastLines.push(line);
      if (lastLines.length > keptLines) lastLines.shift();
      const port = readyLine.exec(line)?.[1];
      if (port) ready.resolve(port);
    },
  });
  const deadline = setTimeout(() => ready.reject(new Error('It stayed silent.')), startDeadline);
  void server.exited.then((code) => ready.reject(new Error(`It ended with code ${code}.`)));
  try {
    return { ...server, authority: `127.0.0.1:${await ready.promise}`, lastLines };
  } catch (cause) {
    await server.stop();
    throw new Error(['VS Code could not be started.', ...lastLines].join('\n'), { cause });
  } finally {
    clearTimeout(deadline);
  }
}
