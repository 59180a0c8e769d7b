import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Databases } from '../../../../src/server/databases/databases.ts';
import { anyFolder } from '../../../support/databases/anyFolder.ts';

/* A login of ClickHouse whose administrator lets it change some settings, or none. */

const rows = '{\n\t"meta":\n\t[{"name":"x","type":"UInt8"}],\n\n\t"data":\n\t[\n\t\t[1]\n\t],\n\n\t"rows": 1\n}\n';
let server: Server;
let databases: Databases;
/** Settings of the login's profile, and those that it may not change. */
let profile: Record<string, string>;
let constrained: readonly string[];
/** Settings that came with each query of rows. */
let sent: Record<string, string>[];

beforeEach(async () => {
  profile = { readonly: '0', join_use_nulls: '0', max_memory_usage: '0', result_overflow_mode: 'break', limit: '0' };
  constrained = [];
  sent = [];
  server = createServer((request, response) => {
    const { query = '', ...parameters } = Object.fromEntries(new URL(request.url ?? '', 'http://x').searchParams);
    if (query.includes('version()')) return response.end('26.7.1\n');
    if (query.includes('system.settings')) {
      const lines = Object.entries(profile).map((pair) => pair.join('\t'));
      return response.end(`${lines.join('\n')}\n`);
    }
    const { database: _, query_id: __, ...settings } = parameters;
    sent.push(settings);
    const refused = Object.keys(settings).find((name) => profile.readonly === '1' || constrained.includes(name));
    if (refused === undefined) return response.end(rows);
    const reason = profile.readonly === '1' ? `164. DB::Exception: Cannot modify` : `452. DB::Exception: Setting`;
    return response.writeHead(500).end(`Code: ${reason} '${refused}'\n`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  databases = new Databases(anyFolder);
});
afterEach(async () => {
  await databases.close();
  server.close();
});

const open = () => {
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = {
    id: '1',
    displayName: 'Sales',
    platform: 'clickhouse',
    host,
    database: 'shop',
    login: 'ann',
    params: '',
  };
  return databases.at({ ...place, commandTimeout: 5, connectionTimeout: 5 });
};

async function read(): Promise<string> {
  const database = await open();
  const texts: string[] = [];
  const options = { signal: new AbortController().signal, timeoutMs: 5000 };
  for await (const { json } of await database.readJson({ sql: 'SELECT x FROM t', values: [] }, options))
    texts.push(String(json));
  return texts.join();
}

describe('a login of ClickHouse', () => {
  it('sets all that its release has', async () => {
    expect(await read()).toBe('{"x":1}');
    expect(sent).toEqual([
      {
        ...{ readonly: '2', max_execution_time: '5', join_use_nulls: '1', result_overflow_mode: 'throw', limit: '0' },
        max_memory_usage: '1073741824',
      },
    ]);
  });

  it.each([
    ['join_default_strictness', 'ANY', 'ALL'],
    ['count_distinct_implementation', 'uniq', 'uniqExact'],
    ['distributed_group_by_no_merge', '1', '0'],
    ['empty_result_for_aggregation_by_empty_set', '1', '0'],
    ['partial_result_on_first_cancel', '1', '0'],
    ['use_query_cache', '1', '0'],
  ])('gets the same rows whatever its profile says of %s', async (name, value, needed) => {
    profile = { ...profile, [name]: value };
    expect(await read()).toBe('{"x":1}');
    expect(sent).toMatchObject([{ [name]: needed }]);
  });

  it('sets what the result depends on where a setting is constrained', async () => {
    constrained = ['max_memory_usage'];
    expect(await read()).toBe('{"x":1}');
    expect(await read()).toBe('{"x":1}');
    const needed = { readonly: '2', join_use_nulls: '1', result_overflow_mode: 'throw' };
    expect(sent.slice(1)).toEqual([needed, needed]);
  });

  it('is refused by name where that is constrained', async () => {
    constrained = ['join_use_nulls'];
    await expect(read()).rejects.toThrow("Sales refused the query: Setting 'join_use_nulls'");
  });

  it('that may change none sends none, as long as its profile has what the result depends on', async () => {
    const whole = { join_use_nulls: '1', result_overflow_mode: 'throw' };
    profile = { ...profile, ...whole, readonly: '1' };
    expect(await read()).toBe('{"x":1}');
    expect(sent).toEqual([{}]);
    profile.limit = '10';
    await expect(read()).rejects.toThrow(
      'its login may change no settings (readonly = 1), and reports need limit = 0;',
    );
    expect(sent).toHaveLength(1);
  });

  it('may lose its right to change settings', async () => {
    expect(await read()).toBe('{"x":1}');
    profile = { ...profile, readonly: '1' };
    await expect(read()).rejects.toThrow('reports need join_use_nulls = 1, result_overflow_mode = throw;');
  });
});
