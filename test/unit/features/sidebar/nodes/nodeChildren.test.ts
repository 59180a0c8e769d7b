import { afterEach, describe, expect, it } from 'vitest';
import type { SessionState } from '../../../../../src/client/session/sessionState.ts';
import { loadChildren } from '../../../../../src/features/sidebar/nodes/nodeChildren.ts';
import { serverNode, type TreeNode } from '../../../../../src/editor/nodes/treeNode.ts';
import { handled, startScriptedServer, type Script, type ScriptedServer } from '../../../../support/scriptedServer.ts';
import { activeState, treeConnection } from '../treeConnection.ts';

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const signedIn = { ErrorCode: 0, LoginSession: { SessionToken: 't', SessionTimeLeft: 20 }, LoginUser: { ID: '1' } };
const sessionHolds = { ErrorCode: 0, SessionExpir: '2099-01-01T00:00:00' };

/** Replies by endpoint; signing in always works unless it is among them. */
async function serve(replies: Record<string, unknown>): Promise<string> {
  const all: Record<string, unknown> = {
    'login/DoLogin': signedIn,
    'Session/CheckSession': sessionHolds,
    ...replies,
  };
  const script: Script = ({ path }, response) => {
    const endpoint = path.replace('/api/', '');
    if (endpoint in all) return all[endpoint];
    response.writeHead(404).end();
    return handled;
  };
  server = await startScriptedServer(script);
  return server.url;
}

/** The children below a path of node kinds or names, from the server's node down. */
async function open(root: TreeNode, ...path: string[]): Promise<TreeNode[]> {
  let children = await loadChildren(root);
  for (const step of path) {
    const next = children.find((child) => child.id.endsWith(`/${step}`));
    if (!next) throw new Error(`no ${step} among ${children.map((child) => child.id).join(', ')}`);
    expect(next.parent === undefined || children.includes(next)).toBe(true);
    children = await loadChildren(next);
  }
  return children;
}

const library = [
  {
    rootnode: {
      id: 1,
      text: 'Public Library',
      libtype: 1,
      children: [
        { id: 12, text: 'Sales 10', children: [{ id: 13, text: 'Inner', children: [] }], isUserModify: true },
        { id: 11, text: 'Sales 9', children: null, isUserModify: false },
      ],
    },
  },
  { rootnode: { id: 2, text: 'Mine', libtype: 2, children: [] } },
];
const items = [
  { id: 7, ReportName: 'Delays', itemtype: 2, isFav: true, folderid: 11 },
  { id: 7, ReportName: 'Board', itemtype: 0, isFav: false },
  { id: '8', ReportName: 'Counts\u202E', itemtype: 1, isFav: null },
];

describe('the library', () => {
  it('shows folders before items, each as people read names, with stable ids', async () => {
    const url = await serve({ 'library/GetAllLibraryTree': library, 'library/GetListByFolderID': items });
    const root = serverNode(treeConnection(url));
    const children = await open(root, 'library', 'public');
    expect(children.map(({ kind, id }) => [kind, id])).toEqual([
      ['folder', 'test/folder/11'],
      ['folder', 'test/folder/12'],
      ['dashboard', 'test/library/public/dashboard/7'],
      ['report', 'test/library/public/report/8'],
      ['report', 'test/library/public/report/7'],
    ]);
    expect(children[3]).toMatchObject({ item: { name: 'Counts', isFavourite: false } });
    expect(children[0]).toMatchObject({ name: 'Sales 9', isReadOnly: true, isPersonal: false });
    const again = await open(root, 'library', 'public');
    expect(again.map(({ id }) => id)).toEqual(children.map(({ id }) => id));
    expect(server?.requests.at(-1)?.body).toMatchObject({ LibraryID: '1' });
  });

  it('opens folders in folders', async () => {
    const url = await serve({ 'library/GetAllLibraryTree': library, 'library/GetListByFolderID': items });
    const children = await open(serverNode(treeConnection(url)), 'library', 'public', '12', '13');
    expect(children.map(({ id }) => id)).toContain('test/folder/13/report/7');
    expect(server?.requests.at(-1)?.body).toMatchObject({ LibraryID: '13' });
  });

  it('gathers favourites from both searches, once each', async () => {
    const url = await serve({
      'library/GetAllLibraryTree': library,
      'library/SearchReports': [...items, { id: 30, ReportName: 'Starred board', itemtype: 0, isFav: true }],
      'Dashboard/SearchDashboardList': [
        { id: 30, name: 'Starred board', isFav: 1 },
        { id: 31, name: 'Other board', isFav: true },
        { id: 32, name: 'Plain board', isFav: 0 },
      ],
    });
    const children = await open(serverNode(treeConnection(url)), 'library', 'favourites');
    expect(children.map(({ id }) => id)).toEqual([
      'test/library/favourites/report/7',
      'test/library/favourites/dashboard/31',
      'test/library/favourites/dashboard/30',
    ]);
  });
});

