import { CsvError, parse } from 'csv-parse/sync';
import { roles } from '../../contract/roles.ts';
import { columnOf, isComment, userCsvHeader, type Column } from './userColumns.ts';

/** A group membership requested by a row. */
export interface WantedMembership {
  groupName: string;
  roleId: string;
}

/** A role on an application requested by a row. */
export interface WantedApplication {
  id: string;
  name: string;
  roleId: string;
}

/** A user in the file. */
export interface UserRow {
  /** First line of the row in the file, starting at 1. */
  line: number;
  loginName: string;
  firstName: string;
  lastName: string;
  email: string;
  company: string;
  description: string;
  tags: readonly [string, string, string, string];
  memberships: readonly WantedMembership[];
  application?: WantedApplication | undefined;
  /** Initial password; empty if the file has none. Never displayed, logged or stored. */
  password: string;
  /** Why this row cannot be imported; empty if it can. */
  problems: readonly RowProblem[];
}

/** A problem of a row; `text` is the affected value as written in the file. */
export interface RowProblem {
  kind:
    | 'tooManyValues'
    | 'noLogin'
    | 'hiddenApplications'
    | 'onServer'
    | 'repeated'
    | 'unseenCharacters'
    | 'noEmailAddress'
    | 'unknownGroup'
    | 'ambiguousGroup'
    | 'unknownRole'
    | 'groupTwice'
    | 'unknownApplication'
    | 'noApplication'
    | 'noRole'
    | 'unknownApplicationRole'
    | 'noPassword';
  text: string;
}

/** Parsed content of a file. */
export interface UserFile {
  rows: readonly UserRow[];
  /** Columns with unknown names; their values are ignored. */
  ignoredColumns: readonly string[];
}

/** Existing names on the server, in lower case. */
export interface KnownNames {
  logins: ReadonlySet<string>;
  groups: ReadonlySet<string>;
  /** Names shared by several groups, with their ids: a row must use `#id`. */
  ambiguousGroups?: ReadonlyMap<string, readonly string[]>;
  /** Ids of the other groups, by name and by `#id`. */
  groupIds?: ReadonlyMap<string, string>;
  applications?: readonly { readonly id: string; readonly name: string }[];
  /** Whether the server refuses to return its applications. */
  hidesApplications?: boolean;
}

/**
 * The file is not a list of users: the reason and the affected value; for `noCsv` the line, if known. Never contains
 * the file's values.
 */
export class UserFileError extends Error {
  readonly kind: 'tooLarge' | 'empty' | 'noRows' | 'noLoginColumn' | 'columnTwice' | 'noCsv';
  readonly detail: string;

  constructor(kind: UserFileError['kind'], detail = '') {
    super(`${kind} ${detail}`);
    this.kind = kind;
    this.detail = detail;
  }
}

const longestFile = 10_000_000;

/**
 * Parses users from CSV: a header line; values separated by comma, semicolon or tab, or by the separator from a first
 * line such as `sep=;`. `Groups` contains names separated by semicolons or bars, each with an optional role, for
 * example `North:Modify|All Users`; the default is View. A group's name may contain a colon; `#12` is the group with id
 * 12, whatever its name. `Role` is a role on the application in `Application`, which may be empty if there is only one.
 * Lines before the header that begin with `#` are comments.
 * @throws {UserFileError} if the text is not such a list.
 */
export function readUserCsv(text: string, known: KnownNames): UserFile {
  if (text.length > longestFile) throw new UserFileError('tooLarge');
  const all = parseRecords(text);
  const records = all.slice(all.findIndex(({ values }) => !isComment(values)));
  const [header, ...rest] = records;
  if (!header || isComment(header.values)) throw new UserFileError('empty');
  const columns = header.values.map(columnOf);
  if (!columns.includes('login')) {
    throw new UserFileError('noLoginColumn', userCsvHeader);
  }
  const twice = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index);
  if (twice !== undefined) {
    throw new UserFileError('columnTwice', header.values.filter((_name, index) => columns[index] === twice).join(', '));
  }
  if (rest.length === 0) throw new UserFileError('noRows');
  const seen = new Set<string>();
  const rows = rest.map(({ line, values }) => withProblems(readRow(line, values, columns, known), seen, known));
  const ignoredColumns = header.values.filter((name, index) => columns[index] === undefined && name !== '');
  return { rows: withConflicts(rows, known), ignoredColumns };
}

