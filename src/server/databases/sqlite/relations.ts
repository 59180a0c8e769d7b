import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { DatabaseTable, DerivedRelation } from '../database.ts';

const owner = 'main';
const schemaRow = z.object({ type: z.string(), name: z.string(), tbl_name: z.string(), rootpage: z.number() });
const instruction = z.object({ opcode: z.string(), p2: z.number(), p3: z.number() });
/** Page at which SQLite's own list of tables begins. */
const schemaPage = 1;

/**
 * Views and what they read, by the instructions that SQLite compiles them to: pages are opened by number, under whatever
 * names the text has them. Virtual tables read what only their modules know.
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

/** The program of a view; that of one that no longer fits its tables opens nothing that is known. */
function instructions(database: DatabaseSync, name: string): z.output<typeof instruction>[] {
  try {
    const program = database.prepare(`EXPLAIN SELECT * FROM "${name.replaceAll('"', '""')}"`);
    return instruction.array().parse(program.all());
  } catch {
    return [{ opcode: 'VOpen', p2: 0, p3: 0 }];
  }
}
