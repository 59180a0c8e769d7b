import { Connection, type ConnectionConfiguration, Request, TYPES } from 'tedious';
import { type Endpoint, tlsOf } from '../connectionSettings.ts';
import type { DatabaseAddress } from '../database.ts';

/** What the driver connects with; its own limits of time are left to the query's. */
export function configurationOf(
  address: DatabaseAddress,
  { host, port }: Endpoint,
  password: string,
): ConnectionConfiguration {
  const tls = tlsOf(address, 'require');
  return {
    server: host,
    authentication: { type: 'default', options: { userName: address.login, password } },
    options: {
      port,
      database: address.database,
      encrypt: tls !== undefined,
      trustServerCertificate: tls?.rejectUnauthorized !== true,
      connectTimeout: address.connectionTimeout * 1000,
      // The query's own limit counts, and the time that a slow reader takes does not.
      requestTimeout: 0,
      appName: 'Analytics Studio',
      // What cannot be computed is null; an error could tell of hidden rows.
      enableArithAbort: false,
      enableAnsiWarnings: false,
      useUTC: true,
    },
  };
}

/** Values of a row, in the order of the columns. */
export type Row = unknown[];

/** Hears of what a request brings. */
export interface Listener {
  row?: (row: Row) => void;
  columns?: () => void;
}

/** One connection. It runs one request at a time. */
export class Link {
  readonly #connection: Connection;
  #isUsable = true;

  private constructor(connection: Connection) {
    this.#connection = connection;
    const spoil = () => {
      this.#isUsable = false;
    };
    connection.on('error', spoil);
    connection.on('end', spoil);
  }

  /** @throws Error of the driver. */
  static open(configuration: ConnectionConfiguration): Promise<Link> {
    const connection = new Connection(configuration);
    const link = new Link(connection);
    return new Promise((resolve, reject) => {
      connection.connect((error) => {
        if (!error) resolve(link);
        else {
          connection.close();
          reject(error);
        }
      });
    });
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Sends a statement; `ended` settles when the server is done with it. */
  run(sql: string, values: ReadonlyMap<string, string>, on: Listener): { request: Request; ended: Promise<void> } {
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
    const request = new Request(sql, (error) => {
      if (error) reject(error);
      else resolve();
    });
    for (const [name, value] of values) request.addParameter(name, TYPES.NVarChar, value);
    request.on('columnMetadata', () => on.columns?.());
    request.on('row', (columns: readonly { value: unknown }[]) => on.row?.(columns.map(({ value }) => value)));
    this.#connection.execSql(request);
    return { request, ended };
  }

  /** Asks the server to end what it runs. */
  cancel(): void {
    this.#isUsable = false;
    this.#connection.cancel();
  }

  close(): void {
    this.#isUsable = false;
    this.#connection.close();
  }
}
