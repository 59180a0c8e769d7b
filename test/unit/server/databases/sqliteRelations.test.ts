import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DerivedRelation } from '../../../../src/server/databases/database.ts';
import { sqliteRelations } from '../../../../src/server/databases/sqlite/relations.ts';

let database: DatabaseSync;
let found: Map<string, DerivedRelation>;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec(`
    CREATE TABLE sales (id INTEGER PRIMARY KEY, tenant TEXT, note TEXT);
    CREATE INDEX by_tenant ON sales (tenant);
    CREATE INDEX by_note ON sales (note);
    CREATE TABLE places (id INTEGER);
    CREATE TABLE gone (id INTEGER);
    CREATE VIRTUAL TABLE words USING fts5(text);
    CREATE VIEW plain AS SELECT id, tenant FROM sales;
    CREATE VIEW through_index AS SELECT tenant FROM sales WHERE tenant > 'a';
    CREATE VIEW either AS SELECT tenant FROM sales WHERE tenant = 'a' OR note = 'b' OR tenant = 'c';
    CREATE VIEW both AS SELECT id FROM plain UNION SELECT id FROM places;
    CREATE VIEW made AS SELECT 1 AS one;
    CREATE VIEW list_of_tables AS SELECT name FROM sqlite_schema;
    CREATE VIEW searching AS SELECT text FROM words;
    CREATE VIEW broken AS SELECT id FROM gone;
    CREATE VIEW "odd ""name" AS SELECT id FROM places;
    DROP TABLE gone`);
  found = new Map(sqliteRelations(database).map((relation) => [relation.name, relation]));
});
afterEach(() => database.close());

const reads = (name: string) => [...new Set(found.get(name)?.reads.map((table) => `${table.owner}.${table.name}`))];

describe('a view of SQLite', () => {
  it.each([
    ['plain', ['main.sales']],
    ['through_index', ['main.sales']],
    ['either', ['main.sales']],
    ['both', ['main.places', 'main.sales']],
    ['made', []],
    ['list_of_tables', ['main.sqlite_schema']],
    ['odd "name', ['main.places']],
  ])('%s reads %j and nothing else', (name, tables) => {
    expect(found.get(name)).toMatchObject({ owner: 'main', name, isComplete: true });
    expect(reads(name).toSorted()).toEqual(tables);
  });

  it.each(['searching', 'broken'])('%s reads what cannot be seen', (name) => {
    expect(found.get(name)).toEqual({ owner: 'main', name, reads: [], isComplete: false });
  });
});

describe('a program of SQLite', () => {
  const page = { type: 'table', name: 'sales', tbl_name: 'sales', rootpage: 2 };
  const list = [page, { ...page, type: 'view', name: 'v', tbl_name: 'v', rootpage: 0 }];
  const readBy = (...program: { opcode: string; p2: number; p3: number }[]) => {
    const all = (sql: string) => (sql.startsWith('EXPLAIN') ? program : list);
    const prepared = { prepare: (sql: string) => ({ all: () => all(sql) }) };
    return sqliteRelations(prepared as unknown as DatabaseSync).map((relation) => ({ ...relation, owner: '' }));
  };
  const sales = { owner: 'main', name: 'sales' };
  const found = (reads: object[], isComplete: boolean) => [{ owner: '', name: 'v', reads, isComplete }];

  it('reads the page that it opens, by whichever instruction', () => {
    expect(readBy({ opcode: 'OpenRead', p2: 2, p3: 0 })).toEqual(found([sales], true));
    expect(readBy({ opcode: 'ReopenIdx', p2: 2, p3: 0 })).toEqual(found([sales], true));
    expect(readBy({ opcode: 'Goto', p2: 2, p3: 0 })).toEqual(found([], true));
  });

  it('reads what cannot be seen on the page of another database, and on one that is unknown or none', () => {
    for (const opened of [
      { p2: 2, p3: 1 },
      { p2: 9, p3: 0 },
      { p2: 0, p3: 0 },
    ]) {
      expect(readBy({ opcode: 'OpenRead', ...opened })).toEqual(found([], false));
    }
  });
});

describe('a table of SQLite', () => {
  it('that only its module knows reads what cannot be seen', () => {
    expect(found.get('words')).toEqual({ owner: 'main', name: 'words', reads: [], isComplete: false });
  });

  it('with rows of its own is no path to others', () => {
    expect(['sales', 'places', 'by_tenant'].filter((name) => found.has(name))).toEqual([]);
  });
});
