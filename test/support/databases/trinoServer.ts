import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { MadeCertificate } from '../tls.ts';
import { waitFor } from '../waitFor.ts';
import { type DatabaseServer, freePort, serverFolder, startProcess, stopProcess } from './serverProcess.ts';
import { type TrinoInstallation, trinoInstallation } from './trinoInstallation.ts';

/** Login over HTTPS; over HTTP, any name is accepted without a password. */
export const trinoOwner = { login: 'owner', password: 'secret of trino' };
/** Login that may run one query at a time, and wait with none. */
export const crowdedLogin = 'crowded';

/** Settings of a Trino node. */
export interface TrinoOptions {
  /** PostgreSQL shown as the catalog `postgresql`. */
  postgresql?: DatabaseServer | undefined;
  /** Certificate of the HTTPS port. */
  certificate?: MadeCertificate | undefined;
  /** Port of the coordinator, for a worker. */
  coordinator?: number;
  /** Port to listen on. */
  port?: number;
  /** Other lines of config.properties. */
  config?: readonly string[];
  /** Whether the coordinator also computes. */
  isAlone?: boolean;
  /** Whether Java compiles as it does for users. By default the quick compiler alone does: most tests run for seconds. */
  isOptimized?: boolean;
}

/** A running Trino node. */
export interface TrinoNode {
  port: number;
  httpsPort: number;
  /** Ends the process at once. */
  kill: () => Promise<void>;
  /** Ends it and removes its data. */
  stop: () => Promise<void>;
}

/** Starts a Trino node. @returns undefined if Trino or Java is missing. @throws Error in CI if one is missing. */
export async function startTrino(options: TrinoOptions = {}): Promise<TrinoNode | undefined> {
  const installation = await trinoInstallation();
  if (installation === undefined) return undefined;
  const folder = await serverFolder('trino');
  const port = options.port ?? (await freePort());
  const httpsPort = await freePort();
  await configure(folder, installation, port, httpsPort, options);
  const properties = {
    config: path.join(folder, 'config.properties'),
    'log.levels-file': path.join(folder, 'log.properties'),
    'node.environment': 'test',
    'node.id': `node-${port}`,
    'node.data-dir': folder,
    'jdk.attach.allowAttachSelf': 'true',
  };
  const compiler = options.isOptimized ? [] : ['-XX:TieredStopAtLevel=1'];
  const java = ['-Xmx1G', '-XX:+UseSerialGC', ...compiler, '-XX:+ExitOnOutOfMemoryError'];
  const modules = ['--add-modules=jdk.incubator.vector', '--enable-native-access=ALL-UNNAMED'];
  const defined = Object.entries(properties).map(([name, value]) => `-D${name}=${value}`);
  const program = ['-cp', path.join(installation.folder, 'lib', '*'), 'io.trino.server.TrinoServer'];
  const args = [...java, '-XX:+EnableDynamicAgentLoading', ...modules, ...defined, ...program];
  const child = await startProcess(installation.java, args, folder, /SERVER STARTED/, {});
  const isCoordinator = options.coordinator === undefined;
  if (isCoordinator && options.isAlone !== false) await computes(port);
  return {
    port,
    httpsPort,
    kill: () => stopProcess(child, 'SIGKILL', folder),
    stop: () => stopProcess(child, 'SIGTERM', folder),
  };
}

const queryList = z.array(z.object({ state: z.string(), session: z.object({ user: z.string() }) }));

