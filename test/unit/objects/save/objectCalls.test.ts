import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AnalyticsClient } from '../../../../src/client/client.ts';
import { createObject } from '../../../../src/objects/save/createObject.ts';
import { deleteObject } from '../../../../src/objects/save/deleteObject.ts';
import { describeDeletion } from '../../../../src/access/deletePreview.ts';
import { editableView } from '../../../../src/objects/merge/editableView.ts';
import { isJsonObject, type JsonObject } from '../../../../src/objects/json.ts';
import { reportKind } from '../../../../src/objects/kinds/libraryKinds.ts';
import {
  dataTagKind,
  groupKind,
  policyKind,
  profileKind,
  userKind,
} from '../../../../src/objects/kinds/securityKinds.ts';
import type { ObjectKind } from '../../../../src/objects/kinds/objectKind.ts';
import { guardedServer, objectServer, type ObjectServer } from '../../../../src/objects/objectServer.ts';
import { saveObject } from '../../../../src/objects/save/saveObject.ts';
import { startFaultProxy, type Fault, type FaultProxy } from '../../../support/faults/faultProxy.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { testClient, unwatched } from '../../../support/testClient.ts';

const pauses = [0, 20];
const lostReplies: Fault[] = ['gateway502After', 'htmlAfter', 'empty204After', 'dropAfter'];
/** Nobody can tell a write that a gateway swallowed from one that is late; an empty reply is the server's own denial. */
const neverSeen: [Fault, string][] = [
  ['gateway502Before', 'unknownOutcome'],
  ['htmlBefore', 'unknownOutcome'],
  ['empty204Before', 'noPermission'],
];
let local: LocalTestServer;
let proxy: FaultProxy;
let client: AnalyticsClient;
let server: ObjectServer;
let names = 0;
/** Faults of the next requests to an endpoint. */
const faults = new Map<string, Fault[]>();

beforeAll(async () => {
  local = await startLocalServer();
  proxy = await startFaultProxy({
    target: local.apiBase,
    token: local.token,
    login: local.login,
    sessionMs: 1_200_000,
    next: (endpoint) => faults.get(endpoint)?.shift() ?? 'none',
  });
  client = testClient(proxy.apiBase, { userName: 'admin', password: local.adminPassword });
  server = objectServer(client);
});

afterEach(() => faults.clear());

afterAll(async () => {
  await client.close();
  await proxy.settled();
  await proxy.close();
  await local.stop();
});

describe('creating', () => {
  it.each([dataTagKind, groupKind, policyKind])('gives a new $name the id under which it is read', async (kind) => {
    const name = newName();
    const id = await create(kind, name);
    expect(await kind.read(server, id)).toMatchObject({ [kind.nameField ?? '']: name });
  });

  it.each(lostReplies)('finds the one object that came despite %s, sent once', async (fault) => {
    const name = newName();
    const before = count('DataTag/SaveDataTag');
    faults.set('DataTag/SaveDataTag', [fault]);
    const id = await create(dataTagKind, name);
    expect((await listed(dataTagKind, name)).map((entry) => entry.id)).toEqual([id]);
    expect(count('DataTag/SaveDataTag')).toBe(before + 1);
  });

  it('finds the one object that came after an empty reply, while the server was still at work', async () => {
    const name = newName();
    const before = count('DataTag/SaveDataTag');
    faults.set('DataTag/SaveDataTag', ['empty204Late']);
    // The looks end with the one that finds it.
    const id = await create(dataTagKind, name, {}, [0, 20, 100, 500, 2000, 5000]);
    expect((await listed(dataTagKind, name)).map((entry) => entry.id)).toEqual([id]);
    expect(count('DataTag/SaveDataTag')).toBe(before + 1);
  });

  it.each(neverSeen)('claims nothing after %s: %s', async (fault, failure) => {
    const name = newName();
    faults.set('DataTag/SaveDataTag', [fault]);
    await expect(create(dataTagKind, name)).rejects.toMatchObject({ kind: failure });
    expect(await listed(dataTagKind, name)).toEqual([]);
  });
});

