import { describe, expect, it } from 'vitest';
import { describeDeletion } from '../../../src/access/deletePreview.ts';
import type { Json, JsonObject } from '../../../src/objects/json.ts';
import type { ObjectServer } from '../../../src/objects/objectServer.ts';

type Replies = Readonly<Record<string, Json | ((body: JsonObject) => Json)>>;

/** A server that answers reads alone. */
function answering(replies: Replies, accountId = '1'): ObjectServer {
  return {
    name: 'Shop',
    accountId: () => accountId,
    installation: async () => 'one',
    call: async (path, body) => {
      const reply = replies[path];
      if (reply === undefined) throw new Error(`${path} was not expected.`);
      return typeof reply === 'function' ? reply(body as JsonObject) : reply;
    },
  };
}

const idOf = (value: Json | undefined) => (typeof value === 'string' ? value : '');
const never = '0001-01-01T00:00:00';
const superAdmin = { ID: '1', LoginName: 'admin', isSuperAdmin: true, LoginDate: never, SecurityGroups: [] };

describe('deleting a user', () => {
  const about = (user: JsonObject, more: Replies = {}) =>
    describeDeletion(
      answering({
        'Contact/GetContactById': { ID: '5', LoginName: 'nora', LoginDate: never, ...user },
        'DataTag/GetAllDataTags': [],
        'Shield/GetAllShieldPolicies': [],
        ...more,
      }),
      'user',
      '5',
    );

  it('takes nothing along of one who never signed in', async () => {
    expect(await about({})).toEqual({ name: 'nora', lines: [], typedName: false });
  });

  it.each<JsonObject>([{ isAdmin: true }, { isSuperAdmin: true }])(
    'asks for the name of an administrator: %j',
    async (user) => {
      expect(await about(user)).toMatchObject({ lines: ['The account is an administrator.'], typedName: true });
    },
  );

  it('asks for the name of one who has a library', async () => {
    const { lines, typedName } = await about({ LoginDate: '2026-01-02T03:04:05' });
    expect(lines).toEqual([expect.stringContaining('personal library')]);
    expect(typedName).toBe(true);
  });

  it('names groups, seats, tags and policies of this user, and no others', async () => {
    const { lines } = await about(
      {
        SecurityGroups: [{ GroupName: 'North' }],
        UserApplications: [{ ApplicationName: 'Flights', ApplicationRoleName: 'Builder' }],
      },
      {
        'DataTag/GetAllDataTags': [
          { ID: '1', Label: 'State', Contacts: [{ RightID: 5 }] },
          { ID: '2', Label: 'City', Contacts: [{ RightID: '55' }], SecurityGroups: [{ RightID: '5' }] },
        ],
        'Shield/GetAllShieldPolicies': [
          { id: 1, Name: 'Scope', Users: [{ ID: '5' }] },
          { id: 2, Name: 'Other', Users: [{ ID: '15' }], Groups: [{ GroupId: '5' }] },
        ],
      },
    );
    expect(lines.map((line) => line.slice(line.indexOf(': ') + 2))).toEqual([
      'North.',
      'Flights (Builder).',
      'State.',
      'Scope.',
    ]);
  });
});

