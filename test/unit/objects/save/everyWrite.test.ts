import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createApplication } from '../../../../src/features/applications/applications.ts';
import { setFavourite } from '../../../../src/features/library/favourites.ts';
import { addMember, removeMember } from '../../../../src/access/membership.ts';
import { assignGroup } from '../../../../src/features/security/policyAssignment.ts';
import { refreshLicences, resetPassport } from '../../../../src/objects/upkeep.ts';
import { unlockUser } from '../../../../src/objects/userAccess.ts';
import type { AnalyticsClient } from '../../../../src/client/client.ts';
import { UnknownWrites } from '../../../../src/connections/unknownWrites.ts';
import { endpointPaths, endpoints, ownPaths, type EndpointPath } from '../../../../src/contract/endpoints.ts';
import { deleteObject } from '../../../../src/objects/save/deleteObject.ts';
import { editableView } from '../../../../src/objects/merge/editableView.ts';
import { parseExact, type JsonObject } from '../../../../src/objects/json.ts';
import { findKind } from '../../../../src/objects/kinds/kinds.ts';
import type { ObjectKind } from '../../../../src/objects/kinds/objectKind.ts';
import { objectServer } from '../../../../src/objects/objectServer.ts';
import { saveObject } from '../../../../src/objects/save/saveObject.ts';
import { figure } from '../../../support/run/figure.ts';
import { stubKinds } from '../../../support/documents/objectStub.ts';
import { handled, startScriptedServer } from '../../../support/scriptedServer.ts';
import { testClient } from '../../../support/testClient.ts';

/*
 * Every endpoint that writes, as the extension writes to it: followed until its outcome is known, and in the journal when it
 * cannot be known. An endpoint that is added to the contract, or a use of one past the journal, fails here.
 */

const pauses = [1, 5];

/** Sign-in and sign-out change no object: the session's states say what became of them. */
const ofTheSession: readonly EndpointPath[] = ['login/DoLogin', 'login/DoLogout'];
const writing = [...endpointPaths, ...ownPaths].filter(
  (path) => !endpoints[path].isSafe && !ofTheSession.includes(path),
);

const item = { itemId: '7', name: 'Delays' };
const marked = { itemId: '8', name: 'Strikes' };
const membership = { groupId: '3', userId: '7', roleId: '2', words: 'ada in North' };
const assignment = { policyId: '7', groupId: '3', words: 'the policy Tenants for North' };
const user = {
  ...{ ErrorCode: 0, ID: '7', LoginName: 'ada', Company: 'West', Pin: null, lockdate: '2026-01-01T00:00:00' },
  SecurityGroups: [{ GroupId: '4', GroupRoles: [{ RoleId: '1' }] }],
};

/** What the server shows: objects that none of the writes has changed yet. */
const shown: Record<string, unknown> = {
  ...Object.fromEntries(Object.values(stubKinds).map(({ read, object, isList }) => [read, isList ? [object] : object])),
  'AppBuilder/GetAnyDbModule': {
    ReportTypes: [stubKinds.reporttype?.object],
    DBSQLTableList: { AllDbtables: [] },
  },
  'Contact/GetContactById': user,
  'Contact/GetContactList': [user],
  'Group/GetAllSecurityGroups': [{ ErrorCode: 0, GroupId: '7', GroupName: 'North' }],
  'Shield/GetAllShieldPolicies': [{ ...stubKinds.policy?.object, Groups: [{ GroupId: '4' }] }],
  'library/GetAllLibraryTree': [{ rootnode: { id: 7, text: 'West', children: [] } }],
  'library/SearchReports': [
    { id: 7, ReportName: 'Delays', itemtype: 1, isFav: false, error_code: 0 },
    { id: 8, ReportName: 'Strikes', itemtype: 1, isFav: true, error_code: 0 },
    { id: 7, ReportName: 'Overview', itemtype: 0, isFav: false, error_code: 0 },
  ],
  'Dashboard/SearchDashboardList': [
    { id: 7, name: 'Delays', isFav: 0 },
    { id: 8, name: 'Strikes', isFav: 1 },
  ],
  'App/GetApplicationList': [{ Status: 1, service: { ID: '9', Name: 'Other', ModuleType: 'ANYDB' } }],
  'Session/CheckSession': { ErrorCode: 0, SessionToken: 'token' },
  'login/DoLogin': {
    ErrorCode: 0,
    LoginSession: { SessionToken: 'token', SessionTimeLeft: 20 },
    LoginUser: { ID: '7', LoginName: 'ada' },
  },
};