describe('deleting', () => {
  it('takes a number other than 0 from DelReport for a refusal', async () => {
    await expect(reportKind.remove?.(guardedServer(server, unwatched), { ReportID: '999' })).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  it.each(lostReplies)('sees that it is gone despite %s', async (fault) => {
    const id = await create(dataTagKind, newName());
    faults.set('DataTag/DeleteDataTag', [fault]);
    await deleteObject(server, dataTagKind, id, pauses);
    await expect(dataTagKind.read(server, id)).rejects.toThrow('deleted');
  });

  it.each(neverSeen)('claims nothing after %s: %s', async (fault, failure) => {
    const id = await create(dataTagKind, newName());
    faults.set('DataTag/DeleteDataTag', [fault]);
    await expect(deleteObject(server, dataTagKind, id, pauses)).rejects.toMatchObject({ kind: failure });
    expect(await dataTagKind.read(server, id)).toMatchObject({ ID: id });
  });

  it('is previewed: policies that compare with a tag are named, and its name is asked for', async () => {
    const label = newName();
    const tag = await create(dataTagKind, label);
    expect(await describeDeletion(server, 'tag', tag)).toEqual({ name: label, lines: [], typedName: false });
    const policy = newName();
    const constraint = { ModuleID: '', TableOwner: '', TableName: 't', ColumnName: 'c', Operator: '=', Logical: 'AND' };
    await create(policyKind, policy, { Constraints: [{ ...constraint, Value: `/#${label}#/`, Value2: '' }] });
    const preview = await describeDeletion(server, 'tag', tag);
    expect(preview.typedName).toBe(true);
    expect(preview.lines.join()).toContain(policy);
  });
});

describe('saving an edit', () => {
  it.each(lostReplies)('is found on the server despite %s', async (fault) => {
    const id = await create(dataTagKind, newName());
    faults.set('DataTag/SaveDataTag', [fault]);
    const outcome = await saveField(dataTagKind, id, 'DefaultValue', 'West');
    expect(outcome).toMatchObject({ kind: 'saved', view: { DefaultValue: 'West' } });
  });

  it.each(neverSeen)('is sent once, and nothing claimed, after %s: %s', async (fault, failure) => {
    const id = await create(dataTagKind, newName());
    const before = count('DataTag/SaveDataTag');
    faults.set('DataTag/SaveDataTag', [fault]);
    const saving = saveField(dataTagKind, id, 'DefaultValue', 'West');
    if (failure === 'unknownOutcome') expect(await saving).toMatchObject({ kind: 'unknown' });
    else await expect(saving).rejects.toMatchObject({ kind: failure });
    expect(count('DataTag/SaveDataTag')).toBe(before + 1);
  });

  it('changes the own profile, and keeps its administrator rights out of reach', async () => {
    const { id } = (await listed(userKind, 'admin'))[0] ?? { id: '' };
    expect(await saveField(profileKind, id, 'Company', 'Harbour')).toMatchObject({
      kind: 'saved',
      view: { Company: 'Harbour' },
    });
    expect(await saveField(profileKind, id, 'isAdmin', false)).toEqual({ kind: 'readOnly', paths: ['isAdmin'] });
  });
});

async function create(kind: ObjectKind, name: string, fields: JsonObject = {}, looks = pauses): Promise<string> {
  const template = await kind.template?.(server);
  if (!isJsonObject(template)) throw new Error(`No template of ${kind.name}`);
  const view = { ...editableView(template, kind.shape), ...fields, [kind.nameField ?? '']: name };
  const outcome = await createObject(server, { kind, view, askSecret: async () => '', pauses: looks });
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  return outcome.id;
}

async function saveField(kind: ObjectKind, id: string, field: string, value: string | boolean) {
  const base = editableView(await kind.read(server, id), kind.shape);
  const mine = { ...base, [field]: value };
  return saveObject(server, { kind, id, base, mine, askSecret: async () => undefined, pauses });
}

async function listed(kind: ObjectKind, name: string) {
  return ((await kind.list?.(server)) ?? []).filter((entry) => entry.name === name);
}

function count(endpoint: string): number {
  return proxy.seen.filter((entry) => entry.endpoint === endpoint).length;
}

function newName(): string {
  return `Name${++names}`;
}
