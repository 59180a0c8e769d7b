import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assignApplication, releaseApplications } from '../../../../src/server/identity/applicationRoles.ts';
import { addMember, deleteGroup, insertGroup } from '../../../../src/server/identity/groups.ts';
import { allUsersGroupId, guestUserId, identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { Sessions } from '../../../../src/server/identity/sessions.ts';
import {
  deleteUser,
  findUser,
  insertUser,
  updateUser,
  type StoredUser,
} from '../../../../src/server/identity/users.ts';
import { readSettings, settingsSchema, writeSettings } from '../../../../src/server/store/settings.ts';
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
    const { token } = sessions.begin(ann, false, start);
    sessions.use(token, after(15));
    assignApplication(store, ann.id, '7', '5');
    expect(reopen(after(30)).use(token, after(30))?.caller.applications).toEqual([]);
    sessions.renewPassport(token);
    const given = [{ applicationId: '7', roleId: '5' }];
    expect(reopen(after(40)).use(token, after(40))?.caller.applications).toEqual(given);
    expect(reopen(after(61)).use(token, after(61))).toBeUndefined();
    expect(store.all('SELECT token_hash FROM session')).toEqual([]);
  });

  it('keeps no token in the database', () => {
    const { token } = sessions.begin(ann, false, start);
    expect(JSON.stringify(store.all('SELECT * FROM session'))).not.toContain(token);
    expect(token).toMatch(/^[\w-]{43}$/);
  });

  it('follows changes of the profile, of groups and of roles in them at once', () => {
    const { token } = sessions.begin(ann, false, start);
    const caller = () => sessions.use(token, start)?.caller;
    const rolesIn = (groupId: string) =>
      caller()?.groups.flatMap((group) => (group.groupId === groupId ? [group.roleId] : []));
    const groupId = insertGroup(store, { name: 'West' });
    expect(rolesIn(groupId)).toEqual([]);
    addMember(store, groupId, ann.id, '2');
    expect(rolesIn(groupId)).toEqual(['2']);
    addMember(store, groupId, ann.id, '0');
    expect(rolesIn(groupId)).toEqual(['0']);
    // Memberships go with their group, without a statement of their own.
    deleteGroup(store, groupId);
    expect(rolesIn(groupId)).toEqual([]);
    updateUser(store, ann.id, { ...ann, isAdmin: true, tags: ['new', '', '', ''] });
    expect(caller()).toMatchObject({ isAdmin: true, tags: ['new', '', '', ''] });
    writeSettings(store, { ...readSettings(store), enableallusersgrp: 'False' });
    expect(rolesIn(allUsersGroupId)).toEqual(['0']);
  });

  it('loses an application role at once, and gains one with its passport', () => {
    assignApplication(store, ann.id, '7', '5');
    const { token } = sessions.begin(ann, false, start);
    const roles = () => sessions.use(token, start)?.caller.applications.map(({ roleId }) => roleId);
    assignApplication(store, ann.id, '7', '7');
    expect(roles()).toEqual(['5']);
    sessions.renewPassportsOf(ann.id);
    expect(roles()).toEqual(['5', '7']);
    releaseApplications(store, ann.id);
    expect(roles()).toEqual([]);
  });

  it('makes the caller once for many calls', () => {
    const { token } = sessions.begin(ann, false, start);
    const first = sessions.use(token, after(1))?.caller;
    expect(first && sessions.use(token, after(2))?.caller).toBe(first);
  });

  it('is given no rights by a change that is taken back', () => {
    const { token } = sessions.begin(ann, false, start);
    const failing = () =>
      store.transaction(() => {
        updateUser(store, ann.id, { ...ann, isAdmin: true });
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(sessions.use(token, start)?.caller.isAdmin).toBe(false);
  });

  it('ends with its user, or for all but one token', () => {
    const { token } = sessions.begin(ann, false, start);
    sessions.endAllOf(ann.id, token);
    expect(sessions.use(token, start)).toBeDefined();
    sessions.endAllOf(ann.id);
    expect(sessions.use(token, start)).toBeUndefined();
    const again = sessions.begin(ann, false, start).token;
    deleteUser(store, ann.id);
    expect(sessions.use(again, start)).toBeUndefined();
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
