import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createApplication,
  isApplicationVisible,
  signsIn,
  testConnection,
} from '../../src/features/applications/applications.ts';
import { saveAuditTypes } from '../../src/features/administration/auditRecording.ts';
import { changeFolderGroups, folderAccess, moveReport } from '../../src/access/folderAccess.ts';
import { addMember, removeMember, rolesInGroup } from '../../src/access/membership.ts';
import { activatePolicy, assignGroup, assignUsers } from '../../src/features/security/policyAssignment.ts';
import { changeSecret } from '../../src/objects/save/storedSecret.ts';
import { readTagValues, saveTagValues } from '../../src/features/tagValues/tagValues.ts';
import { changeOwnPassword, setPin, unlockUser } from '../../src/objects/userAccess.ts';
import type { AnalyticsClient } from '../../src/client/client.ts';
import { ClientError } from '../../src/client/clientError.ts';
import { folderKind } from '../../src/objects/kinds/libraryKinds.ts';
import { describeDeletion } from '../../src/access/deletePreview.ts';
import { restrictedBy } from '../../src/access/policyReach.ts';
import { findKind } from '../../src/objects/kinds/kinds.ts';
import { guardedServer, objectServer } from '../../src/objects/objectServer.ts';
import { textWith } from '../support/matchers.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { testClient, unwatched } from '../support/testClient.ts';

