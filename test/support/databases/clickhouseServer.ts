import { existsSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mayMiss } from '../run/mayMiss.ts';
import { type DatabaseServer, freePort, serverFolder, serverUser, startProcess, stopProcess } from './serverProcess.ts';

const programs = ['/usr/bin/clickhouse-server', '/usr/sbin/clickhouse-server'];
/** Owner of the database that tests use. */
export const clickhouseOwner = { login: 'owner', password: 'secret of clickhouse', database: 'shop' };

/** Whether ClickHouse is installed here. @throws Error in CI where it is not. */
export function hasClickhouse(): boolean {
  const isFound = programs.some((file) => existsSync(file));
  if (!isFound) mayMiss('ClickHouse');
  return isFound;
}

interface Place {
  http: number;
  tcp: number;
}

/** Two shards, as one cluster named `two`; each is a server of its own. */
export interface ClickhouseCluster {
  shards: readonly DatabaseServer[];
  stop: () => Promise<void>;
}

/** Starts two ClickHouse servers on folders of their own that know each other. @throws Error when it is not installed. */
export async function startClickhouse(): Promise<ClickhouseCluster> {
  const places: Place[] = [];
  for (let shard = 0; shard < 2; shard += 1) places.push({ http: await freePort(), tcp: await freePort() });
  const shards = await Promise.all(places.map((place) => startShard(place, places)));
  return { shards, stop: async () => void (await Promise.all(shards.map(({ stop }) => stop()))) };
}

async function startShard(place: Place, places: readonly Place[]): Promise<DatabaseServer> {
  const program = programs.find((file) => existsSync(file));
  if (program === undefined) throw new Error('ClickHouse is not installed');
  const folder = await serverFolder('clickhouse');
  for (const name of ['data', 'tmp', 'files']) {
    await mkdir(path.join(folder, name));
    if (serverUser) await chown(path.join(folder, name), serverUser.uid, serverUser.gid);
  }
  const config = path.join(folder, 'config.xml');
  await writeFile(config, configuration(folder, place, places), { mode: 0o644 });
  await writeFile(path.join(folder, 'users.xml'), users, { mode: 0o644 });
  const child = await startProcess(program, [`--config-file=${config}`], folder, /Ready for connections/);
  const server = {
    host: '127.0.0.1',
    port: place.http,
    ...clickhouseOwner,
    stop: () => stopProcess(child, 'SIGTERM', folder),
  };
  await askClickhouse({ ...server, database: 'default' }, `CREATE DATABASE ${clickhouseOwner.database}`);
  return server;
}

/** Runs a statement beside the embedded server. @throws Error with what the server said. */
export async function askClickhouse(
  { host, port, login, password, database }: Omit<DatabaseServer, 'stop'>,
  statement: string,
): Promise<string> {
  const headers = { 'X-ClickHouse-User': login, 'X-ClickHouse-Key': password };
  const url = `http://${host}:${port}/?${new URLSearchParams({ database }).toString()}`;
  const reply = await fetch(url, { method: 'POST', headers, body: statement });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${statement}: ${text}`);
  return text;
}

function configuration(folder: string, { http, tcp }: Place, places: readonly Place[]): string {
  const shards = places.map(
    (place) => `<shard><replica><host>127.0.0.1</host><port>${place.tcp}</port><user>${clickhouseOwner.login}</user>
      <password>${clickhouseOwner.password}</password></replica></shard>`,
  );
  return `<?xml version="1.0"?>
<yandex>
  <logger><level>information</level><console>true</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${http}</http_port>
  <tcp_port>${tcp}</tcp_port>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <user_files_path>${folder}/files/</user_files_path>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
  <mark_cache_size>67108864</mark_cache_size>
  <remote_servers><two>${shards.join('')}</two></remote_servers>
</yandex>
`;
}

const users = `<?xml version="1.0"?>
<yandex>
  <profiles><default><max_threads>2</max_threads></default></profiles>
  <quotas><default></default></quotas>
  <users><owner><password>${clickhouseOwner.password}</password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota></owner>
    <narrow><password>secret of narrow</password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota>
    <allow_databases><database>${clickhouseOwner.database}</database></allow_databases></narrow></users>
</yandex>
`;
