import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addMember, insertGroup } from '../../../../src/server/identity/groups.ts';
import { guestUserId, identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { Sessions } from '../../../../src/server/identity/sessions.ts';
import {
  deleteUser,
  findUser,
  insertUser,
  updateUser,
  type StoredUser,
} from '../../../../src/server/identity/users.ts';
import { settingsSchema } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';

const minute = 60_000;

describe('Sessions', () => {
  let store: Store;
  let sessions: Sessions;
  let ann: StoredUser;
  const start = new Date();
  const after = (minutes: number) => new Date(start.getTime() + minutes * minute);

  function reopen(now: Date): Sessions {
    sessions.close();
    sessions = new Sessions(store, now, fail);
    return sessions;
  }

  beforeEach(() => {
    store = Store.open(':memory:', [settingsSchema, identitySchema]);
    sessions = new Sessions(store, start, fail);
    ann = required(findUser(store, insertUser(store, { loginName: 'ann' })));
  });
  afterEach(() => {
    sessions.close();
    store.close();
  });

  it('lasts 20 minutes from the last call', () => {
    const { token } = sessions.begin(ann, false, start);
    expect(sessions.use(token, after(19))?.expires).toBe(after(39).getTime());
    expect(sessions.use(token, after(38))).toBeDefined();
    const { caller } = sessions.use(token, after(38)) ?? {};
    expect(caller && sessions.of(caller)?.expires).toBe(after(58).getTime());
    expect(sessions.use(token, after(58))).toBeUndefined();
    expect(caller && sessions.of(caller)).toBeUndefined();
    expect(sessions.use(token, after(38)), 'it does not come back').toBeUndefined();
  });

  it('takes the place of the same user’s earlier one', () => {
    const bob = required(findUser(store, insertUser(store, { loginName: 'bob' })));
    const first = sessions.begin(ann, false, start).token;
    const other = sessions.begin(bob, false, start).token;
    const second = sessions.begin(ann, false, start).token;
    expect(sessions.use(first, start)).toBeUndefined();
    expect(sessions.use(second, start)?.userId).toBe(ann.id);
    expect(sessions.use(other, start)?.userId).toBe(bob.id);
  });

  it('survives a restart with its expiry and passport, until it expires', () => {
    const groupId = insertGroup(store, { name: 'West' });
    addMember(store, groupId, ann.id, '3');
    const { token } = sessions.begin(ann, false, start);
    sessions.use(token, after(15));
    addMember(store, groupId, ann.id, '4');
    const caller = reopen(after(30)).use(token, after(30))?.caller;
    expect(caller?.groups).toContainEqual({ groupId, roleId: '3' });
    sessions.renewPassport(token);
    expect(reopen(after(40)).use(token, after(40))?.caller.groups).toContainEqual({ groupId, roleId: '4' });
    expect(reopen(after(61)).use(token, after(61))).toBeUndefined();
    expect(store.all('SELECT token_hash FROM session')).toEqual([]);
  });

  it('keeps no token in the database', () => {
    const { token } = sessions.begin(ann, false, start);
    expect(JSON.stringify(store.all('SELECT * FROM session'))).not.toContain(token);
    expect(token).toMatch(/^[\w-]{43}$/);
  });

  it('follows changes of the profile, and changes of groups only when its passport is renewed', () => {
    const { token } = sessions.begin(ann, false, start);
    const groupId = insertGroup(store, { name: 'West' });
    addMember(store, groupId, ann.id, '2');
    updateUser(store, ann.id, { ...ann, isAdmin: true, tags: ['new', '', '', ''] });
    sessions.takeOverProfile(ann.id);
    const before = sessions.use(token, start)?.caller;
    expect(before).toMatchObject({ isAdmin: true, tags: ['new', '', '', ''] });
    expect(before?.groups.map((group) => group.groupId)).not.toContain(groupId);
    expect(sessions.renewPassport(token)?.groups.map((group) => group.groupId)).toContain(groupId);
  });

  it('ends with its user, or for all but one token', () => {
    const { token } = sessions.begin(ann, false, start);
    sessions.endAllOf(ann.id, token);
    expect(sessions.use(token, start)).toBeDefined();
    sessions.endAllOf(ann.id);
    expect(sessions.use(token, start)).toBeUndefined();
    const again = sessions.begin(ann, false, start).token;
    deleteUser(store, ann.id);
    expect(reopen(start).use(again, start)).toBeUndefined();
  });

  it('lets guests be many, but not without end', () => {
    const guest = required(findUser(store, guestUserId));
    const tokens = Array.from({ length: 500 }, () => sessions.begin(guest, true, start).token);
    expect(() => sessions.begin(guest, true, start)).toThrow('500 guests are signed in');
    // None of them was turned out for another.
    expect(tokens.filter((token) => sessions.use(token, start)?.caller.isGuest)).toHaveLength(500);
    sessions.end(tokens[0] ?? '');
    const { token } = sessions.begin(guest, true, start);
    expect(sessions.use(token, start)?.caller.isGuest).toBe(true);
  });
});

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('missing');
  return value;
}

function fail(error: unknown): void {
  throw error;
}