describe('nothing to show', () => {
  it.each([
    ['users', 'Contact/GetContactList', 'noPermission'],
    ['groups', 'Group/GetAllSecurityGroups', 'noPermission'],
    ['policies', 'Shield/GetAllShieldPolicies', 'none'],
    ['dataTags', 'DataTag/GetAllDataTags', 'none'],
  ])('an empty list of %s is believed only after the session has proved valid', async (list, endpoint, reason) => {
    const url = await serve({ [endpoint]: [] });
    const children = await open(serverNode(treeConnection(url)), 'security', list);
    expect(children).toMatchObject([{ kind: 'notice', reason }]);
    expect(server?.count('Session/CheckSession')).toBe(1);
  });

  it.each([
    ['without rights', { isAdmin: false, isSuperAdmin: false }],
    ['that administers what was granted to it', { isAdmin: true, isSuperAdmin: false }],
    ['of which it is not known whether it sees everything', { isAdmin: true, isSuperAdmin: undefined }],
  ])('does not tell an account %s that there are no policies', async (_what, { isAdmin, isSuperAdmin }) => {
    const url = await serve({ 'Shield/GetAllShieldPolicies': [] });
    const { isSuperAdmin: _known, ...account } = activeState.account;
    const rights = isSuperAdmin === undefined ? { isAdmin } : { isAdmin, isSuperAdmin };
    const state = { ...activeState, account: { ...account, ...rights } };
    const children = await open(serverNode(treeConnection(url, state)), 'security', 'policies');
    expect(children).toMatchObject([{ kind: 'notice', reason: 'noneVisible' }]);
  });

  it('tells no permission from an empty reply of a session that holds', async () => {
    const url = await serve({ 'Contact/GetContactList': undefined });
    const children = await open(serverNode(treeConnection(url)), 'security', 'users');
    expect(children).toMatchObject([{ kind: 'notice', reason: 'noPermission' }]);
  });

  it('says that the sign-in was refused', async () => {
    const url = await serve({
      'login/DoLogin': { ErrorCode: 101, ErrorMessage: 'Username or Password is invalid.', LoginSession: null },
    });
    const children = await open(serverNode(treeConnection(url)), 'security', 'users');
    expect(children).toMatchObject([{ kind: 'notice', reason: 'refused' }]);
    expect(children[0]).toHaveProperty('detail', expect.stringContaining('invalid'));
  });

  it('an empty folder is empty', async () => {
    const url = await serve({ 'library/GetAllLibraryTree': library, 'library/GetListByFolderID': [] });
    const children = await open(serverNode(treeConnection(url)), 'library', 'personal');
    expect(children).toMatchObject([{ kind: 'notice', reason: 'none' }]);
  });

  it('does not tell an account that sees but part of the library that a public folder is empty', async () => {
    const url = await serve({ 'library/GetAllLibraryTree': library, 'library/GetListByFolderID': [] });
    const state = { ...activeState, account: { ...activeState.account, isAdmin: false, isSuperAdmin: false } };
    const root = serverNode(treeConnection(url, state));
    expect(await open(root, 'library', 'personal')).toMatchObject([{ kind: 'notice', reason: 'none' }]);
    const [folder] = await open(root, 'library', 'public');
    expect(folder && (await loadChildren(folder))).toMatchObject([{ kind: 'notice', reason: 'noneVisible' }]);
  });

  it.each([
    [{ kind: 'signedOut' }, 'signedOut'],
    [{ kind: 'expired', account: activeState.account }, 'expired'],
    [{ kind: 'takenOver', account: activeState.account }, 'takenOver'],
    [{ kind: 'refused', reason: 'wrong' }, 'refused'],
  ] as [SessionState, string][])('asks nobody when only the user can sign in: %j', async (state, reason) => {
    const url = await serve({});
    const children = await open(serverNode(treeConnection(url, state, true)));
    expect(children).toMatchObject([{ kind: 'notice', reason }]);
    expect(server?.requests).toEqual([]);
  });
});

