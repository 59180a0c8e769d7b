import { fieldFamily } from './fieldTypes.ts';

/** The kind of values in a database column, derived from the database's own type. */
export type StoredKind = 'text' | 'number' | 'date' | 'timestamp';

type Forms = readonly (readonly [form: RegExp, kind: StoredKind])[];

/**
 * Types of each platform that compare exactly with a value, spelled as its driver describes columns. Deliberately
 * omitted: money, bits, times of day, intervals, documents, lists, types that pad texts with blanks or NULs for
 * comparisons, ClickHouse's enumerations, which fail for texts that are not members, and user-defined types.
 */
const forms: Readonly<Record<string, Forms | undefined>> = {
  duckdb: [
    [/^(VARCHAR|ENUM\([^]*\))$/, 'text'],
    [/^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|DECIMAL\(\d+,\s*\d+\)|FLOAT|DOUBLE)$/, 'number'],
    [/^DATE$/, 'date'],
    [/^TIMESTAMP(_S|_MS| WITH TIME ZONE)?$/, 'timestamp'],
  ],
  postgresql: [
    [/^(text|character( varying)?(\(\d+\))?)$/, 'text'],
    [/^(smallint|integer|bigint|numeric(\(\d+,-?\d+\))?|real|double precision)$/, 'number'],
    [/^date$/, 'date'],
    [/^timestamp(\(\d\))? with(out)? time zone$/, 'timestamp'],
  ],
  mysql: [
    [/^((var)?char\(\d+\)|(tiny|medium|long)?text|enum\([^]*\))$/, 'text'],
    [/^(tiny|small|medium|big)?int(\(\d+\))?( unsigned)?( zerofill)?$/, 'number'],
    [/^(decimal|float|double)(\(\d+(,\d+)?\))?( unsigned)?( zerofill)?$/, 'number'],
    [/^date$/, 'date'],
    [/^(datetime|timestamp)(\(\d\))?$/, 'timestamp'],
  ],
  mssql: [
    [/^n?(var)?char$/, 'text'],
    [/^(tinyint|smallint|int|bigint|decimal|numeric|float|real)$/, 'number'],
    [/^date$/, 'date'],
    [/^(smalldatetime|datetime|datetime2|datetimeoffset)$/, 'timestamp'],
  ],
  oracle: [
    [/^N?VARCHAR2$/, 'text'],
    [/^(NUMBER|FLOAT)$/, 'number'],
    // An Oracle DATE includes a time of day.
    [/^(DATE|TIMESTAMP\(\d\)( WITH( LOCAL)? TIME ZONE)?)$/, 'timestamp'],
  ],
  trino: [
    [/^varchar(\(\d+\))?$/, 'text'],
    [/^(tinyint|smallint|integer|bigint|decimal\(\d+,\s*\d+\)|real|double)$/, 'number'],
    [/^date$/, 'date'],
    [/^timestamp(\(\d+\))?( with time zone)?$/, 'timestamp'],
  ],
  clickhouse: [
    [/^String$/, 'text'],
    [/^(U?Int(8|16|32|64|128|256)|Float(32|64)|Decimal(32|64|128|256)?\([\d, ]+\))$/, 'number'],
    [/^Date(32)?$/, 'date'],
    [/^DateTime(64)?(\([^]*\))?$/, 'timestamp'],
  ],
};

/**
 * The kind of values in a column that the database describes as `nativeType`; undefined when comparisons may not be
 * exact.
 */
export function storedKind(platform: string, nativeType: string): StoredKind | undefined {
  if (platform === 'sqlite') return sqliteKind(nativeType.trim().toUpperCase());
  const known = Object.hasOwn(forms, platform) ? forms[platform] : undefined;
  return known?.find(([form]) => form.test(nativeType))?.[1];
}

/**
 * SQLite accepts any word as a type: its affinity rules determine the meaning; for dates and times, common usage does.
 */
function sqliteKind(type: string): StoredKind | undefined {
  if (type.includes('INT')) return 'number';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text';
  if (type.includes('BLOB')) return undefined;
  if (/REAL|FLOA|DOUB/.test(type)) return 'number';
  if (/^(TIMESTAMP|DATETIME)\b/.test(type)) return 'timestamp';
  if (type === 'DATE') return 'date';
  return /^(NUM(BER|ERIC)?|DEC(IMAL)?|BOOL(EAN)?|MONEY|CURRENCY)\b/.test(type) ? 'number' : undefined;
}

/**
 * Whether a field of this type may be registered for a column of this kind, that is, whether they do not contradict
 * each other. Links, drill-downs and formulas imply no kind of values, and Unix times are numbers.
 */
export function agrees(fieldType: string, kind: StoredKind): boolean {
  if (fieldType === 'udt') return kind === 'number';
  switch (fieldFamily(fieldType)) {
    case 'text':
      return kind === 'text';
    case 'number':
      return kind === 'number';
    case 'moment':
      return kind === 'date' || kind === 'timestamp';
    default:
      return true;
  }
}
