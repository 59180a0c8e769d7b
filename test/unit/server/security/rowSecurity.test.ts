import { describe, expect, it } from 'vitest';
import { policyConstraint, type PolicyConstraint } from '../../../../src/server/security/policyConstraint.ts';
import {
  mayHaveOtherPaths,
  noOtherPaths,
  OtherPathError,
  type OtherPaths,
  type RowSecurity,
  SecuredSource,
  secure,
  type SourceTable,
} from '../../../../src/server/security/rowSecurity.ts';
import { shownSql, sqlOf } from '../../../support/reports/runPlan.ts';
import { shopField, shopReport, shopTables, shopType, where } from '../../../support/reports/shopData.ts';

type Tags = Readonly<Record<string, readonly string[]>>;

function constraint(fields: Partial<PolicyConstraint>): PolicyConstraint {
  return policyConstraint.parse({
    TableName: 'sales',
    ColumnName: 'tenant',
    Operator: '=',
    Value: '/#tenant#/',
    ...fields,
  });
}

function security(policies: Partial<PolicyConstraint>[][], tags: Tags = {}): RowSecurity {
  return {
    policies: policies.map((constraints) => ({ constraints: constraints.map(constraint) })),
    tagValues: (label) => tags[label],
    today: '2026-03-18',
  };
}

const table = shopTables().table('s') as SourceTable;
const report = shopReport([shopField('s.note')]);
/** The restriction on the sales table, as SQL with its values. */
function restriction(policies: Partial<PolicyConstraint>[][], tags?: Tags): [string | undefined, ...string[]] {
  const { sql, values } = sqlOf(report, security(policies, tags));
  return [/FROM \(SELECT \* FROM "sales" WHERE (.*)\) AS "s" LIMIT/.exec(sql)?.[1], ...values];
}

const north = { tenant: ['North'] };

/** A list of texts that a column is in, exactly, in the SQL of DuckDB. */
function isIn(column: string, values = '$1'): string {
  return `("${column}" IN (${values}) AND CAST("${column}" AS VARCHAR) COLLATE C IN (${values}))`;
}