function parseRecords(text: string): { line: number; values: string[] }[] {
  const [, told] = /^\uFEFF?sep=([^\r\n])\r?\n/i.exec(text) ?? [];
  const parsed = (csv: string): unknown =>
    parse(csv, {
      bom: true,
      delimiter: told ?? delimiterOf(csv),
      from_line: told === undefined ? 1 : 2,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    });
  try {
    const found = parsed(text);
    return Array.isArray(found) ? numbered(found) : [];
  } catch (error) {
    // The parser's message quotes the value, which may be a password.
    if (error instanceof CsvError)
      throw new UserFileError(
        'noCsv',
        faultyLine(() => parsed(text.replace(/\r\n?/g, '\n'))),
      );
    throw error;
  }
}

/**
 * Line of a misplaced quotation mark; empty if one is never closed. Line breaks must be normalized to one character.
 */
function faultyLine(parseAgain: () => unknown): string {
  try {
    parseAgain();
    return '';
  } catch (error) {
    if (!(error instanceof CsvError) || error.code === 'CSV_QUOTE_NOT_CLOSED') return '';
    return typeof error.lines === 'number' ? String(error.lines) : '';
  }
}

/** A record of csv-parse with `info`: the line on which it ended, and its values. */
interface ParsedRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** Records with their first lines. The parser counts a CR LF within quotes as two lines. */
function numbered(records: readonly ParsedRecord[]): { line: number; values: string[] }[] {
  let surplus = 0;
  return records.map(({ record, info }) => {
    const count = (pattern: RegExp) => record.reduce((sum, value) => sum + (value.match(pattern)?.length ?? 0), 0);
    const line = info.lines - surplus - count(/[\r\n]/g);
    surplus += count(/\r\n/g);
    return { line, values: record };
  });
}

/** The separator of the first line's values. */
function delimiterOf(text: string): string {
  const [line = ''] = text
    .replace(/^(?:\s*"?#[^\r\n]*[\r\n]+)+/, '')
    .trimStart()
    .split(/[\r\n]/, 1);
  const header = line.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: header.split(sign).length }));
  return counts.sort((a, b) => b.count - a.count)[0]?.sign ?? ',';
}

function readRow(
  line: number,
  values: readonly string[],
  columns: readonly (Column | undefined)[],
  known: KnownNames,
): UserRow {
  const asWritten = (column: Column): string => values[columns.indexOf(column)] ?? '';
  // The parser preserves blanks within quotes; some systems write decomposed letters, which cannot be typed.
  const value = (column: Column) => asWritten(column).trim().normalize();
  const isTooLong = values.length > columns.length;
  const problems: RowProblem[] = isTooLong ? [{ kind: 'tooManyValues', text: String(values.length) }] : [];
  const memberships = value('groups')
    .split(/[;|]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => readMembership(part, known, problems));
  return {
    line,
    loginName: value('login'),
    firstName: value('first'),
    lastName: value('last'),
    email: value('email'),
    company: value('company'),
    description: value('description'),
    tags: [value('tag1'), value('tag2'), value('tag3'), value('tag4')],
    memberships,
    application: readApplication(value('application'), value('role'), known, problems),
    password: isTooLong ? '' : asWritten('password'),
    problems,
  };
}

function readMembership(text: string, known: KnownNames, problems: RowProblem[]): WantedMembership {
  const isWholeName = known.groups.has(text.toLowerCase());
  const [, groupName = text, roleName = 'View'] = (isWholeName ? undefined : /^(.*?)(?::([^:]*))?$/s.exec(text)) ?? [];
  const wanted = roleName.trim().toLowerCase();
  const role = roles.find(
    ({ name, id, appliesTo }) => appliesTo === 'group' && (name.toLowerCase() === wanted || id === wanted),
  );
  if (!role) problems.push({ kind: 'unknownRole', text: roleName.trim() });
  return { groupName: groupName.trim(), roleId: role?.id ?? '2' };
}

