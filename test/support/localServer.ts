import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllowedOrigin } from '../../src/server/http/originGuard.ts';
import { startServer } from '../../src/server/serve.ts';
import { post } from './faults/faultProxy.ts';
import { isRecord } from './isRecord.ts';

/** The embedded server inside the test's own process, with its admin signed in once. */
export interface LocalTestServer {
  apiBase: string;
  adminPassword: string;
  /** The admin's token: whoever uses it shares the one session. */
  token: string;
  /** The reply to the admin's sign-in. */
  login: Record<string, unknown>;
  /** Calls an endpoint as the admin, straight. */
  call(endpoint: string, body?: object): Promise<unknown>;
  stop(): Promise<void>;
}

/** In memory where there is such a folder: commits that wait for a disk would take most of the time of these tests. */
export const memoryFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * Starts the embedded server here: quicker than a process of its own where thousands of calls are made.
 * @param hasSample whether it has the sample's users, folders and reports, but not their data.
 */
export async function startLocalServer(hasSample = false): Promise<LocalTestServer> {
  const dataFolder = await mkdtemp(path.join(memoryFolder, 'analytics-local-'));
  const adminPassword = 'correct horse battery staple';
  const server = await startServer({
    dataFolder,
    port: 0,
    prefix: '/api',
    allowedOrigin: parseAllowedOrigin('none'),
    databaseFolders: [tmpdir(), memoryFolder],
    sampleFiles: hasSample ? path.join(dataFolder, 'sample') : undefined,
    password: adminPassword,
    key: undefined,
    log: () => undefined,
  });
  const apiBase = `${server.url}/api`;
  const send = async (endpoint: string, body: object): Promise<unknown> => {
    const { text } = await post(`${apiBase}/${endpoint}`, JSON.stringify(body));
    if (text === '') return undefined;
    // Some endpoints answer plain text.
    return /^[[{\d"tfn-]/.test(text) ? JSON.parse(text) : text;
  };
  const credentials = { UserId: 'admin', UserPassword: adminPassword, isGuest: false, bolForceLogin: true };
  const login = await send('login/DoLogin', credentials);
  const session = isRecord(login) && isRecord(login.LoginSession) ? login.LoginSession : {};
  const token = session.SessionToken;
  if (!isRecord(login) || typeof token !== 'string') throw new Error('The admin could not sign in.');
  return {
    apiBase,
    adminPassword,
    token,
    login,
    call: (endpoint, body) => send(endpoint, { ...body, sessionToken: token }),
    stop: async () => {
      await server.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
