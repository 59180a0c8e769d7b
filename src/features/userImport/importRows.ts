import type { JournalEntry, StoredImport, KeptRow } from './importJournal.ts';
import type { RowProblem, UserRow } from './userCsv.ts';
import type { RowOutcome } from './sendUsers.ts';

/** How a row stands. `invalid` rows are never sent. */
export type RowStatus = 'ready' | 'invalid' | 'creating' | 'deleting' | RowOutcome['kind'];

/** One row of an import and what became of it. */
export interface ImportRow {
  row: UserRow;
  status: RowStatus;
  userId: string;
  reason: string;
}

/** Rows that a further run sends: what is not there yet, and users who lack a group. */
export const unfinished: readonly RowStatus[] = ['ready', 'notTried', 'failed', 'unknown', 'partial'];

/** A row whose outcome is not in the journal may have been sent. */
export function statusOf({ kind }: JournalEntry): RowStatus {
  return kind === 'started' ? 'unknown' : kind;
}

/** Whether a row's user is there, as far as is known. */
export function isThere({ status, userId }: ImportRow): boolean {
  return userId !== '' && status !== 'undone';
}

/** Whether a row may be sent: a user who is there needs no password any more. */
export function canBeSent({ row, userId }: ImportRow): boolean {
  return userId !== '' || !row.problems.some(({ kind }) => kind === 'noPassword');
}

/** Rows of a file that was just read. */
export function freshRows(rows: readonly UserRow[]): ImportRow[] {
  return rows.map((row) => ({ row, status: row.problems.length > 0 ? 'invalid' : 'ready', userId: '', reason: '' }));
}

/**
 * Rows of an import that was begun earlier, as its journal tells them. A row whose outcome is not in the journal may have
 * been sent: it is looked for before anything is sent again.
 * @param passwords of the file, by line; needed for rows that have one of their own and were not created yet.
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
      // What was sent stays what it is: it may be there, or the server has said why it is not.
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
