import { type DatabaseAddress, DatabaseError } from '../database.ts';
import { codeOf, type Endpoint, unreachable } from '../connectionSettings.ts';
import { tooMuchMemory } from '../queryRules.ts';

/** An error returned by the server instead of a result. */
export class TrinoFailure extends Error {
  /** Trino's name of the error, or the HTTP status. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const busyProblem = 'it is too busy, or still starting; try again in a minute';
const connectionProblems = {
  '401': 'the login or its password is refused',
  '403': 'the login is refused',
  '404': 'it is not a Trino server',
  ...{ '429': busyProblem, '502': busyProblem, '503': busyProblem, '504': busyProblem },
  CATALOG_NOT_FOUND: 'it has no such catalog',
  MISSING_CATALOG_NAME: 'it has no such catalog',
  SERVER_STARTING_UP: 'it is still starting; try again in a minute',
  SERVER_SHUTTING_DOWN: 'it is shutting down',
};
/** Errors that occur before any row is read; their messages contain only names and types. */
const refusals =
  /^(SYNTAX_ERROR|.*_NOT_FOUND|TYPE_MISMATCH|AMBIGUOUS_NAME|DUPLICATE_COLUMN_NAME|MISSING_\w+|PERMISSION_DENIED|EXPRESSION_NOT_\w+|NOT_SUPPORTED|INVALID_COLUMN_REFERENCE)$/;
const timeouts = /^EXCEEDED_(TIME|CPU)_LIMIT$/;
const memoryLimits = /^(EXCEEDED_(LOCAL|GLOBAL)_MEMORY_LIMIT|CLUSTER_OUT_OF_MEMORY|EXCEEDED_SPILL_LIMIT)$/;

/** Reasons why a server ends a query that it understands, and what to do. */
const reasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^QUERY_QUEUE_FULL$/, 'has too many queries already; run the report again later'],
  [/^(ADMINISTRATIVELY_KILLED|USER_CANCELED)$/, 'ended the query at the request of its administrator'],
  [
    /^(REMOTE_TASK_\w+|REMOTE_HOST_GONE|PAGE_TRANSPORT_\w+|TOO_MANY_REQUESTS_FAILED|NO_NODES_AVAILABLE)$/,
    'lost a server that computed a part of the result; run the report again',
  ],
  [/^(404|410|ABANDONED_\w+)$/, 'no longer knows the query, perhaps because it was restarted; run the report again'],
  [/^EXCEEDED_SCAN_LIMIT$/, 'may not read that much for one query; request less data'],
  [/^NUMERIC_VALUE_OUT_OF_RANGE$/, 'computed a number that its type cannot hold'],
  [/^QUERY_TEXT_TOO_LARGE$/, 'cannot read so long a query; use fewer values in its criteria'],
  [/^JDBC_ERROR$/, 'cannot read from the database behind its catalog; check that it runs'],
];

/** Error for a failed connection. */
export function noConnection(address: DatabaseAddress, endpoint: Endpoint, error: unknown): DatabaseError {
  return unreachable(address, endpoint, error, connectionProblems);
}

/** Maps an error of a query that has begun; `timeout` makes the error of one that takes too long. */
export function queryFailure(
  address: DatabaseAddress,
  endpoint: Endpoint,
  error: unknown,
  timeout: () => DatabaseError,
): DatabaseError {
  const name = address.displayName;
  if (!(error instanceof TrinoFailure)) {
    return codeOf(error) === ''
      ? new DatabaseError('unreachable', `${name}: the connection was lost`)
      : noConnection(address, endpoint, error);
  }
  const { code, message } = error;
  if (timeouts.test(code)) return timeout();
  if (memoryLimits.test(code)) return tooMuchMemory(name);
  const reason = reasons.find(([form]) => form.test(code))?.[1];
  if (reason !== undefined) return new DatabaseError('failed', `${name} ${reason} (${code})`);
  if (code in connectionProblems) return noConnection(address, endpoint, error);
  if (refusals.test(code)) {
    const kind = code === 'TYPE_MISMATCH' ? 'otherTypes' : 'refused';
    return new DatabaseError(kind, `${name} refused the query: ${message.split('\n')[0]}`);
  }
  return new DatabaseError('failed', `${name} could not compute the result (${code})`);
}
