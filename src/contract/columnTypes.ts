import { fieldFamily } from './fieldTypes.ts';

/** What a column of a database holds, by the database's own type. */
export type StoredKind = 'text' | 'number' | 'date' | 'timestamp';

type Forms = readonly (readonly [form: RegExp, kind: StoredKind])[];

/**
 * Types of each platform whose comparisons with a value are exact, in the words in which its driver describes columns.
 * Left out on purpose: money, bits, times of day, intervals, documents, lists, types that fill texts with blanks or NULs for
 * comparisons, ClickHouse's enumerations, which fail for other texts than theirs, and types that a database's owner has defined.
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
    // A DATE of Oracle has a time of day.
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
 * What a column holds whose database describes it as `nativeType`; undefined where comparisons with it are not certainly
 * exact.
 */
export function storedKind(platform: string, nativeType: string): StoredKind | undefined {
  if (platform === 'sqlite') return sqliteKind(nativeType.trim().toUpperCase());
  const known = Object.hasOwn(forms, platform) ? forms[platform] : undefined;
  return known?.find(([form]) => form.test(nativeType))?.[1];
}

/** SQLite takes any word for a type: what it means is the affinity of its rules, and for moments what people mean by it. */
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
 * Whether a field may be registered with this type for a column of this kind: neither says that the other one's values are
 * something else. Links, drill-downs and formulas say nothing of values, and Unix times are numbers.
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
