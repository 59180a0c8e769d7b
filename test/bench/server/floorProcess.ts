/**
 * Reads the table once in a fresh process, the least that its engine and driver can do, and prints the milliseconds that
 * it took. Arguments: the engine, then its file or address as JSON.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import mysql from 'mysql2';
import pg from 'pg';
import * as z from 'zod';
import { trinoClient } from '../../support/databases/trinoInstallation.ts';
import { tableName } from './flightTable.ts';

const [engine = '', argument = ''] = process.argv.slice(2);
const select = `SELECT * FROM ${tableName}`;

/** Each opens first, then reads and returns what reading took. */
const floors: Record<string, () => Promise<number>> = {
  /** Its own COPY to JSON, into a file. */
  async duckdb() {
    const instance = await DuckDBInstance.create(argument, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    const target = `${argument}.json`;
    const started = performance.now();
    await connection.run(`COPY (${select}) TO '${target}' (FORMAT json, ARRAY true)`);
    const took = performance.now() - started;
    rmSync(target);
    return took;
  },
  /** Its rows, one by one. */
  sqlite() {
    const database = new DatabaseSync(argument, { readOnly: true });
    const statement = database.prepare(select);
    const started = performance.now();
    let count = 0;
    for (const _ of statement.iterate()) count += 1;
    return Promise.resolve(count > 0 ? performance.now() - started : NaN);
  },
  /** Every row as the driver makes it, let go of at once. */
  async postgresql() {
    const client = new pg.Client(JSON.parse(argument) as pg.ClientConfig);
    await client.connect();
    const started = performance.now();
    await new Promise((resolve, reject) => {
      const query = client.query(new pg.Query(select));
      query.on('row', () => undefined);
      query.on('end', resolve);
      query.on('error', reject);
    });
    const took = performance.now() - started;
    await client.end();
    return took;
  },
  /** The same JSONCompact, read by hand. */
  async clickhouse() {
    const { host, port, user, password, database } = z
      .record(z.string(), z.coerce.string())
      .parse(JSON.parse(argument));
    const headers = { 'X-ClickHouse-User': user ?? '', 'X-ClickHouse-Key': password ?? '' };
    const query = new URLSearchParams({ database: database ?? '', query: `${select} FORMAT JSONCompact` });
    const started = performance.now();
    const reply = await fetch(`http://${host}:${port}/?${query.toString()}`, { method: 'POST', headers });
    const { data } = z.object({ data: z.array(z.unknown()) }).parse(await reply.json());
    return data.length > 0 ? performance.now() - started : NaN;
  },
  /** The rows as Trino's own client writes them to a file; what one row takes is its start. */
  async trino() {
    const [java = '', ...jar] = (await trinoClient()) ?? [];
    const { host, port, user } = z.record(z.string(), z.coerce.string()).parse(JSON.parse(argument));
    const place = [
      '--server',
      `http://${host}:${port}`,
      '--user',
      user ?? '',
      '--catalog',
      'memory',
      '--schema',
      'default',
    ];
    const folder = await mkdtemp(path.join(tmpdir(), 'bench-client-'));
    const timed = (sql: string) => {
      const file = openSync(path.join(folder, 'rows.csv'), 'w');
      const started = performance.now();
      const args = [...jar, ...place, '--output-format', 'CSV', '--execute', sql];
      execFileSync(java, args, { stdio: ['ignore', file, 'inherit'] });
      const took = performance.now() - started;
      closeSync(file);
      return took;
    };
    const start = timed(`${select} LIMIT 1`);
    const took = timed(select) - start;
    rmSync(folder, { recursive: true });
    return took;
  },
  /** Every row as the driver makes it, let go of at once. */
  async mysql() {
    const client = mysql.createConnection(JSON.parse(argument) as mysql.ConnectionOptions);
    const started = performance.now();
    await new Promise((resolve, reject) => {
      client
        .query(select)
        .on('result', () => undefined)
        .on('end', resolve)
        .on('error', reject);
    });
    const took = performance.now() - started;
    client.destroy();
    return took;
  },
};

const floor = floors[engine];
if (!floor) throw new Error(`There is no floor of ${engine}`);
console.log(await floor());
