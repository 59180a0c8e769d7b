/** The settings of a login that reports depend on, by name. A release lacks some of them. */
export type LoginSettings = ReadonlyMap<string, string>;

/** Memory limit of one query in bytes; from half of it on, the query groups and sorts on disk. */
const memoryOfQuery = 1024 * 1024 * 1024;

/** Parts of a query that a limit may end early without an error, which shows a part of the rows. */
const overflowModes = [
  ...['distinct', 'group_by', 'join', 'read', 'result', 'set', 'sort', 'timeout', 'transfer'].map(
    (part) => `${part}_overflow_mode`,
  ),
  ...['read_overflow_mode_leaf', 'timeout_overflow_mode_leaf'],
];

/** With other values, a result has other rows or values. */
const decisive: Readonly<Record<string, string>> = {
  join_use_nulls: '1',
  output_format_json_quote_64bit_integers: '0',
  output_format_json_quote_denormals: '0',
  output_format_json_quote_decimals: '0',
  date_time_output_format: 'simple',
  limit: '0',
  offset: '0',
  skip_unavailable_shards: '0',
  join_default_strictness: 'ALL',
  count_distinct_implementation: 'uniqExact',
  decimal_check_overflow: '1',
  distributed_group_by_no_merge: '0',
  empty_result_for_aggregation_by_empty_set: '0',
  output_format_json_quote_64bit_floats: '0',
  partial_result_on_first_cancel: '0',
  prefer_column_name_to_alias: '0',
  use_query_cache: '0',
  ...Object.fromEntries(overflowModes.map((name) => [name, 'throw'])),
};

/** Useful where the login may set them. */
const useful: Readonly<Record<string, string>> = {
  max_result_rows: '0',
  max_result_bytes: '0',
  max_memory_usage: String(memoryOfQuery),
  max_bytes_before_external_group_by: String(memoryOfQuery / 2),
  max_bytes_before_external_sort: String(memoryOfQuery / 2),
  // A column of several types groups and sorts, too.
  allow_suspicious_types_in_group_by: '1',
  allow_suspicious_types_in_order_by: '1',
  // The analyzer rewrites three or more comparisons with one operand as a list, and fails where the operand's type cannot
  // hold a value of the list.
  optimize_min_equality_disjunction_chain_length: '4294967295',
  optimize_min_inequality_conjunction_chain_length: '4294967295',
};

const names = ['readonly', ...Object.keys(decisive), ...Object.keys(useful)];

export const settingsSql = `SELECT name, value FROM system.settings WHERE name IN (${names.map((name) => `'${name}'`).join(', ')})
  FORMAT TabSeparated`;

/** Reads the reply to {@link settingsSql}. */
export function readSettings(lines: readonly string[]): LoginSettings {
  return new Map(lines.map((line) => line.split('\t')).map(([name = '', value = '']) => [name, value]));
}

/** Whether the login may change no setting. */
export function isFixed(login: LoginSettings): boolean {
  return login.get('readonly') === '1';
}

/** All settings of a query that the release has. */
export function querySettings(login: LoginSettings, seconds: number): Record<string, string> {
  const known = Object.entries({ ...decisive, ...useful }).filter(([name]) => login.has(name));
  return { readonly: '2', max_execution_time: String(seconds), ...Object.fromEntries(known) };
}

/** The settings without which a login would get other rows. */
export function neededSettings(login: LoginSettings): Record<string, string> {
  const needed = Object.entries(decisive).filter(([name, value]) => login.has(name) && login.get(name) !== value);
  return { ...(login.get('readonly') === '0' && { readonly: '2' }), ...Object.fromEntries(needed) };
}
