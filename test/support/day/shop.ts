import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { registerServer, registerTable, served } from '../databases/livePlatforms.ts';
import { postgresqlPrograms, startPostgresql } from '../databases/postgresqlServer.ts';
import type { SignedIn } from '../server.ts';

/** Orders of a few states: how many each has is all that a test has to know. */
export const ordersOf: Readonly<Record<string, number>> = { CO: 4, UT: 3, NY: 5, PA: 2, TX: 6 };

/** A database with orders, on PostgreSQL where there is one, else in a file of SQLite. */
export interface Shop {
  platform: 'postgresql' | 'sqlite';
  /** Makes the application Shop on it, with the report type `orders`. @returns the application's id. */
  register: (admin: SignedIn) => Promise<string>;
  stop: () => Promise<void>;
}

const statements = [
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, state VARCHAR(2), city VARCHAR(20), amount NUMERIC(10, 2), placed_on DATE)',
  ...Object.entries(ordersOf).flatMap(([state, count], at) =>
    Array.from({ length: count }, (_, row) => {
      const day = `2026-01-${String(row + 10)}`;
      return `INSERT INTO orders VALUES (${at * 100 + row}, '${state}', 'City ${row % 2} of ${state}', ${row * 10 + 5}, '${day}')`;
    }),
  ),
];
const columns = { state: 'cha', city: 'cha', amount: 'num', placed_on: 'doz' };

/** Starts the database and fills it. */
export async function startShop(): Promise<Shop> {
  return postgresqlPrograms() ? onPostgresql() : inFile();
}

async function onPostgresql(): Promise<Shop> {
  const database = await startPostgresql();
  const { host, port, login: user, password, database: name } = database;
  const owner = new pg.Client({ host, port, user, password, database: name });
  await owner.connect();
  await owner.query(statements.join(';'));
  await owner.end();
  const { regserver } = served('postgresql', database);
  return { platform: 'postgresql', register: registered('postgresql', regserver), stop: database.stop };
}

async function inFile(): Promise<Shop> {
  const folder = await mkdtemp(path.join(tmpdir(), 'analytics-shop-'));
  const file = path.join(folder, 'shop.sqlite');
  const database = new DatabaseSync(file);
  database.exec(statements.join(';'));
  database.close();
  return {
    platform: 'sqlite',
    register: registered('sqlite', { DatabaseName: file }),
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

function registered(platform: string, regserver: Readonly<Record<string, unknown>>): Shop['register'] {
  return async (admin) => {
    const app = await registerServer(admin, 'Shop', platform, regserver);
    await registerTable(admin, app, { name: 'orders', columns });
    return app.moduleId;
  };
}