describe('deleting a group', () => {
  const folders = (count: number): JsonObject => ({
    rootnode: {
      id: 1,
      text: 'Public',
      libtype: 1,
      children: Array.from({ length: count }, (_, i) => ({ id: i + 10, text: `F${i}`, children: [] })),
    },
  });
  const about = (more: Replies = {}, accountId = '1') =>
    describeDeletion(
      answering(
        {
          'Group/GetSecurityGroupById': { GroupId: '6', GroupName: 'North', Membership: [] },
          'library/GetAllLibraryTree': [folders(1)],
          'library/GetFolderById': ({ folderid }) => ({ id: folderid ?? '', fname: 'F', Permissions: [] }),
          'Contact/GetContactById': superAdmin,
          'Contact/GetContactList': [],
          'AppSettings/GetAppSettings': { enableallusersgrp: 'True' },
          'DataTag/GetAllDataTags': [],
          'Shield/GetAllShieldPolicies': [],
          ...more,
        },
        accountId,
      ),
      'group',
      '6',
    );

  it('takes nothing along of one that is used nowhere', async () => {
    expect(await about()).toEqual({ name: 'North', lines: [], typedName: false });
  });

  it('names its members in alphabetical order, in which the other lines name users', async () => {
    const Membership = ['west.1', 'west.4', 'west.2'].map((LoginName, at) => ({ ID: `${at + 20}`, LoginName }));
    const { lines } = await about({
      'Group/GetSecurityGroupById': { GroupId: '6', GroupName: 'North', Membership },
    });
    expect(lines).toContain('Removes these members from the group: west.1, west.2, west.4.');
  });

  it('names the policies that then restrict no one apart from those that still do', async () => {
    const [own, other] = [{ GroupId: '6' }, { GroupId: '7' }];
    const { lines, typedName } = await about({
      'Shield/GetAllShieldPolicies': [
        { id: 1, Name: 'Alone', Groups: [own], Users: [] },
        { id: 2, Name: 'With a user', Groups: [own], Users: [{ ID: '5' }] },
        { id: 3, Name: 'With a group', Groups: [own, other], Users: [] },
        { id: 4, Name: 'Of others', Groups: [other], Users: [] },
      ],
    });
    expect(lines).toEqual([
      'These policies then restrict no one: Alone.',
      'Removes it from these policies: Alone, With a user, With a group.',
    ]);
    expect(typedName).toBe(true);
  });

  it('names folders that are open to it alone', async () => {
    const { lines, typedName } = await about({
      'library/GetFolderById': ({ folderid }) => ({
        id: folderid ?? '',
        fname: `Folder ${idOf(folderid)}`,
        Permissions: idOf(folderid) === '10' ? [{ RightID: '6' }] : [{ RightID: '7' }],
      }),
    });
    expect(lines).toEqual([expect.stringMatching(/^Folders open only to this group: Folder 10\./)]);
    expect(typedName).toBe(true);
  });

  it('names who sees a folder of this group alone, if the server opens it then', async () => {
    const everyone = { GroupId: '1', GroupName: 'All Users', GroupRoles: [{ RoleId: '2' }] };
    const own = { GroupId: '6', GroupName: 'North', GroupRoles: [{ RoleId: '2' }] };
    const { lines } = await about({
      'library/GetFolderById': ({ folderid }): JsonObject =>
        idOf(folderid) === '1'
          ? { id: '1', fname: 'Public', Permissions: [] }
          : { id: '10', fname: 'Plans', ParentLibrary: '1', Permissions: [{ RightID: '6' }] },
      'Contact/GetContactList': [
        { ID: '5', LoginName: 'nora', SecurityGroups: [everyone, own] },
        { ID: '7', LoginName: 'omar', SecurityGroups: [everyone] },
        superAdmin,
      ],
    });
    expect(lines).toEqual([
      expect.stringMatching(/^Folders open only to this group: Plans\./),
      'On a server that opens them instead:',
      '– omar will see the content of Plans.',
    ]);
  });

  it('names members who lose a folder that another group sees too', async () => {
    const inGroups = (...ids: string[]) => ids.map((GroupId) => ({ GroupId, GroupName: `Group ${GroupId}` }));
    const { lines } = await about({
      'library/GetFolderById': ({ folderid }) => ({
        ...{ id: folderid ?? '', fname: 'Shared', ParentLibrary: idOf(folderid) === '1' ? '' : '1' },
        Permissions: idOf(folderid) === '1' ? [] : [{ RightID: '6' }, { RightID: '7' }],
      }),
      'Contact/GetContactList': [
        { ID: '2', LoginName: 'nora', SecurityGroups: inGroups('6') },
        { ID: '3', LoginName: 'olga', SecurityGroups: inGroups('6') },
        { ID: '4', LoginName: 'both', SecurityGroups: inGroups('6', '7') },
        { ID: '5', LoginName: 'other', SecurityGroups: inGroups('7') },
      ],
      'AppSettings/GetAppSettings': {},
    });
    expect(lines).toEqual(['2 users will no longer see the content of Shared: nora and olga.']);
  });

  it.each([
    ['too many to look at', { 'library/GetAllLibraryTree': [folders(250)] }],
    ['hidden from the account', { 'Contact/GetContactById': { ...superAdmin, isSuperAdmin: false } }],
  ])('says that folders are %s, and asks for the name', async (_what, replies) => {
    const { lines, typedName } = await about(replies);
    expect(lines).toEqual([expect.stringContaining('Not all folders could be checked')]);
    expect(typedName).toBe(true);
  });

  it('says so to a member too, who sees no folder of the group inside one of another group', async () => {
    const { lines } = await about({
      'Contact/GetContactById': { ...superAdmin, isSuperAdmin: false },
      'Group/GetSecurityGroupById': { GroupId: '6', GroupName: 'North', Membership: [{ ID: '1', LoginName: 'admin' }] },
    });
    expect(lines).toContainEqual(expect.stringContaining('Not all folders could be checked'));
  });
});

describe('deleting a folder', () => {
  it('names what is in it, at any depth', async () => {
    const tree = { id: 4, text: 'Sales', children: [{ id: 5, text: 'Inner', children: [{ id: 6, text: 'Deep' }] }] };
    const preview = await describeDeletion(
      answering({
        'library/GetFolderById': { id: 4, fname: 'Sales', isPersonalFolder: false },
        'library/GetAllLibraryTree': [
          { rootnode: { id: 1, text: 'Public', children: [tree, { id: 9, text: 'Else' }] } },
        ],
        'library/GetListByFolderID': ({ LibraryID }) => [{ ReportName: `Report of ${idOf(LibraryID)}` }],
        'Contact/GetContactById': superAdmin,
      }),
      'folder',
      '4',
    );
    expect(preview).toEqual({
      name: 'Sales',
      lines: [
        'Also deletes these reports and dashboards: Report of 4, Report of 5, Report of 6.',
        'Also deletes these folders: Inner, Deep.',
      ],
      typedName: true,
    });
  });
});

describe('deleting a policy', () => {
  const about = (policy: JsonObject) => {
    const full = { id: '9', Name: 'Scope', Constraints: [], Groups: [], Users: [], ...policy };
    return describeDeletion(answering({ 'Shield/GetAllShieldPolicies': [full] }), 'policy', '9');
  };

  it('that is active names who sees more then', async () => {
    const assigned = { Groups: [{ GroupId: '6', GroupName: 'North' }], Users: [{ ID: '5', LoginName: 'nora' }] };
    expect(await about({ isActive: true, ...assigned })).toEqual({
      name: 'Scope',
      lines: ['The policy no longer restricts North, nora.'],
      typedName: true,
    });
    expect((await about({ isActive: false, ...assigned })).typedName).toBe(false);
  });
});
