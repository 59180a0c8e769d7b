import * as z from 'zod';
import { startLargeServer } from '../../support/large/largeServer.ts';
import { LoadClient } from '../../support/large/loadClient.ts';
import type { SignedIn, TestServer } from '../../support/server.ts';
import { type Ask, kindsOf, rate } from './capacityCalls.ts';
import { builtServer } from './goals.ts';

/*
 * What brings more than one server on one core: each figure is a ratio of calls per second in the same run.
 */

const size = { users: 1_000, folders: 100, reportsPerFolder: 10 };
const kinds = ['sign-ins', 'report runs', 'saved groups', 'session checks'] as const;
const connections = 16;

const onCore = (core: number) => ['taskset', '-c', String(core)];

/** A table of the README, with its header first. */
type Table = string[][];

const clientsOf = (server: TestServer, signedIn: SignedIn, count: number) =>
  Array.from({ length: count }, () => new LoadClient(server, signedIn));

/** Calls a second of each kind, on servers that share the load. */
async function rates(servers: readonly TestServer[], wanted: readonly string[] = kinds): Promise<Map<string, number>> {
  const parts = await Promise.all(
    servers.map(async (server) => {
      const admin = await server.login('admin', server.adminPassword);
      const clients = clientsOf(server, admin, connections / servers.length);
      return { clients, asks: await kindsOf(admin, server.adminPassword) };
    }),
  );
  const found = new Map<string, number>();
  for (const kind of wanted) {
    const each = parts.map(({ clients, asks }) => rate(clients, asks[kind] ?? missing(kind)));
    found.set(
      kind,
      (await Promise.all(each)).reduce((sum, { perSecond }) => sum + perSecond, 0),
    );
  }
  for (const { clients } of parts) clients.forEach((client) => client.close());
  return found;
}

function missing(kind: string): Ask {
  throw new Error(`There is no call ${kind}.`);
}

async function withServers<T>(launchers: readonly string[][], work: (servers: TestServer[]) => Promise<T>): Promise<T> {
  const servers: TestServer[] = [];
  try {
    for (const launcher of launchers) servers.push(await startLargeServer(builtServer.script, size, launcher));
    return await work(servers);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** More cores, another installation, and the cache of results, each against one server on one core. */
export async function benchMeans(): Promise<Table> {
  const settings = z.looseObject({});
  const { one, cached } = await withServers([onCore(0)], async ([server]) => {
    if (!server) throw new Error('There is no server.');
    const alone = await rates([server]);
    const admin = await server.login('admin', server.adminPassword);
    const appsettings = settings.parse((await admin.call('AppSettings/GetAppSettings')).json);
    await admin.call('AppSettings/SaveAppSettings', { appsettings: { ...appsettings, FastCacheMin: 30 } });
    return { one: alone, cached: await rates([server], ['cached runs']) };
  });
  const cores = await withServers([[]], rates);
  const two = await withServers([onCore(0), onCore(1)], rates);
  const ratio = (found: Map<string, number>, kind: string, base = kind) => {
    const value = (found.get(kind) ?? NaN) / (one.get(base) ?? NaN);
    return `× ${value.toFixed(value < 10 ? 1 : 0)}`;
  };
  return [
    ['against one core', ...kinds],
    ['a second core', ...kinds.map((kind) => ratio(cores, kind))],
    ['a second installation on it', ...kinds.map((kind) => ratio(two, kind))],
    [
      'cached results (`FastCacheMin`)',
      ...kinds.map((kind) => (kind === 'report runs' ? ratio(cached, 'cached runs', kind) : '')),
    ],
  ];
}
