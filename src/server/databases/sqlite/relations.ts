import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { DatabaseTable, DerivedRelation } from '../database.ts';

const owner = 'main';
const schemaRow = z.object({ type: z.string(), name: z.string(), tbl_name: z.string(), rootpage: z.number() });
const instruction = z.object({ opcode: z.string(), p2: z.number(), p3: z.number() });
/** First page of SQLite's own table list. */
const schemaPage = 1;

/**
 * Finds views and the tables that they read by the instructions that SQLite compiles them to: pages are opened by
 * number, regardless of the names in the SQL. Only their modules know what virtual tables read.
 */
export function sqliteRelations(database: DatabaseSync): DerivedRelation[] {
  const rows = schemaRow.array().parse(database.prepare('SELECT * FROM sqlite_schema').all());
  const tables = new Map(
    rows.filter(({ rootpage }) => rootpage > 0).map(({ rootpage, tbl_name: name }) => [rootpage, { owner, name }]),
  );
  tables.set(schemaPage, { owner, name: 'sqlite_schema' });
  const views = rows.filter(({ type }) => type === 'view').map(({ name }) => view(database, name, tables));
  const virtual = rows.filter(({ type, rootpage }) => type === 'table' && rootpage === 0);
  return [...views, ...virtual.map(({ name }) => ({ owner, name, reads: [], isComplete: false }))];
}

function view(database: DatabaseSync, name: string, tables: ReadonlyMap<number, DatabaseTable>): DerivedRelation {
  const reads: DatabaseTable[] = [];
  let isComplete = true;
  for (const { opcode, p2, p3 } of instructions(database, name)) {
    if (opcode === 'VOpen') isComplete = false;
    if (opcode !== 'OpenRead' && opcode !== 'ReopenIdx') continue;
    const table = p3 === 0 ? tables.get(p2) : undefined;
    if (table) reads.push(table);
    else isComplete = false;
  }
  return { owner, name, reads, isComplete };
}

/** The compiled program of a view; that of an invalid view opens no known page. */
function instructions(database: DatabaseSync, name: string): z.output<typeof instruction>[] {
  try {
    const program = database.prepare(`EXPLAIN SELECT * FROM "${name.replaceAll('"', '""')}"`);
    return instruction.array().parse(program.all());
  } catch {
    return [{ opcode: 'VOpen', p2: 0, p3: 0 }];
  }
}
