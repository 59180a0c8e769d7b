import { expect, it } from 'vitest';
import type { JournalEntry, StoredImport } from '../../../../src/features/userImport/importJournal.ts';
import { canBeSent, keptRows, unfinished } from '../../../../src/features/userImport/importRows.ts';

/** A row of an earlier import with a password of its own, as it comes back. */
function rowAfter(kind: JournalEntry['kind'] | undefined, password = '', userId = '') {
  const kept = {
    ...{ line: 2, loginName: 'ina', firstName: '', lastName: '', email: '', company: '', description: '' },
    ...{ tags: ['', '', '', ''], memberships: [], hasPassword: true },
  };
  const entry = kind && { kind, line: 2, userId, reason: '' };
  const stored = {
    header: { rows: [kept] },
    entries: new Map(entry ? [[2, entry]] : []),
  } as unknown as StoredImport;
  const [row] = keptRows(stored, new Map(password === '' ? [] : [[2, password]]));
  if (!row) throw new Error('The row is gone.');
  return row;
}

it.each([
  [undefined, 'invalid'],
  ['notTried', 'invalid'],
  ['started', 'unknown'],
  ['unknown', 'unknown'],
  ['failed', 'failed'],
  ['created', 'created'],
  ['undone', 'undone'],
] as const)('a row that is %s, and whose password is not known any more, is %s', (kind, status) => {
  const row = rowAfter(kind);
  expect(row.status).toBe(status);
  // What is still to be sent needs the password first.
  if (unfinished.includes(row.status)) expect(canBeSent(row)).toBe(false);
});

it('a row whose password is known again is sent', () => {
  for (const kind of [undefined, 'notTried', 'failed', 'started'] as const) {
    const row = rowAfter(kind, 'hush');
    expect([canBeSent(row), row.row.password, unfinished.includes(row.status)]).toEqual([true, 'hush', true]);
  }
});

it('a user who exists needs no password to be added to groups', () => {
  const row = rowAfter('partial', '', '5');
  expect([row.status, canBeSent(row), row.row.problems]).toEqual(['partial', true, []]);
});
