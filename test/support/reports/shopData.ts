import type { DuckDBConnection } from '@duckdb/node-api';
import type { Criteria, Report, ReportField } from '../../../src/contract/resources/report.ts';
import type { ReportTypeField, ReportTypeModel } from '../../../src/server/catalogue/reportTypeModel.ts';
import type { RowSecurity } from '../../../src/server/security/rowSecurity.ts';
import type { FieldTypeCode } from '../../../src/contract/fieldTypes.ts';
import { type DescribedColumns, ReportTables, sourceColumns } from '../../../src/server/reports/reportTables.ts';

/** One row of a table: values by column, as SQL literals need them. */
export type ShopRow = Readonly<Record<string, string | number | bigint | null>>;

/** A small shop: sales belong to stores and clerks, stores to regions; a clerk may help in a second store. */
export interface ShopData {
  sales: readonly ShopRow[];
  stores: readonly ShopRow[];
  clerks: readonly ShopRow[];
}

/** Columns of the tables with their types in DuckDB. */
export const columnTypes: Record<keyof ShopData, Readonly<Record<string, string>>> = {
  sales: {
    id: 'INTEGER',
    store_id: 'INTEGER',
    clerk_id: 'INTEGER',
    amount: 'DECIMAL(12, 2)',
    pieces: 'BIGINT',
    ratio: 'DOUBLE',
    sold_on: 'DATE',
    sold_at: 'TIMESTAMP',
    note: 'VARCHAR',
    tenant: 'VARCHAR',
  },
  stores: { id: 'INTEGER', name: 'VARCHAR', region: 'VARCHAR', opened: 'DATE', tenant: 'VARCHAR' },
  clerks: { id: 'INTEGER', name: 'VARCHAR', level: 'INTEGER', tenant: 'VARCHAR' },
};

/** Writes the shop's tables into a schema, in place of what was there. */
export async function writeShop(connection: DuckDBConnection, schema: string, data: ShopData): Promise<void> {
  const statements = [`DROP SCHEMA IF EXISTS "${schema}" CASCADE`, `CREATE SCHEMA "${schema}"`];
  for (const [table, columns] of Object.entries(columnTypes)) {
    const definition = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
    statements.push(`CREATE TABLE "${schema}".${table} (${definition.join(', ')})`);
    const rows = data[table as keyof ShopData];
    if (rows.length === 0) continue;
    const names = Object.keys(columns);
    const values = rows.map((row) => `(${names.map((name) => literal(row[name] ?? null)).join(', ')})`);
    statements.push(`INSERT INTO "${schema}".${table} VALUES ${values.join(', ')}`);
  }
  await connection.run(statements.join(';'));
}

/** A value as SQL writes it. */
export function literal(value: string | number | bigint | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return Object.is(value, Number.NaN) ? `'NaN'::DOUBLE` : String(value);
}

type FieldRow = readonly [alias: string, column: string, label: string, type: FieldTypeCode];

const fieldRows: readonly FieldRow[] = [
  ['s', 'id', 'Sale', 'num'],
  ['s', 'amount', 'Amount', 'cur'],
  ['s', 'pieces', 'Pieces', 'num'],
  ['s', 'ratio', 'Ratio', 'num'],
  ['s', 'sold_on', 'Sold On', 'doz'],
  ['s', 'sold_at', 'Sold At', 'dtz'],
  ['s', 'note', 'Note', 'cha'],
  ['s', 'tenant', 'Tenant', 'cha'],
  ['st', 'name', 'Store', 'cha'],
  ['st', 'region', 'Region', 'cha'],
  ['st', 'opened', 'Opened', 'doz'],
  ['c', 'name', 'Clerk', 'cha'],
  ['c', 'level', 'Level', 'num'],
];

/** The shop's report type. `stores.tenant` and `clerks.tenant` are no fields: only policies know them. */
export const shopType: ReportTypeModel = {
  id: '1',
  name: 'Sales',
  moduleId: '7',
  serverId: '3',
  tables: [
    { name: 'sales', owner: '', alias: 's' },
    { name: 'stores', owner: '', alias: 'st' },
    { name: 'clerks', owner: '', alias: 'c' },
  ],
  joins: [
    { kind: 'left', leftAlias: 's', leftColumn: 'store_id', rightAlias: 'st', rightColumn: 'id' },
    { kind: 'inner', leftAlias: 's', leftColumn: 'clerk_id', rightAlias: 'c', rightColumn: 'id' },
  ],
  fields: fieldRows.map(([tableAlias, column, label, fieldType], index): ReportTypeField => ({
    id: index + 1,
    label,
    folder: '',
    tableAlias,
    column,
    fieldType,
    order: index + 1,
  })),
};

/** The shop's columns as DuckDB describes them. */
export const describedShop: DescribedColumns = (_owner, table) => {
  const columns = columnTypes[table as keyof ShopData];
  return sourceColumns(
    'duckdb',
    Object.entries(columns).map(([name, nativeType]) => ({ name, nativeType, maxLength: 0, isNullable: true })),
  );
};

/** The tables of the shop's report type, or of one made from it. */
export function shopTables(reportType: ReportTypeModel = shopType): ReportTables {
  return new ReportTables(reportType, describedShop);
}

/** A report field of the shop: `alias.column`, and what differs from a plain column. */
export function shopField(column: string, more: Partial<ReportField> = {}): ReportField {
  const [alias = '', name = ''] = column.split('.');
  const row = fieldRows.find(([tableAlias, dbColumn]) => tableAlias === alias && dbColumn === name);
  return {
    DbTableAlias: alias,
    DbFieldName: name,
    DisplayFieldName: row?.[2] ?? name,
    RenamedField: `${alias}_${name}`,
    Fieldtype: row?.[3] ?? 'cha',
    Criteria: [],
    ...more,
  };
}

/** A criteria row. */
export function where(Op: string, Value1: string | null = '', more: Partial<Criteria> = {}): Criteria {
  return { Index: 0, Op, Value1, Value2: '', Logical: 'AND', ...more };
}

/** A report over the shop. */
export function shopReport(fields: readonly ReportField[], more: Partial<Report> = {}): Report {
  const numbered = fields.map((field, index) => ({ fieldindex: index + 1, ...field }));
  return { ReportType: 'Sales', FieldList: numbered, AdHocFields: [], linkreports: [], ...more };
}

/** Row security without any policy. */
export const unrestricted: RowSecurity = { policies: [], tagValues: () => undefined, today: '2026-03-18' };
