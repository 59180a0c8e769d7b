import { createHmac } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokenLinks, forgeries, unprovedParts } from '../../../../src/server/store/auditChain.ts';
import { AuditProofs } from '../../../../src/server/store/auditProofs.ts';
import {
  auditSchema,
  auditSymbols,
  forgetOldEntries,
  recordAudit,
  signAuditTrail,
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
  // Who runs it can also remove the seal.
  rmSync(path.join(folder, 'state.seal'), { force: true });
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

  it('stays whole with text that SQLite stores in another form', () => {
    withStore((store) => {
      recordAudit(store, { symbol: auditSymbols.change, userId: null, detail: 'half \ud83d, NUL \0 and \ufeff' }, now);
      record(store, 0);
    });
    expect(after('SELECT 1')).toEqual([]);
  });

  it('goes on behind all entries where its end was moved back, which stays visible', () => {
    after('UPDATE audit_head SET entry_id = 50, digest = (SELECT digest FROM audit_entry WHERE id = 50)');
    withStore((store) => {
      record(store, 0);
      record(store, 0);
    });
    expect(after('SELECT 1')).toEqual(['entry 61 was changed']);
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

describe('the proof of the audit trail', () => {
  const [key, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const open = (work: (store: Store) => void, { by = key, isNew = false } = {}) =>
    withStore((store) => {
      signAuditTrail(store, new AuditProofs(by), isNew);
      work(store);
    });
  /** What is found after `sql`: forgeries, and how many parts are of another key or of none. */
  const found = (sql = 'SELECT 1', by = key) => {
    // Its forger can also remove the seal.
    rmSync(path.join(folder, 'state.seal'), { force: true });
    const database = new DatabaseSync(file);
    try {
      database.exec(sql);
      const { foreign, unsigned, forged } = unprovedParts(database, new AuditProofs(by));
      return {
        broken: [...brokenLinks(database), ...forgeries(forged)],
        foreign: foreign.length,
        unsigned: unsigned.length,
      };
    } finally {
      database.close();
    }
  };
  const whole = { broken: [], foreign: 0, unsigned: 0 };
  const cutEnd = `DELETE FROM audit_entry WHERE id > 8;
    UPDATE audit_head SET entry_id = 8, digest = (SELECT digest FROM audit_entry WHERE id = 8)`;
  const forgedEnd = { ...whole, broken: ['its end is not the one that the server recorded'] };

  beforeEach(() => {
    open((store) => {
      updateAuditType(store, 1, { recorded: -1, retention: 30, options: '' });
      for (let days = 10; days > 0; days -= 1) record(store, days, days % 3 !== 0);
    });
  });

  it.each([1, 32, 64, 65])('is an HMAC-SHA-256 with a key of %i bytes, as in states that exist', (length) => {
    const key = Buffer.alloc(length, 7);
    const hmac = (text: string) => createHmac('sha256', key).update(text).digest('hex');
    const part = { kind: 'end', firstId: 1, lastId: 2, digest: 'Ω' } as const;
    expect(new AuditProofs(key).sign(part)).toBe(`${hmac('key').slice(0, 16)}:${hmac('["end",1,2,"Ω"]')}`);
  });

  it('shows that the end was cut off, although all digests match', () => {
    expect(found()).toEqual(whole);
    expect(found(cutEnd)).toEqual(forgedEnd);
  });

  it('shows it still after more was recorded', () => {
    found(cutEnd);
    open((store) => record(store, 0));
    open((store) => record(store, 0), { isNew: true });
    expect(found()).toEqual(forgedEnd);
  });

  it('shows that the proof was taken out with the end, also after the next start', () => {
    expect(found(`${cutEnd}, proof = ''`)).toEqual({ ...whole, unsigned: 1 });
    open((store) => record(store, 0));
    expect(found()).toEqual({ ...whole, unsigned: 1 });
  });

  it.each(['DELETE FROM audit_head', 'DELETE FROM audit_head; DELETE FROM audit_entry'])(
    'goes on recording after %s, which stays visible',
    (sql) => {
      expect(found(sql)).toMatchObject({ broken: ['its head was taken out'] });
      open((store) => record(store, 0));
      open((store) => {
        record(store, 0);
        expect(store.get("SELECT count(*) AS count FROM audit_entry WHERE detail = 'Ω 0'")?.count).toBe(2);
      });
      expect(found()).toEqual(forgedEnd);
    },
  );

  it('shows that entries were called expired', () => {
    const expired = 'INSERT INTO audit_removed SELECT 4, 6, digest, PROOF FROM audit_entry WHERE id = 6';
    const sql = `${expired}; DELETE FROM audit_entry WHERE id BETWEEN 4 AND 6`;
    const head = '(SELECT proof FROM audit_head)';
    expect(found(sql.replace('PROOF', head))).toEqual({ ...whole, broken: ['entries 4 to 6 were taken out'] });
    // Later runs of expired entries do not cover it.
    open((store) => {
      for (let last: number | undefined = 0; last !== undefined;)
        last = forgetOldEntries(store, new Date(now.getTime() + 400 * day), last);
    });
    expect(found()).toEqual({ ...whole, broken: ['entries 4 to 6 were taken out'] });
  });

  it('stays whole when entries expire', () => {
    open((store) => {
      for (const shift of [0, 22, 28, 400]) {
        for (let last: number | undefined = 0; last !== undefined;)
          last = forgetOldEntries(store, new Date(now.getTime() + shift * day), last);
        record(store, -shift);
      }
    });
    expect(found()).toEqual(whole);
  });

  it('tells another key from a forgery, and is renewed only on request', () => {
    expect(found('SELECT 1', otherKey)).toEqual({ ...whole, foreign: 1 });
    open((store) => record(store, 0), { by: otherKey });
    expect(found('SELECT 1', otherKey)).toEqual({ ...whole, foreign: 1 });
    open((store) => record(store, 0), { by: otherKey, isNew: true });
    expect(found('SELECT 1', otherKey)).toEqual(whole);
  });

  it('begins with the upgrade from a release without it, also when the clock was set back before', () => {
    rmSync(file);
    withStore(
      (store) => store.run("INSERT INTO audit_entry (moment, type_id, detail) VALUES ('2999', 1, 'old')"),
      [{ ...auditSchema, steps: auditSchema.steps.slice(0, 2) }],
    );
    open((store) => record(store, 1));
    expect(found()).toEqual(whole);
  });

  it('does not begin later, with what was recorded without a key', () => {
    rmSync(file);
    withStore((store) => record(store, 1));
    open((store) => record(store, 1));
    expect(found()).toEqual({ ...whole, unsigned: 1 });
  });
});
