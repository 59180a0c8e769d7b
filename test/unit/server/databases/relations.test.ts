import fs from 'node:fs';
import { link, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readsOfView, viewQuery } from '../../../../src/server/databases/duckdb/relations.ts';
import { readsOfDefinition } from '../../../../src/server/databases/mysql/relations.ts';
import { fileIdentity, fileOwner, sharedRows } from '../../../../src/server/databases/relations.ts';

const table = (name: string, owner = 'a') => ({ owner, name });
const view = (name: string, reads: readonly { owner: string; name: string }[], isComplete = true) => ({
  ...table(name),
  reads,
  isComplete,
});
const catalog = /^cat\.|\.cat_/i;
const shared = (name: string, derived: Parameters<typeof sharedRows>[1]['derived'], owner = 'a') => {
  const found = sharedRows({ owner, name }, { identity: '', searchPath: ['a', 'b'], derived, catalog });
  return { names: found.with.map((each) => `${each.owner}.${each.name}`).toSorted(), isComplete: found.isComplete };
};

describe('relations that share rows', () => {
  it('are found downwards, upwards and sideways, through any number of views', () => {
    const derived = [
      view('v', [table('t')]),
      view('w', [table('V', 'A')]),
      view('x', [table('t')]),
      view('y', [table('u')]),
    ];
    expect(shared('w', derived)).toEqual({ names: ['A.V', 'a.t', 'a.v', 'a.x'], isComplete: true });
    expect(shared('t', derived)).toEqual({ names: ['a.v', 'a.w', 'a.x'], isComplete: true });
    expect(shared('u', derived)).toEqual({ names: ['a.y'], isComplete: true });
    expect(shared('z', derived)).toEqual({ names: [], isComplete: true });
  });

  it('cannot all be seen where one of what a view reads cannot, whatever else it reads, and in any order', () => {
    const opaque = view('f', [], false);
    const traceable = view('s', [table('u')]);
    for (const derived of [
      [opaque, traceable],
      [traceable, opaque],
    ]) {
      for (const reads of [
        [table('f'), table('s')],
        [table('s'), table('f')],
        [table('t'), table('f'), table('s'), table('u')],
      ]) {
        expect(shared('v', [view('v', reads), ...derived]).isComplete).toBe(false);
        // Through a further view, too.
        expect(shared('w', [...derived, view('w', [table('u'), table('v')]), view('v', reads)]).isComplete).toBe(false);
      }
    }
    expect(shared('s', [view('v', [table('f'), table('s')]), opaque, traceable]).isComplete).toBe(true);
  });

  it('end where views go in circles', () => {
    const derived = [view('v', [table('w')]), view('w', [table('v')])];
    expect(shared('v', derived).names).toEqual(['a.w', 'a.w']);
  });

  it('count an owner that is not said as any', () => {
    const derived = [view('v', [table('t', '')]), { ...view('t2', [table('s')]), owner: 'b' }];
    expect(shared('t', derived, 'c').names).toEqual(['a.v']);
    expect(shared('t2', derived, '').names).toEqual(['a.s']);
    expect(shared('t2', derived, 'c').names).toEqual([]);
    expect(shared('v', [view('v', [table('v', '')])]).names).toEqual(['.v']);
  });

  it('take a name without owner for those of the search path only', () => {
    const derived = [{ ...view('t', [table('s')]), owner: 'c' }];
    expect(shared('t', derived, '')).toEqual({ names: [], isComplete: true });
  });

  it('compare names without case, and no further', () => {
    expect(shared('straße', [view('v', [table('STRAßE', 'A')])]).names).toEqual(['a.v']);
    expect(shared('strasse', [view('v', [table('straße')])]).names).toEqual([]);
  });

  it('are unknown for what the database itself keeps, and for what reads that', () => {
    const derived = [view('v', [table('stats', 'CAT')]), view('w', [table('t')])];
    expect(shared('stats', derived, 'cat').isComplete).toBe(false);
    expect(shared('cat_stats', derived, '').isComplete).toBe(false);
    expect(shared('stats', derived, '').isComplete).toBe(true);
    expect(shared('v', derived).isComplete).toBe(false);
    expect(shared('w', derived).isComplete).toBe(true);
  });

  it('are known for a name that may be of the catalog or not', () => {
    const found = sharedRows(table('t', ''), { identity: '', searchPath: ['cat', 'a'], derived: [], catalog });
    expect(found).toEqual({ with: [], isComplete: true });
  });

  it('take no table for a file of its name', () => {
    expect(shared('/sales', [view('v', [table('/sales', fileOwner)])]).names).toEqual([]);
  });

  it('may be anything where something cannot be seen', () => {
    const derived = [view('v', [table('t')], false), view('w', [table('v')])];
    expect(shared('w', derived).isComplete).toBe(false);
    expect(shared('elsewhere', derived)).toEqual({ names: ['a.v', 'a.w'], isComplete: true });
  });
});

