import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAuditPurge } from '../../../../src/server/administration/administrationHandlers.ts';
import {
  auditSchema,
  auditSymbols,
  listAuditTypes,
  recordAudit,
  updateAuditType,
  type AuditSymbol,
} from '../../../../src/server/store/auditTrail.ts';
import { Store } from '../../../../src/server/store/store.ts';

const day = 86_400_000;
const now = new Date('2026-06-30T12:00:00Z');
const signInType = 1;

describe('an entry of the audit trail', () => {
  let store: Store;
  beforeEach(() => {
    store = Store.open(':memory:', [auditSchema]);
    for (const { id } of listAuditTypes(store))
      updateAuditType(store, id, { recorded: -1, retention: 30, options: '' });
  });
  afterEach(() => store.close());

  it.each(Object.values(auditSymbols))('is recorded under the type %s, and only while that is recorded', (symbol) => {
    const type = listAuditTypes(store).find((one) => one.symbol === symbol);
    recordAudit(store, { symbol, userId: '1', detail: 'first' }, now);
    updateAuditType(store, type?.id ?? 0, { recorded: 0, retention: 30, options: '' });
    recordAudit(store, { symbol, userId: '1', detail: 'second' }, now);
    expect(store.all('SELECT type_id, detail FROM audit_entry')).toEqual([{ type_id: type?.id, detail: 'first' }]);
  });
});

describe('the purge of the audit trail', () => {
  let store: Store;
  beforeEach(() => {
    vi.useFakeTimers({ now, toFake: ['setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Date'] });
    store = Store.open(':memory:', [auditSchema]);
    updateAuditType(store, signInType, { recorded: -1, retention: 30, options: '' });
  });
  afterEach(() => {
    store.close();
    vi.useRealTimers();
  });

  /** Entries of a type, the oldest first. */
  const add = (symbol: AuditSymbol, count: number, daysAgo: number) => {
    store.transaction(() => {
      for (let entry = 0; entry < count; entry += 1) {
        recordAudit(store, { symbol, userId: '1', detail: `${daysAgo}` }, new Date(now.getTime() - daysAgo * day));
      }
    });
  };
  const kept = () =>
    store.all(`SELECT symbol || ' ' || detail AS entry, count(*) AS count FROM audit_entry
      JOIN audit_type ON audit_type.id = type_id GROUP BY entry ORDER BY entry`);

  it('deletes what is older than its type allows, however many, and lets other work in between', () => {
    add(auditSymbols.change, 4, 400);
    add(auditSymbols.loginSuccess, 12_000, 31);
    add(auditSymbols.change, 3, 31);
    add(auditSymbols.loginSuccess, 5, 29);
    const onError = vi.fn();
    const purge = createAuditPurge(store, onError);
    vi.advanceTimersByTime(3_600_000);
    expect(store.get('SELECT count(*) AS count FROM audit_entry')?.count).toBe(12_012 - 5_000);
    vi.runAllTicks();
    vi.advanceTimersByTime(100);
    purge.stop();
    expect(onError).not.toHaveBeenCalled();
    expect(kept()).toEqual([
      { entry: `${auditSymbols.change} 31`, count: 3 },
      { entry: `${auditSymbols.loginSuccess} 29`, count: 5 },
    ]);
  });

  it('ends between two parts when the server stops', () => {
    add(auditSymbols.loginSuccess, 12_000, 31);
    const purge = createAuditPurge(store, (error) => {
      throw error;
    });
    vi.advanceTimersByTime(3_600_000);
    purge.stop();
    vi.advanceTimersByTime(100);
    expect(kept()).toEqual([{ entry: `${auditSymbols.loginSuccess} 31`, count: 7_000 }]);
  });
});
