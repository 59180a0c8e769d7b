import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/objects/json.ts';
import { whyAudienceStays } from '../../../src/access/folderReach.ts';

const folder: JsonObject = {
  id: 4,
  fname: 'North',
  ParentLibrary: '1',
  isHidden: false,
  InheritPermissions: true,
  Permissions: [{ RightID: '2' }],
  isUserAdmin: false,
};

describe('a refused change of who sees a folder', () => {
  it.each([
    [{ isHidden: true }, '(isHidden)'],
    [{ InheritPermissions: false }, '(InheritPermissions)'],
    [{ Permissions: [] }, '(Permissions)'],
    [{ ParentLibrary: '7', isHidden: true }, '(isHidden, ParentLibrary)'],
  ])('names the fields: %j', (change, named) => {
    expect(whyAudienceStays(folder, { ...folder, ...change })).toContain(named);
  });

  it('is not blamed where the account is an admin, the server says nothing of it, or other fields were changed', () => {
    const { isUserAdmin: _, ...untold } = folder;
    for (const base of [{ ...folder, isUserAdmin: true }, untold]) {
      expect(whyAudienceStays(base, { ...base, isHidden: true })).toBeUndefined();
    }
    expect(whyAudienceStays(folder, { ...folder, fname: 'South' })).toBeUndefined();
  });
});
