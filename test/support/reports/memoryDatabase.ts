import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Database, JsonRows, RowQuery } from '../../../src/server/databases/database.ts';
import { duckdbSettings } from '../../../src/server/databases/duckdb/instance.ts';
import { prepared, rowsAsJson } from '../../../src/server/databases/duckdb/json.ts';

/** A DuckDB in memory that tests fill as they like; it writes and binds as the driver does. */
export class MemoryDatabase implements Database {
  readonly connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.connection = connection;
  }

  static async open(): Promise<MemoryDatabase> {
    const instance = await DuckDBInstance.create(':memory:', duckdbSettings);
    return new MemoryDatabase(instance, await instance.connect());
  }

  async readJson(query: RowQuery): Promise<AsyncIterable<JsonRows>> {
    const sql = await rowsAsJson(this.connection, query);
    const statement = await prepared(this.connection, { sql, values: query.values });
    const rows = (await statement.runAndReadAll()).getRows().map(([json]) => String(json));
    async function* batch(): AsyncGenerator<JsonRows> {
      if (rows.length > 0) yield { count: rows.length, json: rows.join('').slice(0, -1) };
    }
    return batch();
  }

  /** The syntax tree that DuckDB's own parser reads from a statement. */
  async parsed(sql: string): Promise<unknown> {
    const statement = await this.connection.prepare('SELECT json_serialize_sql($1::VARCHAR)');
    statement.bindVarchar(1, sql);
    const [row] = (await statement.runAndReadAll()).getRows();
    return JSON.parse(String(row?.[0])) as unknown;
  }

  tables(): never {
    throw new Error('Not needed here');
  }

  columns(): never {
    throw new Error('Not needed here');
  }

  relations(): never {
    throw new Error('Not needed here');
  }

  async close(): Promise<void> {
    this.connection.closeSync();
    this.#instance.closeSync();
  }
}