describe('the row-security gate', () => {
  it('binds the values of a tag', () => {
    expect(restriction([[{}]], north)).toEqual([isIn('tenant'), 'text North']);
    expect(restriction([[{}]], { tenant: ['North', "O'Hare"] })).toEqual([
      isIn('tenant', '$1, $2'),
      'text North',
      "text O'Hare",
    ]);
    expect(restriction([[{ Operator: 'in' }]], { tenant: ['a, b', 'c'] }).slice(1)).toEqual([
      'text a',
      'text b',
      'text c',
    ]);
  });

  it('combines constraints by their Logical and policies by AND', () => {
    const own = { Logical: 'OR' } as const;
    const note = { ColumnName: 'note', Value: 'open' };
    expect(restriction([[own, note], [{ ColumnName: 'pieces', Operator: '>', Value: '5' }]], north)).toEqual([
      `((${isIn('tenant')} OR ${isIn('note', '$2')}) AND ("pieces" > $3 AND NOT isnan(CAST("pieces" AS DOUBLE))))`,
      'text North',
      'text open',
      'number 5',
    ]);
  });

  it('stands in parentheses of its own, so no criterion can widen it', () => {
    const either = { Logical: 'OR' };
    const loose = shopReport([
      shopField('s.note', { Criteria: [{ Op: '=', Value1: 'a', ...either }] }),
      shopField('s.pieces', { Criteria: [{ Op: '>', Value1: '0' }] }),
    ]);
    expect(sqlOf(loose, security([[{}]], north)).sql).toContain(
      `FROM (SELECT * FROM "sales" WHERE ${isIn('tenant')}) AS "s" WHERE ("s"."note" = $2 OR "s"."pieces" > $3)`,
    );
  });

  it.each([
    ['an unknown column', { ColumnName: 'owner' }, north],
    ['a tag that the caller has not', {}, {}],
    ['a tag without values', {}, { tenant: [] }],
    ['a tag that is empty', {}, { tenant: [''] }],
    ['a placeholder that is never closed', { Value: '/#tenant' }, north],
    ['text compared with a number', { ColumnName: 'pieces' }, north],
    ['a number out of reach', { ColumnName: 'pieces', Value: '1e999999' }, north],
    ['a date that is none', { ColumnName: 'sold_on', Value: '2026-02-30' }, north],
    ['a list whose quote is never closed', { Operator: 'in' }, { tenant: ["'North"] }],
    ['an order comparison with several values', { Operator: '<' }, { tenant: ['a', 'b'] }],
    ['a pattern on a number', { ColumnName: 'pieces', Operator: 'like', Value: '1%' }, north],
    ['a missing tag behind <>', { Operator: '<>' }, {}],
    ['a missing tag behind not in', { Operator: 'not in' }, {}],
    ['the upper bound of between missing', { Operator: 'between', Value: 'a', Value2: '/#nothing#/' }, north],
  ] as const)('lets no row through for %s', (_name, fields, tags) => {
    expect(restriction([[fields]], tags)).toEqual(['FALSE']);
  });

  it('is a limit that no computed condition of the report passes', () => {
    const computed = shopField('s.pieces', { Formula: 'ABS(?)', Criteria: [where('>', '1')] });
    const joined = shopField('c.name');
    const both = [[{}, { TableName: 'clerks', ColumnName: 'missing' }]];
    const sources = sqlOf(shopReport([computed, joined]), security(both, north)).sql;
    expect(sources).toContain(`FROM (SELECT * FROM "sales" WHERE ${isIn('tenant')} LIMIT 9007199254740991) AS "s"`);
    expect(sources).toContain('JOIN (SELECT * FROM "clerks" WHERE FALSE LIMIT 9007199254740991) AS "c"');
    const bare = shopField('s.pieces', { Criteria: [where('>', '1')] });
    expect(sqlOf(shopReport([bare]), security([[{}]], north)).sql).toContain(`WHERE ${isIn('tenant')}) AS "s"`);
  });

  it('takes tag values as plain text: no wildcards, no placeholders, no SQL', () => {
    const hostile = ["x' OR '1'='1", '%', '/#tenant#/'];
    expect(restriction([[{}]], { tenant: hostile })).toEqual([
      isIn('tenant', '$1, $2, $3'),
      ...hostile.map((text) => `text ${text}`),
    ]);
    expect(restriction([[{ Operator: 'like', Value: '/#tenant#/%' }]], { tenant: ['50%_'] })).toEqual([
      `regexp_full_match(CAST("tenant" AS VARCHAR) COLLATE C, $1, 's')`,
      'text 50%_.*',
    ]);
    expect(restriction([[{ Operator: 'like' }]], { tenant: ['%'] }).slice(1)).toEqual(['text %']);
  });

  it('takes what a user types as plain text', () => {
    const typed = shopReport([
      shopField('s.note', { Criteria: [{ Op: '=', Value1: '/#tenant#/', bprompt: true, flags: 'set' }] }),
    ]);
    expect(sqlOf(typed, security([[{}]], north)).values).toEqual(['text North', 'text /#tenant#/']);
  });

  it.each([
    [{ TableName: 'SALES', ColumnName: 'TENANT' }],
    [{ TableName: ' "Sales" ' }],
    [{ TableName: 'main.sales' }],
    [{ TableOwner: 'main' }],
    [{ ModuleID: '7' }],
  ])('finds its table however it is written: %o', (fields) => {
    expect(restriction([[fields]], north)[0]).toBe(isIn('tenant'));
  });

  it('leaves other tables and other applications alone', () => {
    expect(sqlOf(report, security([[{ TableName: 'stores' }], [{ ModuleID: '8' }]], north)).sql).toContain(
      'FROM "sales" AS "s"',
    );
  });

  it('goes by the table and not by its alias', () => {
    // The alias of one table is the name of another, and one table has two aliases.
    const tables = [
      { name: 'sales', owner: '', alias: 'stores' },
      { name: 'sales', owner: '', alias: 'again' },
      { name: 'stores', owner: '', alias: 'sales' },
    ];
    const field = { id: 1, label: 'Tenant', folder: '', column: 'tenant', fieldType: 'cha', order: 1 } as const;
    const aliased = shopTables({ ...shopType, tables, fields: [{ ...field, tableAlias: 'stores' }] });
    const restricted = tables.map(({ alias }) => {
      const source = secure(aliased.table(alias) as SourceTable, security([[{}]], north));
      return source.restriction !== undefined;
    });
    expect(restricted).toEqual([true, true, false]);
  });

  it('shows placeholders, never another value, in SQL for people', () => {
    const masked = shownSql(report, security([[{}, { ColumnName: 'note', Value: 'open' }]], north));
    expect(masked).toContain(`FROM (SELECT * FROM "sales" WHERE ("tenant" = /#tenant#/ AND "note" = {policy})) AS "s"`);
    expect(shownSql(report, security([[{ Value: "a/#tenant#/'" }]], north))).toContain(`"tenant" = {policy}`);
  });

  it('shows what a policy compares with to those who may read policies', () => {
    const written = (policies: Partial<PolicyConstraint>[][]) => shownSql(report, security(policies, north), true);
    expect(written([[{}, { ColumnName: 'note', Value: 'open' }]])).toContain(
      `WHERE ("tenant" = /#tenant#/ AND "note" IN ('open'))`,
    );
    expect(written([[{ Value: "a/#tenant#/'" }]])).toContain(`"tenant" = 'a/#tenant#/'''`);
  });

  it('cannot be imitated', () => {
    expect(SecuredSource.isGenuine({ table, restriction: undefined })).toBe(false);
    expect(SecuredSource.isGenuine(Object.create(SecuredSource.prototype))).toBe(false);
    expect(SecuredSource.isGenuine(secure(table, security([])))).toBe(true);
  });
});