/** The application by name or `#id`, and a role on it by name or id; undefined if the row names neither. */
function readApplication(
  name: string,
  roleName: string,
  { applications = [], hidesApplications = false }: KnownNames,
  problems: RowProblem[],
): WantedApplication | undefined {
  if (name === '' && roleName === '') return undefined;
  if (hidesApplications) {
    problems.push({ kind: 'hiddenApplications', text: name });
    return undefined;
  }
  const wanted = name.toLowerCase();
  const named = applications.filter((each) => each.name.trim().toLowerCase() === wanted || `#${each.id}` === wanted);
  const [found, ...others] = name === '' ? applications : named;
  const role = roles.find(
    ({ id, name: known, appliesTo }) =>
      appliesTo === 'application' && (known.toLowerCase() === roleName.toLowerCase() || id === roleName),
  );
  if (name === '' && applications.length !== 1) problems.push({ kind: 'noApplication', text: roleName });
  else if (!found || others.length > 0) problems.push({ kind: 'unknownApplication', text: name });
  if (roleName === '') problems.push({ kind: 'noRole', text: name });
  else if (!role) problems.push({ kind: 'unknownApplicationRole', text: roleName });
  return found && role && { id: found.id, name: found.name, roleId: role.id };
}

function withProblems(row: UserRow, seen: Set<string>, known: KnownNames): UserRow {
  const login = row.loginName.toLowerCase();
  const problems = [...row.problems];
  const add = (kind: RowProblem['kind'], text: string) => problems.push({ kind, text });
  if (login === '') add('noLogin', '');
  else if (known.logins.has(login)) add('onServer', row.loginName);
  else if (seen.has(login)) add('repeated', row.loginName);
  seen.add(login);
  if (/[\p{Cc}\p{Cf}]/u.test(row.loginName)) add('unseenCharacters', '');
  if (row.email !== '' && !/^[^\s@]+@[^\s@]+$/.test(row.email)) add('noEmailAddress', row.email);
  for (const { groupName } of row.memberships) {
    const name = groupName.toLowerCase();
    const ids = known.ambiguousGroups?.get(name);
    if (!known.groups.has(name)) add('unknownGroup', groupName);
    else if (ids) add('ambiguousGroup', `${groupName} (${ids.map((id) => `#${id}`).join(', ')})`);
  }
  const twice = namedTwice(row.memberships, known);
  if (twice !== undefined) add('groupTwice', twice);
  return { ...row, problems };
}

/** Marks the first row of a login, too, if another one gives it other groups or roles: either could be the right one. */
function withConflicts(rows: readonly UserRow[], known: KnownNames): UserRow[] {
  const byLogin = Map.groupBy(rows, ({ loginName }) => loginName.toLowerCase());
  return rows.map((row) => {
    const wanted = accessOf(row, known);
    if (row.problems.length > 0 || wanted === undefined) return row;
    const others = (byLogin.get(row.loginName.toLowerCase()) ?? []).map((other) => accessOf(other, known));
    const isClear = others.every((other) => other === undefined || other === wanted);
    return isClear ? row : { ...row, problems: [{ kind: 'repeated', text: row.loginName }] };
  });
}

/** The groups and roles that a row gives, as a text to compare; undefined if it gives none. */
function accessOf({ memberships, application }: UserRow, { groupIds }: KnownNames): string | undefined {
  if (memberships.length === 0 && application === undefined) return undefined;
  const groups = memberships.map(({ groupName, roleId }) => {
    const name = groupName.toLowerCase();
    return JSON.stringify([groupIds?.get(name) ?? name, roleId]);
  });
  return JSON.stringify([groups.sort(), application?.id, application?.roleId]);
}

/** Detects a group requested more than once, under any of its names: its role would be ambiguous. */
function namedTwice(memberships: readonly WantedMembership[], { groupIds }: KnownNames): string | undefined {
  const keys = memberships.map(({ groupName }) => groupIds?.get(groupName.toLowerCase()) ?? groupName.toLowerCase());
  return memberships.find((_membership, index) => keys.indexOf(keys[index] ?? '') !== index)?.groupName;
}
