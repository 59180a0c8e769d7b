import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokenLinks } from '../../../../src/server/store/auditChain.ts';
import {
  auditSchema,
  auditSymbols,
  forgetOldEntries,
  recordAudit,
  updateAuditType,
} from '../../../../src/server/store/auditTrail.ts';
import { Store } from '../../../../src/server/store/store.ts';

const day = 86_400_000;
const now = new Date('2026-06-30T12:00:00Z');

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'analytics-chain-'));
  file = path.join(folder, 'state.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function withStore(work: (store: Store) => void, schemas = [auditSchema]): void {
  const store = Store.open(file, schemas);
  work(store);
  store.close();
}

/** Records an entry `days` ago; sign-ins are kept for 30 days, changes for a year. */
function record(store: Store, days: number, isSignIn = false): void {
  const symbol = isSignIn ? auditSymbols.loginSuccess : auditSymbols.change;
  recordAudit(
    store,
    { symbol, userId: days % 2 ? '7' : null, detail: `Ω ${days}` },
    new Date(now.getTime() - days * day),
  );
}

/** What is found after `sql` was run on the file. */
function after(sql: string): string[] {
  const database = new DatabaseSync(file);
  try {
    database.exec(sql);
    return brokenLinks(database);
  } finally {
    database.close();
  }
}

describe('the chain of the audit trail', () => {
  beforeEach(() => {
    withStore((store) => {
      updateAuditType(store, 1, { recorded: -1, retention: 30, options: '' });
      for (let days = 60; days > 0; days -= 1) record(store, days, days % 3 !== 0);
    });
  });

  it.each([
    ["UPDATE audit_entry SET detail = 'other' WHERE id = 20", ['entry 20 was changed']],
    ['UPDATE audit_entry SET user_id = 8 WHERE id = 20', ['entry 20 was changed']],
    ["UPDATE audit_entry SET moment = '2020' WHERE id = 1", ['entry 1 was changed']],
    ['DELETE FROM audit_entry WHERE id = 20', ['entry 20 was taken out']],
    ['DELETE FROM audit_entry WHERE id BETWEEN 1 AND 3', ['entries 1 to 3 were taken out']],
    ['DELETE FROM audit_entry WHERE id > 58', ['entries 59 to 60 were taken out']],
    ['DELETE FROM audit_entry', ['entries 1 to 60 were taken out']],
    ['DELETE FROM audit_head', ['its head was taken out']],
    ['UPDATE audit_head SET entry_id = 58; DELETE FROM audit_entry WHERE id > 58', ['its end does not match its head']],
    [
      'UPDATE audit_entry SET detail = (SELECT detail FROM audit_entry WHERE id = 2) WHERE id = 4',
      ['entry 4 was changed'],
    ],
    [
      "INSERT INTO audit_entry VALUES (61, '2026', 1, 1, 'added', 'x')",
      ['entry 61 was changed', 'its end does not match its head'],
    ],
  ])('shows %s', (sql, found) => {
    expect(after('SELECT 1')).toEqual([]);
    expect(after(sql)).toEqual(found);
  });

  it('shows a changed digest in this entry and the next', () => {
    expect(after("UPDATE audit_entry SET digest = 'x' WHERE id = 20")).toEqual([
      'entry 20 was changed',
      'entry 21 was changed',
    ]);
  });

  it('stays whole when entries expire, in every order, and goes on after all have expired', () => {
    withStore((store) => {
      for (const shift of [0, 5, 12, 40, 400]) {
        for (let last: number | undefined = 0; last !== undefined;)
          last = forgetOldEntries(store, new Date(now.getTime() + shift * day), last);
        record(store, -shift);
      }
    });
    expect(after('SELECT 1')).toEqual([]);
    const database = new DatabaseSync(file);
    expect(database.prepare('SELECT count(*) AS count FROM audit_removed').get()?.count).toBe(1);
    database.close();
    withStore((store) => record(store, -401));
    expect(after('SELECT 1')).toEqual([]);
    expect(after('DELETE FROM audit_removed')).not.toEqual([]);
  });

  it('begins behind the entries of an earlier release, and leaves them alone', () => {
    rmSync(file);
    withStore(
      (store) => store.run("INSERT INTO audit_entry (moment, type_id, detail) VALUES ('2026', 1, 'old')"),
      [{ ...auditSchema, steps: auditSchema.steps.slice(0, 2) }],
    );
    withStore((store) => record(store, 1));
    expect(after("UPDATE audit_entry SET detail = 'newer' WHERE detail = 'old'")).toEqual([]);
    expect(after('DELETE FROM audit_entry WHERE id = 2')).toEqual(['entry 2 was taken out']);
  });

  it('has nothing of a transaction that was rolled back', () => {
    withStore((store) => {
      const failing = () =>
        store.transaction(() => {
          record(store, 0);
          throw new Error('Refused');
        });
      expect(failing).toThrow('Refused');
      record(store, 0);
    });
    expect(after('SELECT 1')).toEqual([]);
  });
});
