/*
 * Columns of many types, with what a person means by the values in them: what a test knows of a database without asking it.
 */

/** What a value means; `undefined` for NULL and for what is no value of its column at all. */
export type Meaning = string | number | bigint | Date | undefined;

/** A column of a test's table. */
export interface TypedColumn {
  /** Type as CREATE TABLE takes it. */
  type: string;
  /** What its values mean to a policy; `none` for types that no policy may compare. */
  holds: 'text' | 'number' | 'moment' | 'none';
  /** One value per row: SQL, and what it means. */
  values: readonly (readonly [sql: string, meaning: Meaning])[];
}

const nothing = ['NULL', undefined] as const;
const quoted = (text: string) => [`'${text}'`, text] as const;
const plain = (number: number | bigint) => [String(number), number] as const;
const moment = (text: string) =>
  [`'${text}'`, new Date(`${text.replace(' ', 'T')}${text.includes(' ') ? '' : 'T00:00:00'}Z`)] as const;

const text = ['North', 'north', '5', '05', '2026-03-17', '2999-01-01', '[Today]'].map(quoted);
const words = ['North', 'South', '5', '05', '2026-03-17', '2999-01-01', '[Today]'].map(quoted);
const whole = [5, 4, -3, 0, 1_773_792_000, 2_147_483_647, 7].map(plain);
const small = [5, 4, -3, 0, 100, 127, 7].map(plain);
const counted = [5, 4, 3, 0, 100, 127, 7].map(plain);
const large = [5n, 4n, -3n, 0n, 9_007_199_254_740_993n, 9_007_199_254_740_992n, 7n].map(plain);
const fraction = [5, 4.5, -3.25, 0, 1_773_792_000, 1e12, 7].map(plain);
const day = ['2026-03-17', '2026-03-18', '2026-03-19', '2099-01-01', '1999-12-31', '2026-02-28', '2026-04-01'].map(
  moment,
);
const time = [
  '2026-03-17 23:59:59',
  '2026-03-18 00:00:00',
  '2026-03-18 12:00:00',
  '2026-03-19 00:00:00',
  '2099-01-01 00:00:00',
  '1999-12-31 23:59:59',
  '2026-04-01 00:00:00',
].map(moment);
/** What fits into a moment of 32 bits. */
const earlyTime = time.map((each) => (each[0] === `'2099-01-01 00:00:00'` ? moment('2037-01-01 00:00:00') : each));

const of = (
  type: string,
  holds: TypedColumn['holds'],
  values: TypedColumn['values'],
  more: TypedColumn['values'] = [],
) => ({
  type,
  holds,
  values: [...values, ...more],
});
const none = (type: string, sql: string) =>
  of(
    type,
    'none',
    Array.from({ length: 7 }, () => [sql, undefined] as const),
  );
const wrong = (...sql: string[]) => sql.map((each) => [each, undefined] as const);

const enumeration = `('North', 'South', '5', '05', '2026-03-17', '2999-01-01', '[Today]')`;
const nan = wrong(`'NaN'`);