describe('a file', () => {
  it('is the same by each of its paths, and no other', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'relations-'));
    try {
      const at = (name: string) => path.join(folder, name);
      for (const name of ['one', 'two']) await writeFile(at(name), 'the same');
      await link(at('one'), at('hard'));
      await symlink(at('one'), at('soft'));
      expect(fileIdentity(at('one'))).toMatch(/^file:\d+:\d+$/);
      expect(fileIdentity(at('hard'))).toBe(fileIdentity(at('one')));
      expect(fileIdentity(at('soft'))).toBe(fileIdentity(at('one')));
      expect(fileIdentity(at('two'))).not.toBe(fileIdentity(at('one')));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is told by all digits of its numbers', () => {
    const real = fs.statSync(os.tmpdir(), { bigint: true });
    const numbers = { dev: 2n ** 60n + 1n, ino: 2n ** 62n + 1n };
    const stat = vi.spyOn(fs, 'statSync').mockImplementation((_file, options) => {
      const isExact = options?.bigint === true;
      return Object.assign(real, isExact ? numbers : { dev: Number(numbers.dev), ino: Number(numbers.ino) });
    });
    syncBuiltinESMExports();
    try {
      expect(fileIdentity('any')).toBe('file:1152921504606846977:4611686018427387905');
    } finally {
      stat.mockRestore();
      syncBuiltinESMExports();
    }
  });
});

