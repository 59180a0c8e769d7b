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

/** Logins without a password, and what their profiles set. */
export const clickhouseLogins = {
  /** May change no setting, and has those that reports need. */
  fixed: { readonly: 1, join_use_nulls: 1, output_format_json_quote_64bit_integers: 0, max_execution_time: 2 },
  /** May change no setting. */
  closed: { readonly: 1 },
  /** May change settings, but `readonly`. */
  reader: { readonly: 2 },
  /** Its results end early, and without an error. */
  partial: { max_result_rows: 3, result_overflow_mode: 'break', max_block_size: 1, skip_unavailable_shards: 1 },
  /** May change no setting, and has results that end early. */
  closedPartial: {
    readonly: 1,
    join_use_nulls: 1,
    output_format_json_quote_64bit_integers: 0,
    result_overflow_mode: 'break',
  },
  /** May read few rows. */
  near: { max_rows_to_read: 10_000 },
  /** May run few queries in an hour. */
  rationed: {},
  /** May change no setting, and has little memory. */
  small: { readonly: 1, join_use_nulls: 1, output_format_json_quote_64bit_integers: 0, max_memory_usage: 20_000_000 },
} as const;

/** Queries of the login `rationed` in an hour. */
export const rationedQueries = 4;

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
    // Asked to stop, this release takes eight seconds.
    stop: () => stopProcess(child, 'SIGKILL', folder),
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
  <remote_servers><two>${shards.join('')}</two>
    <gone><shard><replica><host>127.0.0.1</host><port>1</port></replica></shard></gone></remote_servers>
</yandex>
`;
}

const networks = '<networks><ip>127.0.0.1</ip></networks>';
const profiles = Object.entries(clickhouseLogins).map(([login, settings]) => {
  const lines = Object.entries(settings).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<${login}>${lines.join('')}</${login}>`;
});
const logins = Object.keys(clickhouseLogins).map((login) => {
  const quota = login === 'rationed' ? login : 'default';
  return `<${login}><password></password>${networks}<profile>${login}</profile><quota>${quota}</quota></${login}>`;
});
const users = `<?xml version="1.0"?>
<yandex>
  <profiles><default><max_threads>2</max_threads></default>${profiles.join('')}</profiles>
  <quotas><default></default><rationed><interval><duration>3600</duration><queries>${rationedQueries}</queries>
    <errors>0</errors><result_rows>0</result_rows><read_rows>0</read_rows><execution_time>0</execution_time></interval></rationed>
  </quotas>
  <users><owner><password>${clickhouseOwner.password}</password>${networks}
    <profile>default</profile><quota>default</quota></owner>
    <narrow><password>secret of narrow</password>${networks}
    <profile>default</profile><quota>default</quota>
    <allow_databases><database>${clickhouseOwner.database}</database></allow_databases></narrow>${logins.join('')}</users>
</yandex>
`;