describe('the gate and other paths to the same rows', () => {
  const reached = (otherPaths: Partial<OtherPaths>): SourceTable => ({
    ...table,
    otherPaths: { ...noOtherPaths, ...otherPaths },
  });
  const viewOfStores = reached({ relations: [{ owner: 'main', name: 'Stores' }] });
  const onStores = { TableName: 'stores' };

  it('refuses a table that shows rows restricted under another name', () => {
    expect(() => secure(viewOfStores, security([[onStores]], north))).toThrow(OtherPathError);
    expect(() => secure(viewOfStores, security([[onStores]], north))).toThrow(
      '"sales" shows rows of "Stores", which a policy restricts',
    );
    expect(() => secure(viewOfStores, security([[{ TableName: 'stores', TableOwner: 'other' }]], north))).not.toThrow();
    expect(() => secure(viewOfStores, security([[{ TableName: 'clerks' }]], north))).not.toThrow();
  });

  it('asks every policy for a constraint of its own', () => {
    expect(secure(viewOfStores, security([[onStores, {}]], north)).restriction).toBeDefined();
    expect(() => secure(viewOfStores, security([[onStores], [{}]], north))).toThrow(OtherPathError);
  });

  it('refuses a table that may show anything, as soon as a policy restricts something', () => {
    const opaque = reached({ isComplete: false });
    expect(() => secure(opaque, security([[onStores]], north))).toThrow(/is unknown which rows "sales" shows/);
    expect(secure(opaque, security([[{}]], north)).restriction).toBeDefined();
    expect(secure(opaque, security([[]], north)).restriction).toBeUndefined();
    // It may lead to the database of another application, through Trino or a foreign table.
    expect(() => secure(opaque, security([[{ ...onStores, ModuleID: '8' }]], north))).toThrow(OtherPathError);
  });

  it('holds for another application that reaches the same database', () => {
    const shared = reached({ relations: [{ owner: '', name: 'stores' }], moduleIds: ['8'] });
    expect(secure(shared, security([[{ ModuleID: '8' }]], north)).restriction).toBeDefined();
    expect(secure(shared, security([[{ ModuleID: '9' }]], north)).restriction).toBeUndefined();
    expect(() => secure(shared, security([[{ ...onStores, ModuleID: '8' }]], north))).toThrow(OtherPathError);
    expect(() => secure(shared, security([[{ ...onStores, ModuleID: '9' }]], north))).not.toThrow();
  });

  it.each([
    ['a policy restricts another table', [[onStores]], true],
    ['a policy of another application restricts it', [[{ ModuleID: '8' }]], true],
    ['one of two policies restricts it', [[{}], [onStores]], true],
    ['every policy restricts it', [[{}], [{ ModuleID: '7' }, onStores]], false],
    ['policies restrict nothing', [[], []], false],
  ] as const)('are looked for where %s: %s', (_name, policies, expected) => {
    expect(mayHaveOtherPaths(table, security(policies.map((each) => [...each])).policies)).toBe(expected);
  });
});
