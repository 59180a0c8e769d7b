import { describe, expect, it } from 'vitest';
import { membershipEffect } from '../../../src/access/folderEffect.ts';
import { creatingUsers, joining, leaving, saving } from '../../../src/access/rows/accessEdits.ts';
import { ClientError } from '../../../src/client/clientError.ts';
import { identifierText, type Json, type JsonObject } from '../../../src/objects/json.ts';
import type { ObjectServer } from '../../../src/objects/objectServer.ts';

const everyone = { GroupId: '1', GroupName: 'All Users', GroupRoles: [{ RoleId: '2' }] };
const inGroup = (GroupId: string) => ({ GroupId, GroupName: `Group ${GroupId}`, GroupRoles: [{ RoleId: '2' }] });
const user = (ID: string, LoginName: string, ...groups: string[]): JsonObject => ({
  ID,
  LoginName,
  SecurityGroups: [everyone, ...groups.map(inGroup)],
});
const folder = (id: number, fname: string, groups: readonly string[], ParentLibrary = '90'): JsonObject => ({
  ...{ error_code: 0, id, fname, ParentLibrary, InheritPermissions: true },
  Permissions: groups.map((RightID) => ({ RightID })),
});

/** North is seen by group 2, Shared by 2 and 3, Inside by who sees North, Deep by 3 within North, Open by all users. */
const folders = [
  folder(90, 'Public', [], ''),
  folder(4, 'North', ['2']),
  folder(5, 'Shared', ['2', '3']),
  folder(6, 'Inside', [], '4'),
  folder(7, 'Deep', ['3'], '4'),
  folder(8, 'Open', []),
];
const administrator = { ...user('9', 'admin'), isSuperAdmin: true };

function serverWith(users: readonly JsonObject[], replies: Record<string, Json> = {}): ObjectServer {
  const children = folders.slice(1).map(({ id = '', fname = '' }) => ({ id, text: fname, children: [] }));
  const found: Record<string, Json | undefined> = {
    'library/GetAllLibraryTree': [{ rootnode: { id: 90, text: 'Public', libtype: 1, children } }],
    'Contact/GetContactList': [administrator, ...users],
    'AppSettings/GetAppSettings': { enableallusersgrp: 'True' },
    ...replies,
  };
  return {
    name: 'Shop',
    accountId: () => '9',
    installation: async () => 'one',
    call: async (path, body) => {
      const given = found[path];
      if (given !== undefined) return given;
      if (path !== 'library/GetFolderById') throw new Error(`${path} was not expected.`);
      const asked = folders.find((each) => identifierText(each.id) === Object.values(body)[0]);
      if (!asked) throw new Error('There is no such folder.');
      return asked;
    },
  };
}

const refused = new ClientError('refused', 'Not there', { server: 'Shop' });
const [nora, omar] = [user('5', 'nora', '2', '3'), user('6', 'omar', '2')];

describe('says of a group that users leave', () => {
  it('which folders they no longer see, and which they still see by another group', async () => {
    const { lines, givesRows } = await membershipEffect(
      serverWith([nora, omar]),
      leaving(['5', '6'].map((userId) => ({ userId, groupId: '2' }))),
    );
    expect(lines).toEqual([
      'nora will no longer see the content of North, Inside and Deep.',
      'omar will no longer see the content of North, Shared and Inside.',
      'nora will still see the content of Shared.',
    ]);
    expect(givesRows).toBe(false);
  });

  it('nothing if it opens no folder', async () => {
    const effect = await membershipEffect(
      serverWith([user('5', 'nora', '4')]),
      leaving([{ userId: '5', groupId: '4' }]),
    );
    expect(effect).toMatchObject({ lines: [], givesRows: false });
  });

  it('nothing of a super-admin, who sees every folder', async () => {
    const boss = { ...nora, isSuperAdmin: true };
    expect(await membershipEffect(serverWith([boss]), leaving([{ userId: '5', groupId: '2' }]))).toMatchObject({
      lines: [],
    });
  });
});