type Use = (client: AnalyticsClient) => Promise<unknown>;

const uses: Partial<Record<EndpointPath, Use>> = {
  ...Object.fromEntries(Object.entries(stubKinds).map(([kind, { save }]) => [save, saving(kind)])),
  'Report/UpdateReport': saving('report', (kind) => ({
    ...kind,
    save: async (to, full) => (await kind.saveHead?.(to, full)) ?? {},
  })),
  'Contact/DeleteContact': deleting('user'),
  'Group/DeleteSecurityGroup': deleting('group'),
  'DataTag/DeleteDataTag': deleting('tag'),
  'Shield/DeletePolicy': deleting('policy'),
  'library/DelFolder': deleting('folder'),
  'library/DelReport': deleting('report'),
  'Dashboard/DelDashboard': deleting('dashboard'),
  'SMTP/DeleteSMTP': deleting('smtp'),
  'Contact/UnlockContact': (client) => unlockUser(objectServer(client), '7', pauses),
  'Group/AddUser': (client) => addMember(client, membership, pauses),
  'Group/RemoveUser': (client) => removeMember(client, { ...membership, groupId: '4' }, pauses),
  'Shield/AddGroup': (client) => assignGroup(client, assignment, true, pauses),
  'Shield/RemoveGroup': (client) => assignGroup(client, { ...assignment, groupId: '4' }, false, pauses),
  'RegServers/InsertAnyDbModule': (client) => createApplication(client, 'Weather', '', pauses),
  'library/FavReport': (client) => setFavourite(client, { ...item, isDashboard: false }, true, pauses),
  'library/UnFavReport': (client) => setFavourite(client, { ...marked, isDashboard: false }, false, pauses),
  'library/FavDash': (client) => setFavourite(client, { ...item, isDashboard: true }, true, pauses),
  'library/UnFavDash': (client) => setFavourite(client, { ...marked, isDashboard: true }, false, pauses),
  'Session/ResetPassport': resetPassport,
  'LicenseManager/RefreshInstalledLicenses': refreshLicences,
};

function kindOf(name: string): ObjectKind {
  const kind = findKind(name);
  if (!kind) throw new Error(`There is no kind ${name}.`);
  return kind;
}

/** A save of a document in which West became East. */
function saving(name: string, changed = (kind: ObjectKind) => kind): Use {
  return async (client) => {
    const kind = changed(kindOf(name));
    const id = stubKinds[name]?.id ?? '';
    const base = editableView(await kind.read(objectServer(client), id), kind.shape);
    const mine = parseExact(JSON.stringify(base).replace('West', 'East')) as JsonObject;
    const outcome = await saveObject(objectServer(client), {
      kind,
      id,
      base,
      mine,
      askSecret: async () => 's3',
      pauses,
    });
    if (outcome.kind === 'unknown') throw outcome.cause;
    expect(outcome.kind).toBe('saved');
  };
}

function deleting(name: string): Use {
  return (client) => deleteObject(objectServer(client), kindOf(name), stubKinds[name]?.id ?? '7', pauses);
}

/** What it shows instead, once a write has changed it. */
const later: Record<string, unknown> = {};

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const name of Object.keys(later)) Reflect.deleteProperty(later, name);
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A server that shows {@link shown}, and answers the write with `answer`; with `isGone`, nothing that is asked after it. */
async function scene(endpoint: EndpointPath, answer: (response: ServerResponse) => unknown, isGone = false) {
  let writes = 0;
  const server = await startScriptedServer(({ path: asked }, response) => {
    const name = asked.replace('/api/', '');
    if (name === endpoint) writes += 1;
    const reply = name === endpoint ? answer(response) : isGone && writes > 0 ? 'broken' : read(name);
    if (reply !== 'broken') return reply;
    response.destroy();
    return handled;
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'analytics-writes-'));
  const journal = new UnknownWrites(folder);
  const credentials = { userName: 'ada', password: 'p' };
  const to = { id: 'c', name: 'Test Server' };
  const client = testClient(`${server.url}/api`, credentials, { journal: journal.journalOf(to) });
  cleanups.push(
    () => server.close(),
    () => client.close(),
    () => rm(folder, { recursive: true }),
  );
  const outcome = await uses[endpoint]?.(client).then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'kind' in error ? error.kind : error),
  );
  return { outcome, writes, open: await journal.list() };
}

