import type { JournalEntry, StoredImport, KeptRow } from './importJournal.ts';
import type { RowProblem, UserRow } from './userCsv.ts';
import type { RowOutcome } from './sendUsers.ts';

/** Status of a row. `invalid` rows are never sent. */
export type RowStatus = 'ready' | 'invalid' | 'creating' | 'deleting' | RowOutcome['kind'];

/** A row of an import and its outcome. */
export interface ImportRow {
  row: UserRow;
  status: RowStatus;
  userId: string;
  reason: string;
}

/** Statuses of rows that the next run sends: missing users, and users who lack a group. */
export const unfinished: readonly RowStatus[] = ['ready', 'notTried', 'failed', 'unknown', 'partial'];

/** Status from a journal entry: a row without a recorded outcome may have been sent. */
export function statusOf({ kind }: JournalEntry): RowStatus {
  return kind === 'started' ? 'unknown' : kind;
}

/** Whether a row's user exists, as far as known. */
export function isThere({ status, userId }: ImportRow): boolean {
  return userId !== '' && status !== 'undone';
}

/** Whether a row can be sent: an existing user needs no password. */
export function canBeSent({ row, userId }: ImportRow): boolean {
  return userId !== '' || !row.problems.some(({ kind }) => kind === 'noPassword');
}

/** Rows of a newly read file. */
export function freshRows(rows: readonly UserRow[]): ImportRow[] {
  return rows.map((row) => ({ row, status: row.problems.length > 0 ? 'invalid' : 'ready', userId: '', reason: '' }));
}

/**
 * Rows of an earlier import from its journal. A row without a recorded outcome may have been sent: it is looked up
 * before it is sent again.
 * @param passwords from the file, by line; required for rows with their own password that are not created yet.
 */
export function keptRows({ header, entries }: StoredImport, passwords: ReadonlyMap<number, string>): ImportRow[] {
  return header.rows.map((kept) => {
    const entry = entries.get(kept.line);
    const row = toRow(kept, passwords.get(kept.line) ?? '');
    const status = entry ? statusOf(entry) : 'ready';
    const isLacking = unfinished.includes(status) && kept.hasPassword && row.password === '' && !entry?.userId;
    const problems: RowProblem[] = isLacking ? [{ kind: 'noPassword', text: '' }] : [];
    return {
      row: { ...row, problems },
      // A row that was sent keeps its status: its user may exist, or the server has reported why not.
      status: isLacking && isUnsent(status) ? 'invalid' : status,
      userId: entry?.userId ?? '',
      reason: entry?.reason ?? '',
    };
  });
}

function isUnsent(status: RowStatus): boolean {
  return status === 'ready' || status === 'notTried';
}

function toRow({ hasPassword: _has, ...kept }: KeptRow, password: string): UserRow {
  return { ...kept, password, problems: [] };
}