/** How many queries of a login have not ended. Unlike a query on `system.runtime`, this takes almost no time. */
export async function queriesOn(port: number, login: string): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${port}/v1/query`, { headers: { 'X-Trino-User': 'beside' } });
  const ended = ['FINISHED', 'FAILED'];
  return queryList
    .parse(await reply.json())
    .filter(({ state, session }) => session.user === login && !ended.includes(state)).length;
}

/** Waits until a coordinator that also computes gives work to itself: it is listed as a node before it does. */
async function computes(port: number): Promise<void> {
  const isReady = async () => (await askTrino(port, 'SELECT count(*) FROM tpch.tiny.region')).length === 1;
  await waitFor('Trino to compute', isReady, 60_000);
}

/** Waits until a coordinator has so many nodes that compute. */
export async function nodesOf(port: number, count: number): Promise<void> {
  const sql = `SELECT count(*) FROM system.runtime.nodes WHERE state = 'active' AND NOT coordinator OR ${count === 1}`;
  const isReady = async () => Number((await askTrino(port, sql))[0]?.[0]) >= count;
  await waitFor(`${count} nodes of Trino`, isReady, 60_000);
}

async function configure(
  folder: string,
  installation: TrinoInstallation,
  port: number,
  httpsPort: number,
  { postgresql, certificate, coordinator, config = [], isAlone = true, isOptimized }: TrinoOptions,
): Promise<void> {
  const at = (name: string) => path.join(folder, name);
  const write = (name: string, lines: readonly string[]) => writeFile(at(name), `${lines.join('\n')}\n`);
  await symlink(path.join(installation.folder, 'plugin'), at('plugin'));
  await mkdir(at('catalog'));
  await mkdir(at('etc'));
  await write('config.properties', [
    `coordinator=${coordinator === undefined}`,
    ...(coordinator === undefined ? [`node-scheduler.include-coordinator=${isAlone}`] : []),
    `http-server.http.port=${port}`,
    'node.internal-address=127.0.0.1',
    `discovery.uri=http://127.0.0.1:${coordinator ?? port}`,
    `plugin.dir=${at('plugin')}`,
    `catalog.config-dir=${at('catalog')}`,
    'query.max-memory-per-node=280MB',
    // Tables of tests have a few rows: one thread for each part of a query makes plans smaller.
    ...(isOptimized ? [] : ['task.concurrency=1']),
    'internal-communication.shared-secret=secret of the nodes',
    ...(certificate ? httpsLines(at('https.pem'), httpsPort, at('password.properties')) : []),
    ...config,
  ]);
  await write('log.properties', ['io.trino=WARN', 'io.airlift=WARN', 'Bootstrap=WARN', 'io.trino.server.Server=INFO']);
  await write('catalog/tpch.properties', ['connector.name=tpch']);
  await write('catalog/memory.properties', ['connector.name=memory', 'memory.max-data-per-node=256MB']);
  // Two catalogs show the same database.
  for (const name of ['postgresql', 'mirror'])
    if (postgresql) await write(`catalog/${name}.properties`, catalogOf(postgresql));
  // Port 1 is reserved: no server listens there.
  await write('catalog/away.properties', catalogOf({ port: 1, login: 'owner', password: '', database: 'postgres' }));
  await write('etc/resource-groups.properties', [
    'resource-groups.configuration-manager=file',
    `resource-groups.config-file=${at('groups.json')}`,
  ]);
  await write('groups.json', [JSON.stringify(groups)]);
  if (!certificate) return;
  await write('https.pem', [certificate.key, certificate.certificate]);
  await write('password.properties', ['password-authenticator.name=file', `file.password-file=${at('password.db')}`]);
  await write('password.db', [`${trinoOwner.login}:${hashed(trinoOwner.password)}`]);
}

const groups = {
  rootGroups: [
    { name: 'crowded', softMemoryLimit: '100%', hardConcurrencyLimit: 1, maxQueued: 0 },
    { name: 'all', softMemoryLimit: '100%', hardConcurrencyLimit: 100, maxQueued: 1000 },
  ],
  selectors: [{ user: crowdedLogin, group: 'crowded' }, { group: 'all' }],
};

function httpsLines(keystore: string, port: number, password: string): string[] {
  return [
    'http-server.https.enabled=true',
    `http-server.https.port=${port}`,
    `http-server.https.keystore.path=${keystore}`,
    'http-server.authentication.type=PASSWORD',
    'http-server.authentication.allow-insecure-over-http=true',
    `password-authenticator.config-files=${password}`,
  ];
}

function catalogOf({ port, login, password, database }: Omit<DatabaseServer, 'host' | 'stop'>): string[] {
  return [
    'connector.name=postgresql',
    `connection-url=jdbc:postgresql://127.0.0.1:${port}/${database}`,
    `connection-user=${login}`,
    `connection-password=${password}`,
    'postgresql.array-mapping=AS_ARRAY',
    'postgresql.include-system-tables=true',
  ];
}

/** A password as Trino's password file holds it. */
function hashed(password: string): string {
  const salt = randomBytes(16);
  return `1000:${salt.toString('hex')}:${pbkdf2Sync(password, salt, 1000, 32, 'sha1').toString('hex')}`;
}

const page = z.object({
  nextUri: z.string().optional(),
  data: z.array(z.array(z.unknown())).optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** Runs a statement beside the embedded server, in a schema `catalog.schema`. @throws Error with what the server said. */
export async function askTrino(port: number, statement: string, place = 'memory.default'): Promise<unknown[][]> {
  const [catalog = '', schema = ''] = place.split('.');
  const headers = { 'X-Trino-User': 'beside', 'X-Trino-Catalog': catalog, 'X-Trino-Schema': schema };
  const rows: unknown[][] = [];
  let reply = await fetch(`http://127.0.0.1:${port}/v1/statement`, { method: 'POST', headers, body: statement });
  for (;;) {
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${statement}: ${reply.status} ${text}`);
    const { nextUri, data, error } = page.parse(JSON.parse(text));
    if (error) throw new Error(`${statement}: ${error.message}`);
    rows.push(...(data ?? []));
    if (nextUri === undefined) return rows;
    reply = await fetch(nextUri, { headers });
  }
}