describe('failures', () => {
  it('become a child with the cause and what to do', async () => {
    const url = await serve({});
    const children = await open(serverNode(treeConnection(url)), 'library');
    expect(children).toMatchObject([{ kind: 'failure', id: 'test/library/failure' }]);
    expect(children[0]).toHaveProperty('message', expect.stringContaining('This release of'));
    expect(children[0]).toHaveProperty('remedy', expect.stringMatching(/newer release/));
  });

  it('name a server that is gone', async () => {
    const url = await serve({});
    await server?.close();
    server = undefined;
    const children = await open(serverNode(treeConnection(url)), 'security', 'groups');
    expect(children[0]).toHaveProperty('message', expect.stringContaining('Test cannot be reached'));
  });
});

describe('security', () => {
  const north = { GroupId: 16, GroupName: 'North', GroupRoles: [{ RoleId: '2', RoleName: 'View' }] };
  const nora = {
    ID: '5',
    LoginName: 'nora',
    FirstName: 'Nora',
    LastName: 'North',
    LoginDate: '0001-01-01T00:00:00',
    lockdate: '2026-01-02T03:04:05',
    SecurityGroups: [north],
  };
  const root = { ID: 1, LoginName: 'admin', isSuperAdmin: true, LoginDate: '2026-01-01T00:00:00', lockdate: null };

  it('knows locked, administrators and who never signed in', async () => {
    const url = await serve({ 'Contact/GetContactList': [nora, root] });
    const children = await open(serverNode(treeConnection(url)), 'security', 'users');
    const moment = expect.stringContaining('2026-01-01T00:00:00') as string;
    expect(children).toMatchObject([
      { user: { loginName: 'admin', isAdmin: true, lockedSince: null, lastSignIn: moment } },
      { user: { loginName: 'nora', fullName: 'Nora North', isAdmin: false, lastSignIn: null, groups: ['North'] } },
    ]);
  });

  it('shows the role that a member holds in this group', async () => {
    const url = await serve({
      'Group/GetAllSecurityGroups': [{ GroupId: '16', GroupName: 'North', Membership: [nora] }],
    });
    const children = await open(serverNode(treeConnection(url)), 'security', 'groups', '16');
    expect(children).toMatchObject([{ kind: 'member', id: 'test/security/groups/16/5', roles: ['View'] }]);
  });

  it('names the groups of a policy, and shows ids to who may not read groups', async () => {
    const policies = [{ id: 3, Name: 'State scope', isActive: true, Groups: [{ GroupId: 16 }], Users: [{}, {}] }];
    const url = await serve({
      'Shield/GetAllShieldPolicies': policies,
      'Group/GetAllSecurityGroups': [{ GroupId: '16', GroupName: 'North' }],
    });
    const [policy] = await open(serverNode(treeConnection(url)), 'security', 'policies');
    expect(policy).toMatchObject({ name: 'State scope', isActive: true, groups: ['North'], userCount: 2 });
    await server?.close();
    const other = await serve({ 'Shield/GetAllShieldPolicies': policies, 'Group/GetAllSecurityGroups': undefined });
    const [nameless] = await open(serverNode(treeConnection(other)), 'security', 'policies');
    expect(nameless).toMatchObject({ groups: ['#16'] });
  });
});

