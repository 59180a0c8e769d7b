import { beforeEach, describe, expect, it } from 'vitest';
import { CallFailure } from '../../../../src/server/calls/handlers.ts';
import { assignApplication, releaseApplications } from '../../../../src/server/identity/applicationRoles.ts';
import { identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { requireSeats, seatsOf, setLicence, setLicensedSeats } from '../../../../src/server/identity/licences.ts';
import { deleteUser, insertUser } from '../../../../src/server/identity/users.ts';
import { Store } from '../../../../src/server/store/store.ts';

describe('licence seats', () => {
  let store: Store;
  let ann: string;
  let bob: string;
  beforeEach(() => {
    store = Store.open(':memory:', [identitySchema]);
    ann = insertUser(store, { loginName: 'ann' });
    bob = insertUser(store, { loginName: 'bob' });
  });

  it('are counted per application and role', () => {
    assignApplication(store, ann, '1', '5');
    assignApplication(store, ann, '1', '7');
    assignApplication(store, bob, '1', '6');
    assignApplication(store, bob, '2', '6');
    assignApplication(store, bob, '2', '6');
    expect(seatsOf(store, '1')).toMatchObject({ consumed: 3, builders: 1, agents: 1, architects: 1 });
    expect(seatsOf(store, '2')).toMatchObject({ consumed: 1, agents: 1 });
  });

  it('are refused with code 200 when none is left, and nothing is taken', () => {
    setLicensedSeats(store, '1', 1);
    assignApplication(store, ann, '1', '5');
    const takeSecond = () =>
      store.transaction(() => {
        assignApplication(store, bob, '1', '5');
        requireSeats(store, '1', 'Sales');
      });
    expect(takeSecond).toThrow(new CallFailure(200, 'No licence available: all 1 seats of Sales are taken.'));
    expect(seatsOf(store, '1').consumed).toBe(1);
  });

  it('are those of the licence, and none can be taken once it expired', () => {
    const take = (user: string) =>
      store.transaction(() => {
        assignApplication(store, user, '1', '5');
        requireSeats(store, '1', 'Sales');
      });
    setLicence(store, { seats: 1, isExpired: false });
    take(ann);
    expect(() => take(bob)).toThrow(new CallFailure(200, 'No licence available: all 1 seats of Sales are taken.'));
    setLicence(store, { seats: undefined, isExpired: true });
    expect(() => take(bob)).toThrow(new CallFailure(200, 'No licence available: the licence of Sales has expired.'));
    expect(seatsOf(store, '1')).toMatchObject({ licensed: 1_000, consumed: 1 });
  });

  it('come free when a role is released or its user deleted', () => {
    assignApplication(store, ann, '1', '5');
    assignApplication(store, bob, '1', '5');
    releaseApplications(store, ann);
    expect(seatsOf(store, '1').consumed).toBe(1);
    deleteUser(store, bob);
    expect(seatsOf(store, '1').consumed).toBe(0);
  });
});
