import path from 'node:path';
import { DatabaseFolders } from '../../../src/server/databases/databaseFolders.ts';

/** Lets database files be anywhere, for tests that are not about where they are. */
export const anyFolder = new DatabaseFolders([path.parse(import.meta.dirname).root]);
