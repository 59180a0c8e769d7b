import { codeOf, type Endpoint, unreachable } from '../connectionSettings.ts';
import { type DatabaseAddress, DatabaseError } from '../database.ts';
import { tooMuchMemory } from '../queryRules.ts';

/** An error returned by the server instead of rows. */
export class ServerFailure extends Error {
  /** ClickHouse error number; empty if the reply has none. */
  readonly number: string;

  constructor(text: string) {
    super(text);
    this.number = numberOf(text);
  }
}

/** The server aborted its reply. */
export class BrokenReply extends Error {
  /** ClickHouse error number of the reason; empty if the reply has none. */
  readonly number: string;

  constructor(number = '') {
    super('The reply has no end');
    this.number = number;
  }
}

/** Number at the beginning of an error's text. What follows it may quote values. */
export function numberOf(text: string): string {
  return /^Code: (\d+)[.,] /.exec(text)?.[1] ?? '';
}

/** A complete value of JSON, or what is between them; a text holds no line break. */
const jsonToken = /[\s[\]{}:,]+|"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"|-?\d[\d.eE+-]*|null|true|false/y;

/**
 * The error number of a reply that ends in an error, from its first incomplete line on. The error comes after the rows
 * and outside their texts, which may hold the text of an error. Releases write it
 * - from 25.11 on, between two lines `__exception__` with the tag of the reply's header,
 * - before, after one such line,
 * - before 2024, without any mark.
 */
export function reasonOf(text: string, tag: string | undefined): string {
  if (tag !== undefined && tag !== '') {
    const [, marked] = text.split(`__exception__\r\n${tag}\r\n`, 2);
    return marked === undefined ? '' : numberOf(marked);
  }
  let at = 0;
  for (jsonToken.lastIndex = 0; jsonToken.test(text);) at = jsonToken.lastIndex;
  return numberOf(text.slice(at).replace(/^__exception__\r?\n(?:\w+\r?\n)?/, ''));
}

const connectionProblems: Readonly<Record<string, string>> = {
  '81': 'it has no such database',
  '192': 'the login or its password is refused',
  '193': 'the login or its password is refused',
  '194': 'the login is refused without a password',
  '195': 'it accepts no connections from here',
  '516': 'the login or its password is refused',
};

/** Error numbers that occur before any row is read; their messages contain only names and types. */
const refusals = new Set(
  [16, 36, 42, 43, 44, 46, 47, 53, 60, 62, 63, 81, 115, 179, 184, 215, 386, 452, 497].map(String),
);

/** Those of them that concern types of columns. */
const typeRefusals = new Set(['43', '44', '53', '386']);

/** A value of the query cannot be read as the type of the column that it is compared with. */
const otherTypes = new Set([6, 26, 27, 49, 117, 130, 376, 441, 467, 675, 676, 691].map(String));

/** A text or the query's memory is too large, or the machine is out of memory. */
const oversized = new Set(['131', '173', '241']);
/** The query takes too long, or would by the server's estimate. */
const late = new Set(['159', '160']);

/** Reasons why a server ends a query that it understands, and what to do. */
const reasons: readonly (readonly [numbers: readonly number[], reason: string])[] = [
  [[158, 307], 'may not read that much for one query (max_rows_to_read, max_bytes_to_read); request less data'],
  [[396], 'returns fewer rows than the report has (max_result_rows, max_result_bytes); request less data'],
  [[201], 'accepts no more queries of its login for now: its quota is used up; run the report again later'],
  [[202], 'has too many queries already; run the report again later'],
  [[394, 734], 'ended the query at the request of its administrator; run the report again'],
  [[209, 210, 279], 'lost a server that computed a part of the result; run the report again'],
  [[236], 'is shutting down; run the report again later'],
  [[243, 1001], 'has no room on its disk for the query; ask for fewer rows or groups'],
];

/** Error for a failed connection. */
export function noConnection(address: DatabaseAddress, endpoint: Endpoint, error: unknown): DatabaseError {
  const number = error instanceof ServerFailure ? error.number : '';
  const cause = number === '' ? error : Object.assign(new Error(), { code: number });
  return unreachable(address, endpoint, cause, connectionProblems);
}

/** The login may change no setting, and its profile would give reports other rows. */
export function wrongProfile(
  { displayName }: DatabaseAddress,
  needed: Readonly<Record<string, string>>,
): DatabaseError {
  const list = Object.entries(needed).map(([name, value]) => `${name} = ${value}`);
  const problem = `${displayName}: its login may change no settings (readonly = 1), and reports need ${list.join(', ')}`;
  return new DatabaseError(
    'unreachable',
    `${problem}; set readonly = 2, or these values, in the login's settings profile`,
  );
}

/** Maps an error of a query; `timeout` makes the error of one that exceeds the limit that was sent with it, if any was. */
export function queryFailure(
  address: DatabaseAddress,
  endpoint: Endpoint,
  error: unknown,
  timeout: (() => DatabaseError) | undefined,
): DatabaseError {
  const name = address.displayName;
  if (!(error instanceof ServerFailure || error instanceof BrokenReply)) {
    return codeOf(error) === ''
      ? new DatabaseError('unreachable', `${name}: the connection was lost`)
      : noConnection(address, endpoint, error);
  }
  const { number } = error;
  if (late.has(number)) {
    const limit = 'stopped the query at the time limit of its login (max_execution_time); request less data';
    return timeout?.() ?? new DatabaseError('timeout', `${name} ${limit}`);
  }
  if (oversized.has(number)) return tooMuchMemory(name);
  const reason = reasons.find(([numbers]) => numbers.includes(Number(number)))?.[1];
  if (reason !== undefined) return new DatabaseError('failed', `${name} ${reason} (error ${number})`);
  if (error instanceof BrokenReply) {
    const detail = number === '' ? '' : ` (error ${number})`;
    return new DatabaseError('failed', `${name} broke off in the middle of the result${detail}`);
  }
  if (number in connectionProblems) return noConnection(address, endpoint, error);
  if (otherTypes.has(number)) {
    const problem = `${name} cannot compare a value with a column of its type (error ${number})`;
    return new DatabaseError('otherTypes', problem);
  }
  if (refusals.has(number)) {
    const text = error.message
      .split('\n')[0]
      ?.replace(/^Code: \d+[,.] (e\.displayText\(\) = )?(DB::Exception: )?|, e\.what\(\).*$/g, '');
    return new DatabaseError(typeRefusals.has(number) ? 'otherTypes' : 'refused', `${name} refused the query: ${text}`);
  }
  return new DatabaseError('failed', `${name} could not compute the result (error ${number || 'unknown'})`);
}