/** The columns of a platform's table. Rows that a column has no value for hold NULL. */
export const typedColumns: Readonly<Record<string, readonly TypedColumn[]>> = {
  duckdb: [
    of('VARCHAR', 'text', text),
    of('VARCHAR COLLATE NOCASE', 'text', text),
    of(`ENUM${enumeration}`, 'text', words),
    of('INTEGER', 'number', whole),
    of('BIGINT', 'number', large),
    of('HUGEINT', 'number', large),
    of('UTINYINT', 'number', counted),
    of('DECIMAL(18, 4)', 'number', fraction),
    of('DOUBLE', 'number', fraction, nan),
    of('FLOAT', 'number', small, nan),
    of('DATE', 'moment', day),
    of('TIMESTAMP', 'moment', time),
    of(
      'TIMESTAMP WITH TIME ZONE',
      'moment',
      time.map(([sql, means]) => [sql.replace(/'$/, "+00'"), means] as const),
    ),
    none('BOOLEAN', 'true'),
    none('UUID', `'5a3b0f6e-3c5b-4a57-9d0a-0a4c8f2d9e11'`),
    none('TIME', `'12:00:00'`),
    none('BLOB', `'North'`),
    none('VARCHAR[]', `['North']`),
  ],
  postgresql: [
    of('text', 'text', text),
    of('varchar(40)', 'text', text),
    of('char(12)', 'text', text),
    of('text COLLATE anycase', 'text', text),
    of('word', 'text', text),
    of('integer', 'number', whole),
    of('smallint', 'number', small),
    of('bigint', 'number', large),
    of('numeric', 'number', fraction, nan),
    of('double precision', 'number', fraction, nan),
    of('real', 'number', small, nan),
    of('date', 'moment', day),
    of('timestamp', 'moment', time),
    of(
      'timestamptz',
      'moment',
      time.map(([sql, means]) => [sql.replace(/'$/, "+00'"), means] as const),
    ),
    none('boolean', 'true'),
    none('money', `'5'`),
    none('jsonb', `'"North"'`),
    none('place', `'North'`),
    none('time', `'12:00'`),
  ],
  mysql: [
    of('VARCHAR(40)', 'text', text),
    of('CHAR(12)', 'text', text),
    of('TEXT', 'text', text),
    of(`ENUM${enumeration}`, 'text', words),
    of('INT', 'number', whole),
    of('TINYINT', 'number', small),
    of('BIGINT', 'number', large),
    of('INT UNSIGNED', 'number', counted),
    of('DECIMAL(18, 4)', 'number', fraction),
    of('DOUBLE', 'number', fraction),
    of('DATE', 'moment', day, wrong(`'0000-00-00'`, `'2026-00-00'`)),
    of('DATETIME', 'moment', time, wrong(`'0000-00-00 00:00:00'`)),
    of('TIMESTAMP NULL', 'moment', earlyTime, wrong(`'0000-00-00 00:00:00'`)),
    none('YEAR', '2026'),
    none('TIME', `'12:00:00'`),
    none('BIT(8)', `b'101'`),
    none('VARBINARY(20)', `'North'`),
    none("SET('North', 'South')", `'North,South'`),
  ],
  sqlite: [
    of('TEXT', 'text', text, wrong(`x'4e'`)),
    of('VARCHAR(40)', 'text', text, wrong(`x'4e'`)),
    of('TEXT COLLATE NOCASE', 'text', text),
    of('INTEGER', 'number', large, wrong(`'7up'`, `x'35'`)),
    of('SMALLINT', 'number', small, wrong(`'7up'`)),
    of('REAL', 'number', fraction, wrong(`'7up'`, `x'35'`)),
    of('NUMERIC', 'number', fraction, wrong(`'2026-03-18'`)),
    of('DECIMAL(18, 4)', 'number', fraction, wrong(`'North'`)),
    of('BOOLEAN', 'number', [1, 0, 1, 0].map(plain), wrong(`'North'`)),
    of('DATE', 'moment', day, wrong('1773792000', `'soon'`, `'2026-02-30'`, `x'32'`)),
    of(
      'DATETIME',
      'moment',
      [...time.slice(0, 6), [`'2026-04-01T00:00:00.000'`, time[6]?.[1]]],
      wrong('20000000', `'now'`),
    ),
    of(
      'TIMESTAMP',
      'moment',
      [...time.slice(0, 6), [`'2026-04-01 00:00'`, time[6]?.[1]]],
      wrong(`'2026-03-18 24:00:00'`),
    ),
    none('BLOB', `'North'`),
    none('', '5'),
    none('STRING', `'North'`),
    none('JSON', `'"North"'`),
    none('TIME', `'12:00:00'`),
  ],
  clickhouse: [
    of('Nullable(String)', 'text', text),
    of('String', 'text', text),
    of('Nullable(Int32)', 'number', whole),
    of('Nullable(Int64)', 'number', large),
    of('Int8', 'number', small),
    of('Nullable(UInt8)', 'number', counted),
    of('UInt64', 'number', counted),
    of('Nullable(Float64)', 'number', fraction, wrong('nan')),
    of('Nullable(Decimal(18, 4))', 'number', fraction),
    of('Nullable(Date)', 'moment', day),
    of('Date', 'moment', day),
    of('Nullable(DateTime)', 'moment', time),
    none('FixedString(12)', `'North'`),
    none(`Enum8('North' = 1, 'South' = 2)`, `'North'`),
    none('UUID', `'5a3b0f6e-3c5b-4a57-9d0a-0a4c8f2d9e11'`),
    none('Array(String)', `['North']`),
  ],
  trino: [
    of('varchar', 'text', text),
    of('varchar(40)', 'text', text),
    of('integer', 'number', whole),
    of('tinyint', 'number', small),
    of('bigint', 'number', large),
    of('decimal(18, 4)', 'number', fraction),
    of('decimal(38, 2)', 'number', large),
    of('double', 'number', fraction, wrong('nan()')),
    of('real', 'number', small, wrong('nan()')),
    of('date', 'moment', day),
    of('timestamp(0)', 'moment', time),
    of('timestamp(12)', 'moment', time),
    of(
      'timestamp(3) with time zone',
      'moment',
      time.map(([sql, means]) => [sql.replace(/'$/, " UTC'"), means] as const),
    ),
    none('char(12)', `'North'`),
    none('boolean', 'true'),
    none('uuid', `'5a3b0f6e-3c5b-4a57-9d0a-0a4c8f2d9e11'`),
    none('time(3)', `'12:00:00'`),
    none('varbinary', `x'4e'`),
    none('array(varchar)', `ARRAY['North']`),
  ],
};

const rowsPerTable = 12;

/** Statements that make the table `typed` of a platform: `id`, and the columns `c0`, `c1` … */
export function typedTable(platform: string): string[] {
  const columns = typedColumns[platform] ?? [];
  const isClickhouse = platform === 'clickhouse';
  const definition = columns.map(({ type }, index) => `c${index} ${type}`).join(', ');
  const rows = Array.from({ length: rowsPerTable }, (_, row) => {
    const values = columns.map(({ type, values: given }) => {
      // What may not be NULL repeats its first value.
      const absent = isClickhouse && !type.startsWith('Nullable') ? given[0] : nothing;
      return (given[row] ?? absent)?.[0];
    });
    return `(${[row, ...values].join(', ')})`;
  });
  const before: Readonly<Record<string, readonly string[]>> = {
    postgresql: [
      `CREATE COLLATION anycase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
      'CREATE DOMAIN word AS text',
      `CREATE TYPE place AS ENUM ('North', 'South')`,
    ],
    mysql: [`SET sql_mode = ''`],
  };
  return [
    ...(before[platform] ?? []),
    `CREATE TABLE typed (id ${isClickhouse ? 'Int32' : 'INTEGER'}, ${definition})${isClickhouse ? ' ENGINE = Memory' : ''}`,
    `INSERT INTO typed VALUES ${rows.join(', ')}`,
  ];
}

/** What the values of a column mean, row by row. */
export function meanings(platform: string, { type, values }: TypedColumn): Meaning[] {
  const absent = platform === 'clickhouse' && !type.startsWith('Nullable') ? values[0]?.[1] : undefined;
  return Array.from({ length: rowsPerTable }, (_, row) => {
    const value = values[row];
    return value ? value[1] : absent;
  });
}
