import path from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * The unit tests of the row-security gate alone, and of what else leads to the same rows: they must notice every mutant
 * without the help of chance.
 */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    // Each mutant is a run of its own: files that are read once instead of each time make it several times as fast.
    isolate: false,
    include: [
      'unit/server/security/*.test.ts',
      'unit/server/reports/otherPaths.test.ts',
      'unit/server/databases/{relations,askedRelations,sqliteRelations,clickhouse,mssql,oracle}.test.ts',
    ],
  },
});