describe('says of a group that users join', () => {
  const ina = user('7', 'ina', '3');

  it('which folders they see from then on', async () => {
    const { lines, givesRows } = await membershipEffect(
      serverWith([ina, user('8', 'eva')]),
      joining('2', 'North', ['7', '8'], '2'),
    );
    expect(lines).toEqual([
      'ina will see the content of North, Inside and Deep.',
      'eva will see the content of North, Shared and Inside.',
    ]);
    expect(givesRows).toBe(true);
  });

  it('nothing of the role None, which opens no folder', async () => {
    expect((await membershipEffect(serverWith([ina]), joining('2', 'North', ['7'], '0'))).lines).toEqual([]);
  });

  it('also of users who are created in it, beyond what all users see', async () => {
    const rows = ['olga', 'otto'].map((LoginName) => ({ fields: { LoginName }, groups: [inGroup('2')] }));
    const { lines } = await membershipEffect(serverWith([]), creatingUsers(rows));
    expect(lines).toEqual(['2 users will see the content of North, Shared and Inside: olga and otto.']);
  });
});

describe('says of all users', () => {
  it('that they no longer see what lies at the top of a library if All Users grants nothing', async () => {
    const edit = saving('settings', '', { enableallusersgrp: 'False' }, { enableallusersgrp: 'True' });
    const tree = [{ rootnode: { id: 90, text: 'Public', libtype: 1, children: [] } }];
    const { lines } = await membershipEffect(
      serverWith([nora], { 'library/GetAllLibraryTree': tree }),
      edit ?? ((lists) => lists),
    );
    expect(lines).toEqual(['nora will no longer see the content of Public.']);
  });
});

describe('says that not all is known', () => {
  const leave = leaving([{ userId: '5', groupId: '2' }]);

  it('if the account sees only the folders of its own groups, and the group is none of them', async () => {
    const limited = (...groups: string[]) =>
      serverWith([], { 'Contact/GetContactList': [{ ...user('9', 'admin', ...groups), isAdmin: true }, nora] });
    expect((await membershipEffect(limited(), leave)).lines).toContain('Not all folders could be checked.');
    expect((await membershipEffect(limited('2', '3'), leave)).lines).not.toContain('Not all folders could be checked.');
  });

  it('if the account is in the group, but not in another that a folder inside also needs', async () => {
    const users = [{ ...user('9', 'admin', '2'), isAdmin: true }, nora];
    const { lines } = await membershipEffect(serverWith([], { 'Contact/GetContactList': users }), leave);
    expect(lines).toContain('Not all folders could be checked.');
  });

  it('if the account has the role None in the group', async () => {
    const own = { ...user('9', 'admin', '3'), isAdmin: true };
    const none = { GroupId: '2', GroupName: 'Group 2', GroupRoles: [{ RoleId: '0' }] };
    const users = [{ ...own, SecurityGroups: [everyone, inGroup('3'), none] }, nora];
    const { lines } = await membershipEffect(serverWith([], { 'Contact/GetContactList': users }), leave);
    expect(lines).toContain('Not all folders could be checked.');
  });

  it('if the account sees no folder at all, and asks again only if that is new', async () => {
    const tree = [{ rootnode: { id: 90, text: 'Public', libtype: 1, children: [] } }];
    const users = [{ ...user('9', 'admin'), isAdmin: true }, nora];
    for (const seen of [tree, []]) {
      const replies = { 'Contact/GetContactList': users, 'library/GetAllLibraryTree': seen };
      expect(await membershipEffect(serverWith([], replies), leave)).toEqual({
        lines: ['Not all folders could be checked.'],
        statements: ['Not all folders could be checked.'],
        givesRows: true,
      });
    }
  });

  it('if the server refuses to return a folder, and says what is known of the others', async () => {
    const children = [4, 40].map((id) => ({ id, text: 'Folder', children: [] }));
    const tree = [{ rootnode: { id: 90, text: 'Public', libtype: 1, children } }];
    const server = serverWith([nora], { 'library/GetAllLibraryTree': tree });
    const refusing: ObjectServer = {
      ...server,
      call: async (path, body) => {
        if (Object.values(body).includes('40')) throw refused;
        return server.call(path, body);
      },
    };
    expect(await membershipEffect(refusing, leave)).toMatchObject({
      lines: ['nora will no longer see the content of North.', 'Not all folders could be checked.'],
      givesRows: true,
    });
  });
});
