import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/objects/json.ts';
import type { ObjectServer } from '../../../src/objects/objectServer.ts';
import { foldersOnlyFor, whyAudienceStays } from '../../../src/access/folderReach.ts';

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

it('finds the folders that are open to one group and to no other', async () => {
  const folders: Record<string, JsonObject> = {
    '1': { ...folder, id: 1, fname: 'Public', Permissions: [] },
    '4': { ...folder, fname: 'North only', Permissions: [{ RightID: '2' }] },
    '5': { ...folder, id: 5, fname: 'North and South', Permissions: [{ RightID: '2' }, { RightID: '3' }] },
    '6': { ...folder, id: 6, fname: 'South only', Permissions: [{ RightID: '3' }] },
    '7': { ...folder, id: 7, fname: 'Everyone', Permissions: [] },
  };
  const children: Json[] = ['4', '5', '6', '7'].map((id) => ({ id, text: `Folder ${id}`, children: [] }));
  const server: ObjectServer = {
    name: 'Shop',
    installation: async () => '1',
    call: async (path, body) =>
      path === 'library/GetFolderById'
        ? { error_code: 0, ...folders[String(Object.values(body ?? {})[0])] }
        : [{ rootnode: { id: '1', libtype: 1, text: 'Public', children } }],
  };
  expect((await foldersOnlyFor(server, '2')).alone.map(({ fname }) => fname)).toEqual(['North only']);
});