describe('a view of DuckDB', () => {
  it.each([
    ['CREATE VIEW v AS SELECT 1;', 'SELECT 1'],
    [
      'CREATE VIEW x."odd "" AS SELECT" ("a as b", c) AS WITH q AS (SELECT 1) SELECT * FROM q;',
      'WITH q AS (SELECT 1) SELECT * FROM q',
    ],
    ['create view v as from sales', 'from sales'],
    ['CREATE SOMETHING v AS SELECT 1', undefined],
  ])('has its query found in %j', (statement, query) => {
    expect(viewQuery(statement)).toBe(query);
  });

  it('reads nothing certain when its text cannot be read', () => {
    const none = new Set<string>();
    expect(readsOfView(table('v'), undefined, none).isComplete).toBe(false);
    expect(readsOfView(table('v'), '{"error":true,"error_message":"no"}', none).isComplete).toBe(false);
    expect(readsOfView(table('v'), 'null', none).isComplete).toBe(false);
    const nothing = readsOfView(table('v'), '{"error":false,"statements":[]}', none);
    expect(nothing).toEqual({ ...table('v'), reads: [], isComplete: true });
  });

  const readsOf = (node: object) =>
    readsOfView(table('v'), JSON.stringify({ error: false, statements: [{ node }] }), new Set(['own']));
  const fileNode = (function_name: string, value?: unknown) => ({
    type: 'TABLE_FUNCTION',
    function: { function_name, children: [{ value: { value } }] },
  });

  it('names its tables: in "one.two" the first may be a database or a schema', () => {
    const base = { type: 'BASE_TABLE', table_name: 'sales of North', schema_name: 'shop' };
    expect(readsOf({ ...base, catalog_name: '' })).toMatchObject({
      reads: [table('sales of North', '')],
      isComplete: true,
    });
    expect(readsOf({ ...base, catalog_name: 'db' }).reads).toEqual([table('sales of North', 'shop')]);
  });

  it.each(['range', 'GENERATE_SERIES', 'unnest', 'repeat'])(
    'reads nothing through %s, which makes its rows',
    (name) => {
      expect(readsOf(fileNode(name, 3))).toEqual({ ...table('v'), reads: [], isComplete: true });
    },
  );

  it('names the file that it reads, by its real path', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'relations-'));
    try {
      const file = path.join(folder, 'part.csv');
      await writeFile(file, 'id');
      const reads = [{ owner: fileOwner, name: await realpath(file) }];
      for (const name of ['read_csv', 'READ_CSV', 'read_blob']) {
        expect(readsOf(fileNode(name, path.join(folder, '.', 'part.csv')))).toMatchObject({ reads, isComplete: true });
      }
      for (const name of ['my_read_csv', 'read_csv_of']) expect(readsOf(fileNode(name, file)).isComplete).toBe(false);
      expect(readsOf(fileNode('read_csv', path.join(folder, 'gone.csv'))).isComplete).toBe(false);
      const odd = path.join(folder, 'odd[1].csv');
      await writeFile(odd, 'id');
      expect(readsOf(fileNode('read_csv', odd))).toMatchObject({ reads: [], isComplete: false });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    ['a function of its user', { class: 'FUNCTION', function_name: 'Own' }],
    ['an unknown table function', { type: 'TABLE_FUNCTION', function: { function_name: 'query_table', children: [] } }],
    ['a file that is no text', { type: 'TABLE_FUNCTION', function: { function_name: 'read_csv', children: [{}] } }],
    ['a list of files', fileNode('read_csv', ['one.csv'])],
    ['a file elsewhere', fileNode('read_csv', 's3://bucket/one.csv')],
    ['a table function without arguments', { type: 'TABLE_FUNCTION', function: { function_name: 'read_csv' } }],
    ['a table function without a name', { type: 'TABLE_FUNCTION' }],
    [
      'a file whose name is no value',
      { type: 'TABLE_FUNCTION', function: { function_name: 'read_csv', children: [7] } },
    ],
    ['what SHOW tells', { type: 'SHOW_REF' }],
    ['a file that is a table', { type: 'BASE_TABLE', schema_name: '', catalog_name: '', table_name: 'x.csv' }],
  ])('reads what cannot be seen through %s', (_name, node) => {
    const tree = JSON.stringify({ error: false, statements: [{ node }] });
    expect(readsOfView(table('v'), tree, new Set(['own'])).isComplete).toBe(false);
  });
});

describe('a view of MySQL', () => {
  it('names its tables with their schema', () => {
    const text = "select `s`.`id` AS `id`,'`x`.`y` \\' `z`.`w`' AS `q` from (`shop`.`sa``les` `s` join `b`.`t`)";
    const { reads, isComplete } = readsOfDefinition(table('v'), text);
    expect(reads).toEqual([table('id', 's'), table('sa`les', 'shop'), table('t', 'b')]);
    expect(isComplete).toBe(true);
  });

  it.each([["`it's`"], ["`a``b'`"]])('takes no name for the beginning of a text: %s', (odd) => {
    const text = `select \`s\`.\`id\` AS ${odd} from \`shop\`.\`sales\` \`s\` where 'x' = 'x'`;
    expect(readsOfDefinition(table('v'), text).reads).toContainEqual(table('sales', 'shop'));
  });

  it('calls no function where only a text stands before a parenthesis', () => {
    expect(readsOfDefinition(table('v'), "select `s`.`a` 'b' (1)").isComplete).toBe(true);
  });

  it.each([
    ['that is hidden', ''],
    ['that is blank', '  '],
    ['with a function of its user', 'select `shop`.`fn`(1) AS `a`'],
    ['with a function apart from its parentheses', 'select `shop`.`fn` (1) AS `a`'],
  ])('reads what cannot be seen in a definition %s', (_name, text) => {
    expect(readsOfDefinition(table('v'), text).isComplete).toBe(false);
  });
});