function read(name: string): unknown {
  if (!(name in shown)) throw new Error(`${name} is not in this scene.`);
  return later[name] ?? shown[name];
}

/** A reply that says yes, in the form of the endpoint. */
function acceptance(endpoint: EndpointPath): unknown {
  const { form } = endpoints[endpoint];
  if (form.kind === 'text') return form.success?.[0];
  if (form.kind === 'number') return form.success === 'any' ? 0 : form.success;
  if (form.shape === 'array') return shown['Audit/GetAuditTypes'];
  const ids = { ID: '7', id: '7', GroupId: '7', ReportID: '7', SMTPId: '1', token: 'token' };
  return { ErrorCode: 0, error_code: 0, returncode: 0, Code: 0, MaxRecords: 5000, ...ids };
}

it('has a use for each endpoint that writes', () => {
  expect(Object.keys(uses).sort()).toEqual([...writing].sort());
});

describe.each(writing)('%s', (endpoint) => {
  it('sent past its journal does not go out', async () => {
    let asked = 0;
    const server = await startScriptedServer(() => (asked += 1));
    const client = testClient(`${server.url}/api`, { userName: 'ada', password: 'p' });
    cleanups.push(
      () => server.close(),
      () => client.close(),
    );
    await expect(client.call(endpoint, {})).rejects.toThrow(`${endpoint} writes`);
    expect(asked).toBe(0);
  });

  it('whose reply is lost is sent once and kept as unknown', async () => {
    const { outcome, writes, open } = await scene(endpoint, () => 'broken');
    expect({ outcome, writes }).toEqual({ outcome: 'unknownOutcome', writes: 1 });
    expect(open).toMatchObject([{ server: 'Test Server', reason: expect.stringMatching(/\S{3}/) as string }]);
  });

  it('that was accepted and cannot be read back is kept as unknown, or needs no reading back', async () => {
    const { outcome, writes, open } = await scene(endpoint, () => acceptance(endpoint), true);
    expect(writes).toBe(1);
    expect(['done', 'unknownOutcome']).toContain(outcome);
    expect(open).toHaveLength(outcome === 'done' ? 0 : 1);
  });

  it('that was answered by nothing, and left no trace, is denied and not unknown', async () => {
    const { outcome, writes, open } = await scene(endpoint, () => undefined);
    expect({ outcome, writes, open }).toEqual({ outcome: 'noPermission', writes: 1, open: [] });
  });
});

it('asks the mail settings whether their deletion, answered by nothing, was done', async () => {
  const deleted = await scene('SMTP/DeleteSMTP', () => {
    later['SMTP/GetSMTP'] = { ErrorCode: 0, SMTPId: '', SMTPHost: '' };
  });
  expect(deleted).toMatchObject({ outcome: 'done', writes: 1, open: [] });
  const again = await scene('SMTP/DeleteSMTP', () => undefined);
  expect(again).toMatchObject({ outcome: 'refused', writes: 0, open: [] });
});

it.each([
  [200, '0'],
  [200, '1'],
  [201, ''],
  [202, 'Accepted'],
  [204, ''],
])('takes a favourite answered with %d and "%s" as accepted, and believes the search', async (status, text) => {
  const answer = (response: ServerResponse) => {
    later['library/SearchReports'] = [{ id: 7, ReportName: 'Delays', itemtype: 1, isFav: true, error_code: 0 }];
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
    return handled;
  };
  expect(await scene('library/FavReport', answer)).toMatchObject({ outcome: 'done', writes: 1, open: [] });
});

it('tells of a favourite that was accepted, and that the search does not show', async () => {
  expect(await scene('library/FavDash', () => 0)).toMatchObject({ outcome: 'refused', writes: 1, open: [] });
});

figure('R3', `${writing.length} endpoints that write, each by the extension's own code: 0 past the journal`);