describe('the semantic layer', () => {
  const database = { ID: 5, DisplayName: 'Flights\u202E', ModuleType: 'ANYDB', DatabasePlatform: 'duckdb' };
  const application = {
    product: { ID: '3', Name: 'Flights', ModuleType: 'ANYDB' },
    ModuleProfile: { LicensedQuanity: 10, ConsumedQuanity: 10, NextExpiration: '01/31/2027', Membership: [{}] },
    RegisteredServers: [database],
  };
  const tree = {
    rootnode: {
      text: 'Flight',
      type: 'Folder',
      children: [
        {
          id: 1,
          text: 'Airport',
          type: 'Folder',
          children: [{ id: 2, text: 'Name', type: 'Field', dbtablealias: 'a', dbfieldname: 'name', fieldtype: 'cha' }],
        },
        { id: 3, text: 'Delay', type: 'Field', dbfieldname: 'delay', fieldtype: 'num', children: [] },
      ],
    },
  };

  it('leads from applications with their seats down to fields', async () => {
    const url = await serve({
      'App/GetApplicationList': [application],
      'RegServers/GetReportTypes': [{ reporttypeid: 8, name: ' Flight ' }],
      'RegServers/GetReportTree': tree,
    });
    const root = serverNode(treeConnection(url));
    expect(await open(root, 'semanticLayer')).toMatchObject([
      { kind: 'application', name: 'Flights', seats: { licensed: 10, consumed: 10, expires: '01/31/2027' } },
    ]);
    expect(await open(root, 'semanticLayer', '3')).toMatchObject([
      { id: 'test/semanticLayer/3/5', database: { name: 'Flights', platform: 'duckdb' } },
    ]);
    const fields = await open(root, 'semanticLayer', '3', '5', '8');
    expect(fields.map(({ kind, id }) => [kind, id])).toEqual([
      ['fieldFolder', 'test/semanticLayer/3/5/8/1'],
      ['field', 'test/semanticLayer/3/5/8/3'],
    ]);
    expect(server?.requests.at(-1)?.body).toMatchObject({ RegServerID: '5', ReportType: ' Flight ' });
    expect(await open(root, 'semanticLayer', '3', '5', '8', '1')).toMatchObject([{ name: 'Name', column: 'a.name' }]);
    const asked = server?.requests.find(({ path }) => path.endsWith('GetReportTypes'));
    expect(asked?.body).toMatchObject({ ModuleType: 'ANYDB', RegServerID: '5', ReportModuleID: '3' });
  });

  it('finds the registered servers of an application that lists none among all of the server', async () => {
    const own = { ...database, product: application.product };
    const other = { ...database, ID: 6, product: { ...application.product, ID: '4' } };
    const replies = { 'App/GetApplicationList': [{ ...application, RegisteredServers: null }] };
    const url = await serve({ ...replies, 'RegServers/GetAdminRegisteredServers': [own, other] });
    expect(await open(serverNode(treeConnection(url)), 'semanticLayer', '3')).toMatchObject([
      { id: 'test/semanticLayer/3/5', database: { name: 'Flights' } },
    ]);
    await server?.close();
    const denied = serverNode(treeConnection(await serve(replies)));
    expect(await open(denied, 'semanticLayer', '3')).toMatchObject([{ kind: 'notice' }]);
  });

  it('does not tell an account without rights that there are no applications', async () => {
    const url = await serve({ 'App/GetApplicationList': [] });
    const state = { ...activeState, account: { ...activeState.account, isAdmin: false, isSuperAdmin: false } };
    expect(await open(serverNode(treeConnection(url, state)), 'semanticLayer')).toMatchObject([
      { kind: 'notice', reason: 'noneVisible' },
    ]);
  });
});

describe('administration', () => {
  it('shows settings without secrets, what is audited, and licences', async () => {
    const url = await serve({
      'AppSettings/GetAppSettings': {
        ErrorCode: 0,
        SESSION_TIMEOUT: 20,
        TENANT_MODE_ENABLED: 'False',
        SSOHeader: '',
        mfa_clientsecret: 'hush',
      },
      'SMTP/GetSMTP': { ErrorCode: 0, SMTPHost: 'mail\u200B.example.com', SMTPPassword: 'hush', SMTPRealm: {} },
      'Audit/GetAuditTypes': [
        { ID: 7, symbol: 'Report Execution', recorded: -1, retention: 365 },
        { ID: 1, symbol: 'Login Success', recorded: 0, retention: 30 },
      ],
      'LicenseManager/GetInstallationID': '1111-2222-3333-4444-5555-6666',
      'App/GetApplicationList': [{ product: { ID: '3', Name: 'Flights', ModuleType: 'ANYDB' } }],
    });
    const root = serverNode(treeConnection(url));
    expect(await open(root, 'administration', 'settings')).toMatchObject([
      { name: 'SESSION_TIMEOUT', fact: { value: '20' } },
      { name: 'TENANT_MODE_ENABLED', fact: { value: 'False' } },
    ]);
    const mail = await open(root, 'administration', 'smtp');
    expect(mail).toMatchObject([{ name: 'SMTPHost', fact: { value: 'mail.example.com' } }]);
    expect(await open(root, 'administration', 'audit')).toMatchObject([
      { name: 'Login Success', fact: { isRecorded: false, days: 30 } },
      { name: 'Report Execution', fact: { isRecorded: true, days: 365 } },
    ]);
    expect(await open(root, 'administration', 'licences')).toMatchObject([
      { fact: { kind: 'installation', value: '1111-2222-3333-4444-5555-6666' } },
      { name: 'Flights', fact: { kind: 'seats' } },
    ]);
  });
});
