import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { EndpointPath } from '../../src/contract/endpoints.ts';
import { isRecord } from './isRecord.ts';
import { makeTlsDoor, type TlsDoor } from './security/tlsDoor.ts';
import { serverScript } from './serverScript.ts';

/** How to start the embedded server for a test. */
export interface TestServerOptions {
  /** Puts the sample in. Default false. */
  sample?: boolean;
  /** Path that the API lies below. Default `/api`. */
  prefix?: string;
  /** Value of `--allow-origin`. Default that of the server. */
  allowOrigin?: string;
  /** Folder of its data, kept on {@link TestServer.stop}. Default a new one that is removed. */
  dataFolder?: string;
  /** Password of admin; ignored by a data folder that has one. */
  password?: string;
  /** Folders whose database files reports may read. Default that of temporary files. */
  databaseFolders?: readonly string[];
  /** Starts it with `--allow-old-engines`, which tests on ClickHouse 18.16 need. Default false. */
  allowOldEngines?: boolean;
  /** Certificate with which it listens for other machines. Default none: it listens on loopback only. */
  door?: TlsDoor;
  /** URL by which the test reaches it. Default that which it names. */
  reachedAt?: string;
  /** More arguments to the server. Default none. */
  serverArgs?: readonly string[];
  /** Script to run. Default {@link serverScript}. */
  script?: string;
  /** Hashes passwords at the cost that the product has, for tests about it and for data that another server wrote. Default false. */
  realHashes?: boolean;
  /** Arguments to Node.js itself. Default none. */
  nodeArgs?: readonly string[];
  /** Program, with its arguments, that prepares a place for the server and then becomes Node.js. Default none. */
  launcher?: readonly string[];
}

/** A reply as it came. */
export interface ServerReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The text parsed as JSON. */
  json: unknown;
}

/** What may be sent beside or instead of a JSON body. */
export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Address of this machine to connect from. */
  localAddress?: string;
}

/** Somebody signed in. */
export interface SignedIn {
  token: string;
  /** The whole reply of DoLogin. */
  reply: Record<string, unknown>;
  /** Calls an endpoint with this token. */
  call: (endpoint: EndpointPath, body?: object) => Promise<ServerReply>;
}

/** The embedded server, running in a process of its own on loopback. */
export interface TestServer {
  /** Root of the server. */
  url: string;
  apiBase: string;
  adminPassword: string;
  dataFolder: string;
  process: ChildProcess;
  /** Everything that the server wrote to its log so far. */
  log: () => string;
  /** Posts a JSON body to an endpoint. */
  call: (endpoint: EndpointPath, body: object) => Promise<ServerReply>;
  /** Sends a request as it is to a path below the server's root. */
  send: (path: string, request: RawRequest) => Promise<ServerReply>;
  /** Signs in by password. @throws Error when that fails. */
  login: (user: string, password: string) => Promise<SignedIn>;
  /** Signs in as guest. */
  loginAsGuest: () => Promise<SignedIn>;
  /** Asks the server to stop, as a person does; resolves with its exit code. */
  stop: () => Promise<number | null>;
  /** Ends the server without warning. */
  kill: () => Promise<void>;
}

/** Whether servers listen as for other machines unless told otherwise: the attacks run against both kinds. */
const doorsAreTls = process.env.ANALYTICS_STUDIO_DOORS === 'tls';
const projectRoot = path.resolve(import.meta.dirname, '..', '..');
const patience = 30_000;
const quickHashes = ['--import', path.join(import.meta.dirname, 'security', 'quickHashes.ts')];

