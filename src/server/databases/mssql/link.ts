import { Connection, type ConnectionConfiguration, Request, TYPES } from 'tedious';
import { type Endpoint, tlsOf } from '../connectionSettings.ts';
import type { DatabaseAddress } from '../database.ts';

/** Connection options of the driver; its own time limits are disabled in favour of the query's. */
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
      // The query has its own limit, which excludes the time of a slow reader.
      requestTimeout: 0,
      appName: 'Analytics Studio',
      // Arithmetic errors yield null; an error message could reveal hidden rows.
      enableArithAbort: false,
      enableAnsiWarnings: false,
      useUTC: true,
    },
  };
}

/** Values of a row, in column order. */
export type Row = unknown[];

/** Receives the events of a request. */
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

  /** Sends a statement; `ended` settles when the server has finished it. */
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

  /** Asks the server to cancel the running request. */
  cancel(): void {
    this.#isUsable = false;
    this.#connection.cancel();
  }

  close(): void {
    this.#isUsable = false;
    this.#connection.close();
  }
}
