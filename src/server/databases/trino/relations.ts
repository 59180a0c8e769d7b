import type { Relations } from '../database.ts';

/**
 * Trino shows the relations of other databases, whose views, links and shared files it does not know. So every table
 * may read anything, also one that is not listed, such as `sales$partitions`, and two Trino servers may always lead to
 * the same rows.
 */
export const trinoRelations: Relations = {
  identity: 'trino',
  searchPath: [],
  derived: [],
  // Of no table it is known that it is itself.
  names: new Set(),
  catalog: /^information_schema\./i,
};
