import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/objects/json.ts';
import { policyKind, userKind } from '../../../../src/objects/kinds/securityKinds.ts';
import { lostChanges } from '../../../../src/objects/merge/lostChanges.ts';
import type { ObjectKind } from '../../../../src/objects/kinds/objectKind.ts';

describe('changes that a server did not take', () => {
  const group = { GroupId: '5', GroupName: 'North' };
  const missing = (kind: ObjectKind, before: JsonObject, wanted: JsonObject, after: JsonObject): string[] =>
    lostChanges({ before, wanted, after }, kind.shape);

  it('are none where the server adds the name to an id that was sent alone', () => {
    expect(missing(policyKind, { Groups: [] }, { Groups: [{ GroupId: '5' }] }, { Groups: [group] })).toEqual([]);
    expect(missing(policyKind, { Groups: [] }, { Groups: [{ GroupId: 5 }] }, { Groups: [group] })).toEqual([]);
    const seat = { ApplicationID: '1', ApplicationRoleID: '7' };
    const named = { ...seat, ApplicationName: 'Flights', ApplicationRoleName: 'Architect' };
    expect(missing(userKind, {}, { UserApplications: [seat] }, { UserApplications: [named] })).toEqual([]);
  });

  it('are none where the server numbers entries without an identity', () => {
    const before = { Constraints: [] };
    const wanted = { Constraints: [{ Column: 'state' }] };
    expect(missing(policyKind, before, wanted, { Constraints: [{ Column: 'state', No: 1 }] })).toEqual([]);
    expect(missing(policyKind, before, wanted, { Constraints: [{ Column: 'city', No: 1 }] })).toEqual(['Constraints']);
    expect(missing(policyKind, before, wanted, { Constraints: [] })).toEqual(['Constraints']);
  });

  it('are told where an entry did not come, came with another value, or stayed', () => {
    const renamed = { GroupId: '5', GroupName: 'South' };
    expect(missing(policyKind, { Groups: [] }, { Groups: [group] }, { Groups: [] })).toEqual(['Groups/5']);
    expect(missing(policyKind, { Groups: [] }, { Groups: [renamed] }, { Groups: [group] })).toEqual([
      'Groups/5/GroupName',
    ]);
    expect(missing(policyKind, { Groups: [group] }, { Groups: [] }, { Groups: [group] })).toEqual(['Groups/5']);
  });

  it('are reported where their entry is gone', () => {
    const renamed = { GroupId: '5', GroupName: 'South' };
    expect(missing(policyKind, { Groups: [group] }, { Groups: [renamed] }, { Groups: [] })).toEqual(['Groups/5']);
  });

  it('of entry 1 are not taken for those of entry 12, whose id begins like it, nor the other way round', () => {
    const named = (GroupId: string) => ({ GroupId, GroupName: 'A' });
    const ids = ['1', '12', '112', '2'];
    for (const id of ids) {
      for (const other of ids.filter((each) => each !== id)) {
        const before = { Groups: [named(other)] };
        const wanted = { Groups: [named(other), named(id)] };
        // It came, and somebody else took the other away; then the other way round.
        expect(missing(policyKind, before, wanted, { Groups: [named(id)] })).toEqual([]);
        expect(missing(policyKind, before, wanted, { Groups: [named(other)] })).toEqual([`Groups/${id}`]);
      }
    }
  });

  it('are told where a field that was taken away is still there', () => {
    const before = { Name: 'Tenants', later: 1 };
    expect(missing(policyKind, before, { Name: 'Tenants' }, before)).toEqual(['later']);
    const constraints = { Constraints: [{ Column: 'state', Nested: true }] };
    expect(missing(policyKind, constraints, { Constraints: [{ Column: 'state' }] }, constraints)).toEqual([
      'Constraints',
    ]);
  });
});
