import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallContext } from '../../../../src/server/calls/handlers.ts';
import { adminUserId, identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { isAccountLocked, SignInLocks } from '../../../../src/server/identity/signInLocks.ts';
import { findUser, insertUser, type StoredUser } from '../../../../src/server/identity/users.ts';
import { settingsSchema } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');
const minute = 60_000;
let store: Store;
let locks: SignInLocks;
let now: number;

beforeEach(() => {
  store = Store.open(':memory:', [settingsSchema, identitySchema]);
  locks = new SignInLocks();
  now = start;
});
afterEach(() => store.close());

function user(id: string): StoredUser {
  const found = findUser(store, id);
  if (!found) throw new Error(`There is no user ${id}`);
  return found;
}
function context(isFromWebPage: boolean, source?: string): CallContext {
  const signal = new AbortController().signal;
  return { store, now: new Date(now), signal, isFromWebPage, source, audit: () => undefined };
}
/** Counts a failure and stores it. @returns whether the account is now locked. */
function failFor(id: string | undefined, where: CallContext): boolean {
  const failure = locks.recordFailure(id === undefined ? undefined : user(id), where);
  failure.write(store);
  failure.stored();
  return failure.isLocked;
}
const fail = (id: string, isPage = false) => failFor(id, context(isPage));
const isLocked = (id: string, isPage = false) => locks.isLocked(user(id), context(isPage));

/** Minutes from now until the lock is over, to the second. */
function wait(id: string): number {
  const begun = now;
  while (isLocked(id)) now += 1_000;
  return (now - begun) / minute;
}

describe('the wait of a lock', () => {
  it('doubles with each failure after it, up to an hour', () => {
    const ann = insertUser(store, { loginName: 'ann' });
    for (let count = 0; count < 4; count += 1) expect(fail(ann)).toBe(false);
    const waits = Array.from({ length: 8 }, () => (fail(ann), wait(ann)));
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('is minutes for a super-admin, however often others guess', () => {
    for (let count = 0; count < 4; count += 1) fail(adminUserId);
    const waits = Array.from({ length: 5 }, () => (fail(adminUserId), wait(adminUserId)));
    expect(waits).toEqual([1, 2, 4, 5, 5]);
  });

  it('does not grow by attempts that come meanwhile', () => {
    const ann = insertUser(store, { loginName: 'ann' });
    for (let count = 0; count < 5; count += 1) fail(ann);
    now += minute / 2;
    for (let count = 0; count < 100; count += 1) expect(fail(ann)).toBe(true);
    expect(wait(ann)).toBe(0.5);
    expect(user(ann).failedLogins).toBe(5);
  });

  it('is over when the clock is put back before it', () => {
    const ann = insertUser(store, { loginName: 'ann' });
    for (let count = 0; count < 5; count += 1) fail(ann);
    expect(isAccountLocked(user(ann), new Date(start - 24 * 60 * minute))).toBe(false);
  });
});

describe('failures from web pages', () => {
  it('lock out pages alone, and those of programs not pages', () => {
    const ann = insertUser(store, { loginName: 'ann' });
    for (let count = 0; count < 5; count += 1) fail(ann, true);
    expect([isLocked(ann, true), isLocked(ann)]).toEqual([true, false]);
    expect(user(ann)).toMatchObject({ failedLogins: 0, locked: null });
    const bob = insertUser(store, { loginName: 'bob' });
    for (let count = 0; count < 5; count += 1) fail(bob);
    expect([isLocked(bob, true), isLocked(bob)]).toEqual([false, true]);
    locks.unlock(store, ann);
    expect(isLocked(ann, true)).toBe(false);
  });

  it('over many names lock out pages for every account, for longer each time, until they are forgotten', () => {
    const ann = insertUser(store, { loginName: 'ann' });
    const guess = () => failFor(undefined, context(true));
    for (let count = 0; count < 29; count += 1) guess();
    expect(isLocked(ann, true)).toBe(false);
    guess();
    expect([isLocked(ann, true), isLocked(ann)]).toEqual([true, false]);
    now += minute;
    expect(isLocked(ann, true)).toBe(false);
    guess();
    now += minute;
    expect(isLocked(ann, true)).toBe(true);
    now += minute;
    expect(isLocked(ann, true)).toBe(false);
    now += 24 * 60 * minute;
    for (let count = 0; count < 29; count += 1) guess();
    expect(isLocked(ann, true)).toBe(false);
  });

  it('are kept for a bounded number of accounts, the latest', () => {
    const ann = insertUser(store, { loginName: 'ann' });
    const others = Array.from({ length: 1_000 }, (_, index) => insertUser(store, { loginName: `other ${index}` }));
    for (let count = 0; count < 4; count += 1) fail(ann, true);
    for (const other of others) {
      now += 5 * minute;
      fail(other, true);
    }
    expect(fail(ann, true), 'the first of five again').toBe(false);
    const last = others.at(-1) ?? '';
    for (let count = 0; count < 3; count += 1) fail(last, true);
    expect(fail(last, true)).toBe(true);
  });
});

describe('a source on another machine', () => {
  const from = (source: string) => context(false, source);
  const failFrom = (source: string, id?: string) => failFor(id, from(source));

  it('is locked out by thirty failures, whatever the accounts, and no other source with it', () => {
    for (let count = 0; count < 29; count += 1) failFrom('192.0.2.1');
    expect(locks.isSourceLocked(from('192.0.2.1'))).toBe(false);
    failFrom('192.0.2.1');
    expect(locks.isSourceLocked(from('192.0.2.1'))).toBe(true);
    expect(locks.isLocked(user(adminUserId), from('192.0.2.1'))).toBe(true);
    expect(locks.isLocked(user(adminUserId), from('192.0.2.2'))).toBe(false);
    now += minute;
    expect(locks.isSourceLocked(from('192.0.2.1'))).toBe(false);
  });

  it('waits twice as long for each failure after its lock, and is forgiven one in five minutes', () => {
    for (let count = 0; count < 30; count += 1) failFrom('192.0.2.1');
    now += minute;
    failFrom('192.0.2.1');
    now += minute;
    expect(locks.isSourceLocked(from('192.0.2.1'))).toBe(true);
    now += minute;
    expect(locks.isSourceLocked(from('192.0.2.1'))).toBe(false);
    now += 150 * minute;
    failFrom('192.0.2.1');
    expect(locks.isSourceLocked(from('192.0.2.1')), 'one of two').toBe(false);
  });

  it('locks only a few accounts', () => {
    const ids = Array.from({ length: 40 }, (_, index) => insertUser(store, { loginName: `user${index}` }));
    for (const id of ids) for (let count = 0; count < 5; count += 1) failFrom('192.0.2.1', id);
    expect(ids.filter((id) => isAccountLocked(user(id), new Date(now)))).toHaveLength(5);
  });
});

describe('failures that are not stored, because the disk is full', () => {
  it('lock an account, are stored in their order, and are reset by a sign-in', () => {
    const ann = insertUser(store, { loginName: 'ann' });
    const failures = Array.from({ length: 5 }, () => locks.recordFailure(user(ann), context(false)));
    expect(failures.map((failure) => failure.isLocked)).toEqual([false, false, false, false, true]);
    expect([isLocked(ann), user(ann).failedLogins]).toEqual([true, 0]);
    for (const failure of failures) {
      failure.write(store);
      failure.stored();
    }
    expect([isLocked(ann), user(ann).failedLogins]).toEqual([true, 5]);
    locks.unlock(store, ann);
    locks.recordFailure(user(ann), context(false));
    locks.forget(ann);
    expect([isLocked(ann), fail(ann), user(ann).failedLogins]).toEqual([false, false, 1]);
  });
});
