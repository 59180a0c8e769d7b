import type { ServerModel } from './registeredServers.ts';

/** Name of a table in a database; `owner` is its schema, empty for the connection's own. */
export interface TableName {
  owner: string;
  name: string;
}

/** A column as its database describes it. */
export interface ColumnDescription {
  name: string;
  /** Type in the database's own words. */
  nativeType: string;
  /** Most characters that it holds; 0 where the database does not say. */
  maxLength: number;
  isNullable: boolean;
}

/** A registered server's database, as far as the catalogue looks into it; given by the room that has the drivers. */
export interface DatabaseAccess {
  /** Connects and asks something trivial. @throws Error saying what the database or the network answered. */
  test(server: ServerModel, password: string, signal: AbortSignal): Promise<void>;
  /** Tables and views that reports may be built on. @throws Error when the database cannot be reached. */
  tables(server: ServerModel, password: string, signal: AbortSignal): Promise<TableName[]>;
  /** Columns of a table in their own order; none when there is no such table. @throws Error when it cannot be reached. */
  columns(server: ServerModel, password: string, table: TableName, signal: AbortSignal): Promise<ColumnDescription[]>;
}
