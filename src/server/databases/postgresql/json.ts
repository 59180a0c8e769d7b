/** A result column as the driver describes it. */
interface ResultColumn {
  name: string;
  /** Object id of its type. */
  dataTypeID: number;
}

/** Types whose text is a JSON number or keyword, by object id: boolean, int8, int2, int4, oid. */
const plainTypes = new Set([16, 20, 21, 23, 26]);
/** numeric, float4, float8: their values include NaN and infinity. */
const fractionTypes = new Set([1700, 700, 701]);
/** date, timestamp, timestamptz: their values include infinity, and no other value needs an escape. */
const timeTypes = new Set([1082, 1114, 1184]);

/** A call takes at most 100 arguments; each column is two of them. */
const columnsPerCall = 40;

/** A query with the columns of `sql` and no rows. */
export const describingSql = (sql: string): string => `SELECT * FROM (${sql}) AS result LIMIT 0`;

/**
 * A query for the rows of `sql`, each as the text of one JSON object: reading it takes half of the processor time here
 * that creating and joining its values did, and the database writes it in a separate process.
 */
export function jsonRowSql(sql: string, columns: readonly ResultColumn[]): string {
  const aliases = columns.map((_, place) => `c${place}`);
  const members = columns.map(({ name, dataTypeID }, place) => {
    const key = `${place === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    return `${sqlText(key)}, ${valueSql(`c${place}`, dataTypeID)}`;
  });
  const calls: string[] = [];
  for (let at = 0; at < members.length; at += columnsPerCall) {
    calls.push(`concat(${members.slice(at, at + columnsPerCall).join(', ')})`);
  }
  return `SELECT ${calls.join(' || ')} || '}' FROM (${sql}) AS result (${aliases.join(', ')})`;
}

/**
 * The text of a JSON value. `concat` returns a value as the database displays it, which a cast to text may truncate.
 */
function valueSql(column: string, type: number): string {
  if (plainTypes.has(type)) return `coalesce(${column}::text, 'null')`;
  if (fractionTypes.has(type)) return `coalesce(${finite(column, 'NaN', 'Infinity', '-Infinity')}, 'null')`;
  if (timeTypes.has(type)) return `coalesce('"' || ${finite(column, 'infinity', '-infinity')} || '"', 'null')`;
  return `CASE WHEN ${column} IS NULL THEN 'null' ELSE to_json(concat(${column}))::text END`;
}

/** Null for the values that JSON cannot represent. */
const finite = (column: string, ...words: readonly string[]): string =>
  words.reduce((text, word) => `nullif(${text}, '${word}')`, `${column}::text`);

/** A literal, with escapes for the backslashes that JSON puts before quotes. */
const sqlText = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