/**
 * Starts the embedded server with a fresh data folder and waits until it answers.
 * @throws Error with the server's last words when it stops instead.
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const ownDoor = !options.door && doorsAreTls ? await makeTlsDoor() : undefined;
  const door = options.door ?? ownDoor;
  const dataFolder = options.dataFolder ?? (await mkdtemp(path.join(tmpdir(), 'analytics-server-')));
  const adminPassword = options.password ?? 'correct horse battery staple';
  const prefix = options.prefix ?? '/api';
  const own = [
    process.execPath,
    ...(options.realHashes || options.script !== undefined ? [] : quickHashes),
    ...(options.nodeArgs ?? []),
    ...commandLine(options),
    ...(door?.args ?? []),
    ...(options.serverArgs ?? []),
    '--data',
    dataFolder,
  ];
  const [program = process.execPath, ...args] = [...(options.launcher ?? []), ...own];
  const child = spawn(program, args, {
    cwd: projectRoot,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${adminPassword}\n`);
  const url = await readyUrl(child, () => log);

  const send = (target: string, raw: RawRequest) =>
    exchange(new URL(target, options.reachedAt ?? url), raw, door?.authority.ca);
  const call = (endpoint: EndpointPath, body: object) => send(`${prefix}/${endpoint}`, { body: JSON.stringify(body) });
  const signIn = async (body: object): Promise<SignedIn> => {
    const { json, text } = await call('login/DoLogin', { bolForceLogin: true, ...body });
    const token = isRecord(json) && isRecord(json.LoginSession) ? json.LoginSession.SessionToken : undefined;
    if (!isRecord(json) || typeof token !== 'string') throw new Error(`Sign-in failed: ${text.slice(0, 200)}`);
    return { token, reply: json, call: (endpoint, more) => call(endpoint, { ...more, sessionToken: token }) };
  };
  const ended = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await ownDoor?.remove();
    if (options.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true });
  };
  return {
    url,
    apiBase: `${url}${prefix}`,
    adminPassword,
    dataFolder,
    process: child,
    log: () => log,
    call,
    send,
    login: (UserId, UserPassword) => signIn({ UserId, UserPassword, isGuest: false }),
    loginAsGuest: () => signIn({ UserId: '', UserPassword: '', isGuest: true }),
    stop: async () => {
      child.kill('SIGTERM');
      await ended();
      return child.exitCode;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended();
    },
  };
}

function commandLine(options: TestServerOptions): string[] {
  const script = options.script ?? serverScript;
  return [
    script,
    '--password-stdin',
    ...(options.databaseFolders ?? [tmpdir()]).flatMap((folder) => ['--database-folder', folder]),
    ...(options.allowOldEngines ? ['--allow-old-engines'] : []),
    ...(options.sample ? ['--sample'] : []),
    ...(options.prefix === undefined ? [] : ['--prefix', options.prefix]),
    ...(options.allowOrigin === undefined ? [] : ['--allow-origin', options.allowOrigin]),
  ];
}

async function readyUrl(child: ChildProcess, log: () => string): Promise<string> {
  if (!child.stdout) throw new Error('The server has no output');
  const lines = createInterface(child.stdout);
  const signal = AbortSignal.timeout(patience);
  const first = once(lines, 'line', { signal }).then(([line]) => String(line));
  const gone = once(child, 'close').then(() => undefined);
  const line = await Promise.race([first, gone]);
  first.catch(() => undefined);
  if (line === undefined) throw new Error(`The server stopped while starting:\n${log()}`);
  const ready: unknown = JSON.parse(line);
  if (!isRecord(ready) || typeof ready.url !== 'string') throw new Error(`The server said ${line}`);
  return ready.url;
}

/** One exchange on a connection of its own, so that nothing is hidden by a client's pool. */
function exchange(
  url: URL,
  { method = 'POST', headers, body, localAddress }: RawRequest,
  ca?: string,
): Promise<ServerReply> {
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? requestTls : request)(
      url,
      {
        ...{ method, ca, localAddress },
        // The Host that a test sends is not what the certificate is for.
        checkServerIdentity: (_name: string, certificate: PeerCertificate) =>
          checkServerIdentity(url.hostname, certificate),
        agent: false,
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Plain text and empty replies have no JSON form.
    return undefined;
  }
}
