import { describe, expect, it } from 'vitest';
import { agrees, storedKind } from '../../../../src/contract/columnTypes.ts';
import { type FieldTypeCode, fieldTypes } from '../../../../src/contract/fieldTypes.ts';
import type { DatabaseColumn } from '../../../../src/server/databases/database.ts';
import { ReportTables, sourceColumns } from '../../../../src/server/reports/reportTables.ts';
import { dialectOf } from '../../../../src/server/reports/sql/dialects.ts';
import { policyConditions } from '../../../../src/server/reports/sql/policyConditions.ts';
import { policyConstraint, type PolicyConstraint } from '../../../../src/server/security/policyConstraint.ts';
import { secure, type SourceTable } from '../../../../src/server/security/rowSecurity.ts';

/* What the type of a column does to a policy; test/contract/security/columnTypes.test.ts asks the databases themselves. */

const none = { kind: 'constant', value: false };

/** What runs of the restriction of a policy on a column `c` of a type of SQLite's, registered as the given field types. */
function restriction(nativeType: string, registered: readonly FieldTypeCode[], fields: Partial<PolicyConstraint>) {
  const described: DatabaseColumn[] = [{ name: 'c', nativeType, maxLength: 0, isNullable: true }];
  const tables = new ReportTables(
    {
      ...{ id: '1', name: 'films', moduleId: '7', serverId: '3', joins: [] },
      tables: ['t', 'again'].map((alias) => ({ name: 'films', owner: '', alias })),
      fields: registered.map((fieldType, index) => {
        // Names of columns and aliases are found whatever their case, and an alias is as good as the other.
        const tableAlias = index % 2 === 0 ? 'T' : 'again';
        return { id: index, label: `c${index}`, folder: '', tableAlias, column: 'C', fieldType, order: index };
      }),
    },
    () => sourceColumns('sqlite', described),
  );
  const constraint = policyConstraint.parse({
    TableName: 'films',
    ColumnName: 'c',
    Operator: '=',
    Value: '',
    ...fields,
  });
  const security = { policies: [{ constraints: [constraint] }], tagValues: () => undefined, today: '2026-03-18' };
  const { restriction: whole } = secure(tables.table('t') as SourceTable, security);
  return whole?.kind === 'template' ? whole.actual : whole;
}

describe('a policy on a column of text', () => {
  it.each([
    { Operator: '<=', Value: '[Today]' },
    { Operator: '<', Value: '[Tomorrow]' },
    { Operator: '<>', Value: '[Yesterday]' },
    { Operator: 'not in', Value: '[Yesterday], x' },
    { Operator: '<>', Value: '2026-03-18' },
    { Operator: 'not in', Value: '3/18/2026' },
    { Operator: '=', Value: ' [ this  month ] ' },
    { Operator: 'in', Value: 'x, [Last 7 Days]' },
    { Operator: 'like', Value: '[TODAY]' },
    { Operator: '<', Value: 'm' },
    { Operator: '>=', Value: '5' },
    { Operator: 'between', Value: 'a', Value2: 'b' },
  ] as const)('shows no row where it orders texts, or means days: %o', (fields) => {
    for (const registered of ['doz', 'dtz', 'cha', 'ddn'] as const) {
      expect(restriction('TEXT', [registered], fields), registered).toEqual(none);
    }
    expect(restriction('TEXT', [], fields)).toEqual(none);
  });

  it.each([
    { Operator: '=', Value: '2026-03-18' },
    { Operator: '<>', Value: '[North]' },
    { Operator: 'not in', Value: '5, 6' },
    { Operator: 'like', Value: '[Today] at %' },
  ] as const)('compares its characters: %o', (fields) => {
    expect(restriction('TEXT', ['cha'], fields)).toMatchObject({ operand: 'c' });
  });
});

describe('a registered type', () => {
  const kinds = {
    TEXT: ['=', 'x'],
    INTEGER: ['>', '5'],
    DATE: ['<=', '[Today]'],
    DATETIME: ['<>', '[Today]'],
  } as const;

  it.each(Object.entries(kinds))(
    'that is not what %s holds shows no row, and no other one changes the policy',
    (type, [Operator, Value]) => {
      const fields = { Operator, Value } as const;
      const unregistered = restriction(type, [], fields);
      expect(unregistered).not.toEqual(none);
      const shown = (Object.keys(fieldTypes) as FieldTypeCode[]).filter((registered) => {
        const found = restriction(type, [registered], fields);
        if (JSON.stringify(found) !== JSON.stringify(none)) expect(found).toEqual(unregistered);
        return JSON.stringify(found) !== JSON.stringify(none);
      });
      const free = ['ddn', 'lnk', 'flk', 'for'];
      const own = { TEXT: ['cha'], INTEGER: ['cur', 'num', 'per', 'udt'], DATE: ['dat', 'doz', 'dtz', 'tsp'] };
      expect(shown.toSorted()).toEqual([...free, ...(own[type as 'TEXT'] ?? own.DATE)].toSorted());
    },
  );

  it('closes the table under every alias', () => {
    expect(restriction('TEXT', ['cha', 'cha'], { Value: 'x' })).not.toEqual(none);
    expect(restriction('TEXT', ['cha', 'num'], { Value: 'x' })).toEqual(none);
  });
});