let server: TestServer;
let client: AnalyticsClient;
beforeAll(async () => {
  server = await startServer({ sample: true });
  client = testClient(server.apiBase, { userName: 'admin', password: server.adminPassword });
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

const group = async (name: string) => {
  const groups = await client.call('Group/GetAllSecurityGroups', {});
  const found = groups.find(({ GroupName }) => GroupName === name);
  if (!found) throw new Error(`no group ${name}`);
  return found;
};
const user = async (login: string) => {
  const users = await client.call('Contact/GetContactList', {});
  const found = users.find(({ LoginName }) => LoginName === login);
  if (!found) throw new Error(`no user ${login}`);
  return found;
};
const policy = async (id: string) => {
  const policies = await client.call('Shield/GetAllShieldPolicies', {});
  return policies.find((entry) => String(entry.id) === id);
};

it('adds a member with a role, changes the role, and removes the member', async () => {
  const groupId = String((await group('South')).GroupId);
  const userId = String((await user('north.viewer')).ID);
  const membership = { groupId, userId, roleId: '3', words: 'north.viewer in South' };
  await addMember(client, membership);
  const asked = [userId, '999999'];
  expect([...(await rolesInGroup(client, groupId, asked))]).toEqual([[userId, ['3']]]);
  await addMember(client, { ...membership, roleId: '2' });
  expect([...(await rolesInGroup(client, groupId, asked))]).toEqual([[userId, ['2']]]);
  expect((await group('South')).Membership?.map(({ ID }) => String(ID))).toContain(userId);
  await removeMember(client, membership);
  expect((await group('South')).Membership?.map(({ ID }) => String(ID))).not.toContain(userId);
  await expect(addMember(client, { ...membership, userId: '999999' })).rejects.toThrow(/999999/);
});

it('assigns a policy to groups and users, and sees through a Success that changed nothing', async () => {
  const [first] = await client.call('Shield/GetAllShieldPolicies', {});
  const policyId = String(first?.id);
  const { ID } = await user('north.viewer');
  const everybody = String((await group('All Users')).GroupId);
  await assignGroup(client, { policyId, groupId: everybody, words: 'the policy' }, true);
  expect((await policy(policyId))?.Groups?.map(({ GroupId }) => String(GroupId))).toContain(everybody);
  await assignGroup(client, { policyId, groupId: everybody, words: 'the policy' }, false);
  const unknown = assignGroup(client, { policyId, groupId: '999999', words: 'the policy' }, true);
  await expect(unknown).rejects.toThrow(/reported success/);
  const someone = [String(ID)];
  const confirmNothing = () => Promise.resolve('sure' as const);
  const restricted = (await restrictedBy(objectServer(client), [policyId, '999999'])).get(policyId);
  expect(restricted?.map(({ name }) => name)).toEqual(first?.Groups?.map(({ GroupName }) => GroupName));
  const objects = objectServer(client);
  const before = (await policy(policyId))?.Users?.length ?? 0;
  await assignUsers(objects, policyId, someone, true, confirmNothing);
  expect((await policy(policyId))?.Users).toHaveLength(before + 1);
  await assignUsers(objects, policyId, someone, false, confirmNothing);
  expect((await policy(policyId))?.Users).toHaveLength(before);
  await activatePolicy(objects, policyId, false, confirmNothing);
  expect([...(await restrictedBy(objects, [policyId]))]).toEqual([]);
  expect((await policy(policyId))?.isActive).toBe(false);
  expect((await policy(policyId))?.Constraints).toEqual(first?.Constraints);
});

it('warns of folders of a group that the account may not be shown, and of the library of a user', async () => {
  const id = String((await group('North')).GroupId);
  const whole = await describeDeletion(objectServer(client), 'group', id);
  expect(whole.lines.join()).not.toContain('Not all folders');
  expect(whole.lines).toContain('Removes it from these policies: Own States Only.');
  // Who is signed in is not known: nor is what the account is shown.
  const unsure = await describeDeletion({ ...objectServer(client), accountId: () => undefined }, 'group', id);
  expect(unsure.lines.join()).toContain('Not all folders');
  expect(unsure.typedName).toBe(true);
  // Who never signed in has no reports.
  const viewer = String((await user('south.viewer')).ID);
  const unused = await describeDeletion(objectServer(client), 'user', viewer);
  expect(unused).toMatchObject({ name: 'south.viewer', typedName: false });
  expect(unused.lines.join()).not.toContain('personal library');
  const { ID } = await user('admin');
  const used = await describeDeletion(objectServer(client), 'user', String(ID));
  expect(used.lines.join()).toContain('personal library');
  expect(used.typedName).toBe(true);
});

it('says that folders which the account is not shown go with the one around them', async () => {
  const [folder] = (await folderKind.list?.(objectServer(client))) ?? [];
  if (!folder) throw new Error('The sample has folders.');
  const whole = await describeDeletion(objectServer(client), 'folder', folder.id);
  expect(whole.name).toBe(folder.name);
  expect(whole.lines.join()).not.toContain('You cannot see these folders');
  const unsure = await describeDeletion({ ...objectServer(client), accountId: () => undefined }, 'folder', folder.id);
  expect(unsure.lines.join()).toContain('You cannot see these folders');
  expect(unsure.typedName).toBe(true);
});

it('sets a password that works, and unlocks', async () => {
  const userId = String((await user('north.viewer')).ID);
  const objects = objectServer(client);
  await setPin(objects, userId, 'Another Password 1');
  for (let attempt = 0; attempt < 5; attempt++) {
    await expect(server.login('north.viewer', 'wrong')).rejects.toThrow();
  }
  await expect(server.login('north.viewer', 'Another Password 1')).rejects.toThrow();
  await unlockUser(objects, userId);
  await server.login('north.viewer', 'Another Password 1');
});

it('chooses the password that the server asks for, and then may do the rest', async () => {
  const account = await user('north.modifier');
  const userId = String(account.ID);
  const due = { withpin: false, user: { ...account, bforcepasschange: true } };
  await client.call('Contact/SaveContact', due, { guard: unwatched });
  const own = testClient(server.apiBase, { userName: 'north.modifier', password: server.adminPassword });
  const objects = objectServer(own);
  await own.session.token();
  expect(own.session.state).toMatchObject({ kind: 'active', account: { demand: 'newPassword' } });
  const search = () => own.call('library/SearchReports', { searchstring: '' });
  await expect(search()).rejects.toMatchObject({ message: textWith('Choose a new password first') });
  await expect(changeOwnPassword(objects, userId, server.adminPassword)).rejects.toMatchObject({
    message: textWith('Choose a different one'),
  });
  await changeOwnPassword(objects, userId, 'Another Password 2');
  expect((await search()).length).toBeGreaterThan(0);
  await own.close();
  const { reply } = await server.login('north.modifier', 'Another Password 2');
  expect(reply.LoginUser).toMatchObject({ bforcepasschange: false });
});

it('changes a stored password or secret, and nothing else', async () => {
  const objects = objectServer(client);
  for (const [name, id, field] of [
    ['server', '1', 'DatabasePassword'],
    ['smtp', 'smtp', 'SMTPPassword'],
    ['settings', 'settings', 'mfa_clientsecret'],
  ] as const) {
    const kind = findKind(name);
    if (!kind) throw new Error(`no kind ${name}`);
    if (name === 'smtp') {
      const fresh = await kind.read(objects, id);
      await kind.save(guardedServer(objects, unwatched), {
        ...fresh,
        SMTPHost: 'mail.example',
        SMTPFromAddress: 'reports@mail.example',
      });
    }
    const before = await kind.read(objects, id);
    const sent: object[] = [];
    const listening: typeof objects = {
      ...objects,
      call: (path, body, guard) => {
        if (guard) sent.push(body);
        return objects.call(path, body, guard);
      },
    };
    await changeSecret(listening, { kind, id, secret: 'An0ther secret' });
    expect(sent, name).toHaveLength(1);
    expect(JSON.stringify(sent), name).toContain(`"${field}":"An0ther secret"`);
    const after = await kind.read(objects, id);
    const isShown = name === 'settings';
    expect(after[field], name).toBe(isShown ? 'An0ther secret' : before[field]);
    const isKept = (key: string) => key !== field && !/^Revision$|Modified$/.test(key);
    const lasting = (object: object): unknown =>
      JSON.parse(JSON.stringify(object, (key, value: unknown) => (isKept(key) ? value : undefined)));
    expect(lasting(after), name).toEqual(lasting(before));
  }
});

it('does not claim a password that cannot be read back when the reply was lost', async () => {
  const objects = objectServer(client);
  const kind = findKind('server');
  if (!kind) throw new Error('no kind server');
  const lossy: typeof objects = {
    ...objects,
    call: async (path, body, guard) => {
      const reply = await objects.call(path, body, guard);
      if (guard) throw new ClientError('unreachable', 'The connection broke.', { server: 'Test' });
      return reply;
    },
  };
  const change = changeSecret(lossy, { kind, id: '1', secret: 'Lost 1', pauses: [1, 1] });
  await expect(change).rejects.toMatchObject({ kind: 'unknownOutcome' });
});

it('moves a report and changes who sees a folder', async () => {
  const objects = objectServer(client);
  const items = await client.call('library/SearchReports', { searchstring: '' });
  const report = items.find(({ itemtype }) => itemtype !== 0);
  const other = items.find(({ folderid }) => folderid !== report?.folderid);
  const [reportId, folderId] = [String(report?.id), String(other?.folderid)];
  await moveReport(objects, reportId, folderId);
  const inside = await client.call('library/GetListByFolderID', { LibraryID: folderId });
  expect(inside.map(({ id, itemtype }) => (itemtype === 0 ? '' : String(id)))).toContain(reportId);
  const before = (await folderAccess(objects, folderId)).groupIds;
  const north = String((await group('North')).GroupId);
  await changeFolderGroups(objects, folderId, { added: [north] });
  expect((await folderAccess(objects, folderId)).groupIds).toContain(north);
  const added = before.includes(north) ? [] : [north];
  await changeFolderGroups(objects, folderId, { removed: added, mayOpen: true });
  expect([...(await folderAccess(objects, folderId)).groupIds].sort()).toEqual([...before].sort());
});

it('closes a folder to a group without undoing what others did meanwhile, and never opens it unasked', async () => {
  const objects = objectServer(client);
  const [item] = await client.call('library/SearchReports', { searchstring: '' });
  const folderId = String(item?.folderid);
  const before = (await folderAccess(objects, folderId)).groupIds;
  const [north, south] = [String((await group('North')).GroupId), String((await group('South')).GroupId)];
  await changeFolderGroups(objects, folderId, { removed: before, added: [north, south] });
  // Somebody else has taken North away since the list was shown: it does not come back.
  await changeFolderGroups(objects, folderId, { removed: [north] });
  await changeFolderGroups(objects, folderId, { added: [] });
  expect((await folderAccess(objects, folderId)).groupIds).toEqual([south]);
  const last = changeFolderGroups(objects, folderId, { removed: [south] });
  await expect(last).rejects.toThrow('Someone else just changed the same part');
  expect((await folderAccess(objects, folderId)).groupIds).toEqual([south]);
  await changeFolderGroups(objects, folderId, { removed: [south], added: before, mayOpen: true });
});

it('registers an application, and refuses a second of the name', async () => {
  const created = await createApplication(client, 'Weather', 'Storms and frost');
  expect(created).toMatchObject({ name: 'Weather' });
  expect(await isApplicationVisible(client, created.id)).toBe(true);
  expect(await isApplicationVisible(client, '99999')).toBe(false);
  const list = await client.call('App/GetApplicationList', {});
  expect(list.filter((entry) => JSON.stringify(entry).includes('"Weather"'))).toHaveLength(1);
  await expect(createApplication(client, 'Weather', '')).rejects.toThrow(/already/);
});

it('tests the connection of a registered server, and says why one fails', async () => {
  const objects = objectServer(client);
  const [database] = await client.call('RegServers/GetAdminRegisteredServers', {});
  const id = String(database?.ID);
  expect(await signsIn(objects, id)).toBe(false);
  await testConnection(objects, id, '');
  const { ID: saved } = await client.call(
    'RegServers/SaveRegSrv',
    {
      regserver: {
        ...database,
        ID: '',
        DisplayName: 'Away',
        DatabasePlatform: 'postgresql',
        DatabaseServer: '127.0.0.1:9',
        DatabaseName: 'none',
        DatabaseLogin: 'reader',
        DatabasePassword: 'secret',
      },
    },
    { guard: unwatched },
  );
  expect(await signsIn(objects, String(saved))).toBe(true);
  const failure = testConnection(objects, String(saved), 'another');
  await expect(failure).rejects.toThrow();
  await expect(failure).rejects.not.toThrow(/another/);
});

it('changes what is audited, and leaves the other audit types alone', async () => {
  const before = await client.call('Audit/GetAuditTypes', {});
  const [first] = before;
  const isRecorded = first?.recorded === 0;
  await saveAuditTypes(objectServer(client), new Map([[String(first?.ID), { isRecorded, days: 12 }]]));
  const after = await client.call('Audit/GetAuditTypes', {});
  expect(after[0]).toEqual({ ...first, recorded: isRecorded ? -1 : 0, retention: 12 });
  expect(after.slice(1)).toEqual(before.slice(1));
  await saveAuditTypes(objectServer(client), new Map([[String(first?.ID), { days: 13 }]]));
  const [later] = await client.call('Audit/GetAuditTypes', {});
  expect(later, 'what is not named stays').toEqual({ ...after[0], retention: 13 });
});

it('sets and takes away values of a tag, and refuses to overwrite what others changed meanwhile', async () => {
  const objects = objectServer(client);
  const tag = (await client.call('DataTag/GetAllDataTags', {})).find(({ Label }) => Label === 'state');
  const tagId = String(tag?.ID);
  const read = () => readTagValues(client, objects, tagId);
  const before = await read();
  const north = before.groups.find(({ name }) => name === 'North');
  const viewer = before.users.find(({ name }) => name === 'north.viewer');
  if (!north || !viewer) throw new Error('The sample has neither North nor north.viewer.');
  const change = ({ id, name, value }: typeof north, to: string | null) => ({ id, name, from: value, to });
  await saveTagValues(objects, tagId, {
    defaultValue: { from: before.defaultValue, to: 'WA' },
    groups: [change(north, 'NV')],
    users: [change(viewer, 'CA')],
  });
  const after = await read();
  expect(after.defaultValue).toBe('WA');
  expect(after.groups.find(({ id }) => id === north.id)?.value).toBe('NV');
  expect(after.users.find(({ id }) => id === viewer.id)?.value).toBe('CA');
  expect(after.groups.filter(({ id }) => id !== north.id)).toEqual(before.groups.filter(({ id }) => id !== north.id));

  const overtaken = saveTagValues(objects, tagId, { groups: [change(north, 'OR')], users: [] });
  await expect(overtaken).rejects.toThrow(/changed these values on .*: North/);
  await saveTagValues(objects, tagId, {
    defaultValue: { from: 'WA', to: before.defaultValue },
    groups: [{ ...change(north, north.value), from: 'NV' }],
    users: [{ ...change(viewer, viewer.value), from: 'CA' }],
  });
  expect(await read()).toEqual(before);
});
