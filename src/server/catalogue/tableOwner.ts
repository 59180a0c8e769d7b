import { namePath, pathName } from '../../contract/tableNames.ts';
import type { ServerModel } from './registeredServers.ts';

/** The owner of a table as its database server knows it. */
export interface TableOwner {
  /** Schema, or `catalog.schema`; empty for the connection's default. */
  owner: string;
  /** Catalog and schema, on platforms with catalogs. */
  ownerPath?: readonly [catalog: string, schema: string];
}

/**
 * Completes the owner in a report type: every spelling of a table becomes the same. A Trino server shows several
 * catalogs; `DatabaseName` is the default one, or `catalog.schema`.
 */
export function tableOwner({ platform, database, owner: usual }: ServerModel, written: string): TableOwner {
  const owner = written.trim() || usual;
  if (platform !== 'trino') return { owner: written || usual };
  const [ownCatalog = '', ownSchema = ''] = namePath(database);
  const [schema = ownSchema, catalog = ownCatalog, ...more] = namePath(owner).reverse();
  // Trino refuses a table without catalog or schema, and longer names.
  if (more.length > 0 || catalog === '' || schema === '') return { owner };
  return { owner: pathName([catalog, schema]), ownerPath: [catalog, schema] };
}