describe('a number as Unix time', () => {
  const today = { Operator: '=', Value: '[Today]' } as const;

  it('is one where the policy says so, whatever is registered', () => {
    for (const registered of ['num', 'udt', 'doz'] as const) {
      expect(restriction('INTEGER', [registered], today)).toEqual(none);
    }
    const inSeconds = {
      kind: 'and',
      predicates: [
        { kind: 'compare', operand: 'c', operator: '>=', value: { type: 'number', text: '1773792000' } },
        { kind: 'compare', operand: 'c', operator: '<', value: { type: 'number', text: '1773878400' } },
      ],
    };
    for (const registered of [['num'], ['udt'], []] as const) {
      expect(restriction('INTEGER', registered, { ...today, ColumnType: 'unixTime' })).toEqual(inSeconds);
    }
  });

  it('is no text and no day', () => {
    for (const type of ['TEXT', 'DATE', 'BLOB']) {
      expect(restriction(type, [], { ...today, ColumnType: 'unixTime' })).toEqual(none);
    }
    expect(restriction('INTEGER', [], { Operator: '>', Value: '2026-13-45', ColumnType: 'unixTime' })).toEqual(none);
  });
});

describe('a number in a policy', () => {
  it.each(['1e3', '1234567890123456789', '0.12345678901', '', '.', '5 6', '0x10', 'NaN', 'Infinity'])(
    'is none that a platform might round or read differently: "%s"',
    (Value) => {
      expect(restriction('INTEGER', ['num'], { Operator: '<', Value })).toEqual(none);
    },
  );

  it.each(['123456789012345678', '-5', '+5', ' 5 ', '.5', '5.', '0.1234567890'])('is exact: "%s"', (Value) => {
    expect(restriction('INTEGER', ['num'], { Operator: '<', Value })).toMatchObject({ kind: 'compare' });
  });
});

describe('types of databases', () => {
  it.each([
    ['duckdb', 'DECIMAL(18,4)', 'number'],
    ['duckdb', `ENUM('a', 'b')`, 'text'],
    ['duckdb', 'VARCHAR[]', undefined],
    ['duckdb', 'STRUCT(a INTEGER)', undefined],
    ['postgresql', 'character varying(40)', 'text'],
    ['postgresql', 'timestamp(3) without time zone', 'timestamp'],
    ['postgresql', 'public.integer', undefined],
    ['postgresql', 'positive_int', undefined],
    ['postgresql', 'integer[]', undefined],
    ['postgresql', 'interval', undefined],
    ['postgresql', 'point', undefined],
    ['mysql', 'int(10) unsigned zerofill', 'number'],
    ['mysql', 'year(4)', undefined],
    ['mysql', 'time', undefined],
    ['sqlite', 'CHARINT', 'number'],
    ['sqlite', 'nvarchar(5)', 'text'],
    ['sqlite', '', undefined],
    ['sqlite', 'DATESTRING', undefined],
    ['oracle', 'DATE', 'timestamp'],
    ['oracle', 'CHAR', undefined],
    ['oracle', 'BINARY_DOUBLE', undefined],
    ['trino', 'timestamp(3) with time zone', 'timestamp'],
    ['trino', 'array(varchar)', undefined],
    ['trino', 'char(3)', undefined],
    ['mssql', 'datetimeoffset', 'timestamp'],
    ['mssql', 'sql_variant', undefined],
    ['clickhouse', 'Decimal(18, 4)', 'number'],
    ['clickhouse', 'FixedString(4)', undefined],
    ['clickhouse', 'Array(Int32)', undefined],
    ['toString', 'text', undefined],
  ])('%s %s: %s', (platform, nativeType, kind) => {
    expect(storedKind(platform, nativeType)).toBe(kind);
  });

  it('agree with a field type of no description as with text', () => {
    expect([agrees('none', 'text'), agrees('none', 'number'), agrees('udt', 'date')]).toEqual([true, false, false]);
  });

  it.each(['mssql', 'oracle'])('are compared on %s as its dialect does it', (platform) => {
    const dialect = dialectOf(platform);
    expect(dialect && policyConditions(dialect)).toBe(dialect);
  });
});
