import { describe, expect, it } from 'vitest';
import { ClientError, type ClientErrorKind } from '../../../../src/client/clientError.ts';
import { editableView } from '../../../../src/objects/merge/editableView.ts';
import { isJsonObject, parseExact, type Json, type JsonObject } from '../../../../src/objects/json.ts';
import { policyKind, userKind } from '../../../../src/objects/kinds/securityKinds.ts';
import { auditKind, smtpKind } from '../../../../src/objects/kinds/administrationKinds.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';
import { saveObject, type SaveRequest } from '../../../../src/objects/save/saveObject.ts';
import { threeWayMerge } from '../../../../src/objects/merge/threeWayMerge.ts';

const stored = `{"ErrorCode":"0","id":"7","Name":"Tenants","Description":"","ModifiedDate":"01/01/2026 10:00:00",
  "Constraints":[{"Column":"c","Limit":9007199254740993}],"Groups":[{"GroupId":"1","GroupName":"A","Membership":[{"ID":"5"}]}],
  "Users":[],"isActive":false,"later":1.0}`;

describe('saving a policy', () => {
  it('sends the whole object with the edit, digits and hidden parts as they came', async () => {
    const server = policyServer();
    const { base, mine } = edit(server, { Name: 'Tenants 2' });
    const outcome = await saveObject(server, request({ base, mine }));
    expect(outcome).toMatchObject({ kind: 'saved', merged: [], notTaken: [], view: { Name: 'Tenants 2' } });
    expect(server.saves).toHaveLength(1);
    const wanted = JSON.stringify(parseExact(stored)).replace('"Tenants"', '"Tenants 2"');
    expect(server.saves[0]).toBe(`{"policy":${wanted},"isDeepSave":true,"groups":["1"],"users":[]}`);
  });

  it('joins what others changed elsewhere', async () => {
    const server = policyServer();
    const { base, mine } = edit(server, { Name: 'Mine' });
    server.change({ isActive: true, ModifiedDate: 'later' });
    const outcome = await saveObject(server, request({ base, mine }));
    expect(outcome).toMatchObject({ kind: 'saved', merged: ['isActive'], view: { Name: 'Mine', isActive: true } });
  });

  it('compares a conflict without the fields that the server maintains', async () => {
    const server = policyServer();
    const { base, mine } = edit(server, { Name: 'Mine' });
    server.change({ Name: 'Theirs', Description: 'North', ModifiedDate: 'later' });
    const conflict = await saveObject(server, request({ base, mine }));
    // Exactly the differences that the user can decide about, in the diff of the two texts.
    expect(conflict).toMatchObject({ kind: 'conflict', theirs: { ...mine, Name: 'Theirs', Description: 'North' } });
  });

  it('sends nothing on a conflict, and a decision holds for the state that was seen, and no other', async () => {
    const server = policyServer();
    const { base, mine } = edit(server, { Name: 'Mine' });
    server.change({ Name: 'Theirs' });
    const conflict = await saveObject(server, request({ base, mine }));
    if (conflict.kind !== 'conflict') throw new Error(conflict.kind);
    expect(conflict.conflicts).toEqual([{ path: 'Name', base: 'Tenants', mine: 'Mine', theirs: 'Theirs' }]);
    expect(server.saves).toEqual([]);
    const resolution = { serverState: conflict.serverState, choose: () => 'mine' as const };
    // Somebody saves between the question and the answer.
    server.change({ Name: 'Later' });
    expect(await saveObject(server, request({ base, mine, resolution }))).toMatchObject({ kind: 'conflict' });
    expect(server.saves).toEqual([]);
    server.change({ Name: 'Theirs' });
    expect(await saveObject(server, request({ base, mine, resolution }))).toMatchObject({ view: { Name: 'Mine' } });
  });

  it('never joins removals by two to a policy that restricts nobody', async () => {
    const server = policyServer();
    const [a, b] = ['A', 'B'].map((GroupName, index) => ({ GroupId: String(index + 1), GroupName }));
    server.change({ Groups: [a!, b!] });
    const { base, mine } = edit(server, { Groups: [b!] });
    server.change({ Groups: [a!] });
    const conflict = await saveObject(server, request({ base, mine }));
    if (conflict.kind !== 'conflict') throw new Error(conflict.kind);
    expect(conflict.conflicts).toMatchObject([
      { path: 'Groups', mine: [{ GroupId: '2' }], theirs: [{ GroupId: '1' }] },
    ]);
    expect(server.saves).toEqual([]);
    const resolution = { serverState: conflict.serverState, choose: () => 'mine' as const };
    expect(await saveObject(server, request({ base, mine, resolution }))).toMatchObject({
      view: { Groups: [{ GroupId: '2' }] },
    });
  });

  it('never takes an assignment away whose form is not known, and carries bare ids as they are', async () => {
    for (const [entry, users] of [
      ['5', ['5']],
      [5, ['5']],
      [{ ID: '5', LoginName: 'ada' }, ['5']],
      [{ UserId: '5', Name: 'ada' }, undefined],
    ] as const) {
      const server = policyServer();
      server.change({ Users: [entry] });
      const { base, mine } = edit(server, { Name: 'Mine' });
      const saving = saveObject(server, request({ base, mine }));
      if (users) await saving;
      else await expect(saving).rejects.toThrow('lists Users without ID');
      const sent = server.saves.map((save) => parseExact(save));
      expect(sent).toMatchObject(users ? [{ users, policy: { Users: [entry] } }] : []);
    }
  });

  it.each(['Groups', 'Users'])('sends nothing where an entry of %s names nobody', async (field) => {
    const server = policyServer();
    const { base, mine } = edit(server, { [field]: [{ GroupName: 'North', LoginName: 'ada' }] });
    await expect(saveObject(server, request({ base, mine }))).rejects.toThrow(`An entry in ${field} has no`);
    expect(server.saves).toEqual([]);
  });

  it('tells which fields the server keeps, and sends nothing', async () => {
    const server = policyServer();
    const { base, mine } = edit(server, { ModifiedDate: 'x' });
    expect(await saveObject(server, request({ base, mine }))).toEqual({ kind: 'readOnly', paths: ['ModifiedDate'] });
    expect(server.saves).toEqual([]);
  });

  it('sends no list of audit types that lacks one or has one more: the API wants it whole', async () => {
    const view = (...ids: number[]) => ({ AuditTypes: ids.map((ID) => ({ ID, recorded: -1 })) });
    const merged = (base: JsonObject, mine: JsonObject, theirs: JsonObject) =>
      threeWayMerge(base, mine, theirs, auditKind.shape);
    expect(merged(view(1, 2), view(1), view(1, 2))).toMatchObject({
      readOnlyEdits: ['AuditTypes/2'],
      view: view(1, 2),
    });
    expect(merged(view(1), view(1, 2), view(1)).readOnlyEdits).toEqual(['AuditTypes/2']);
    // The server's own say stands.
    expect(merged(view(1, 2), view(1, 2), view(1))).toMatchObject({ readOnlyEdits: [], view: view(1) });
    expect(merged(view(1), view(1), view(1, 2))).toMatchObject({ readOnlyEdits: [], view: view(1, 2) });
  });

  it('sends nothing when nothing was changed', async () => {
    const server = policyServer();
    const { base, mine } = edit(server, {});
    expect(await saveObject(server, request({ base, mine }))).toMatchObject({ kind: 'saved' });
    expect(server.saves).toEqual([]);
  });

  it.each(['timeout', 'unreachable', 'malformed'] as const)('finds a save that arrived despite %s', async (failure) => {
    const server = policyServer({ failure, arrives: 'late' });
    const { base, mine } = edit(server, { Name: 'Mine' });
    expect(await saveObject(server, request({ base, mine }))).toMatchObject({ kind: 'saved', view: { Name: 'Mine' } });
    expect(server.saves).toHaveLength(1);
  });

  it('says that the outcome is unknown, and never sends twice', async () => {
    const server = policyServer({ failure: 'timeout', arrives: 'never' });
    const { base, mine } = edit(server, { Name: 'Mine' });
    expect(await saveObject(server, request({ base, mine }))).toMatchObject({ kind: 'unknown' });
    expect(server.saves).toHaveLength(1);
  });

  it('throws a refusal', async () => {
    const server = policyServer({ failure: 'refused', arrives: 'never' });
    const { base, mine } = edit(server, { Name: '' });
    await expect(saveObject(server, request({ base, mine }))).rejects.toThrow('refused');
  });

  it('gives what the server said of it, unless that is only that it was done', async () => {
    const saved = async (says: string) => {
      const server = policyServer({ says });
      return saveObject(server, request(edit(server, { Name: 'Mine' })));
    };
    expect(await saved('Company of 2 users was set by themselves.')).toMatchObject({
      kind: 'saved',
      notice: 'Company of 2 users was set by themselves.',
    });
    expect(await saved('Success')).not.toHaveProperty('notice');
  });

  it.each([undefined, 4])('is refused once, and not sent again, while the revision stays %s', async (Revision) => {
    const server = policyServer({ failure: 'refused' });
    if (Revision !== undefined) server.change({ Revision });
    const { base, mine } = edit(server, { Name: 'Mine' });
    await expect(saveObject(server, request({ base, mine }))).rejects.toMatchObject({ kind: 'refused' });
    expect(server.saves).toHaveLength(1);
  });

  it('names what the server accepted but did not take', async () => {
    const server = policyServer({ ignores: 'Description' });
    const { base, mine } = edit(server, { Name: 'Mine', Description: 'new' });
    expect(await saveObject(server, request({ base, mine }))).toMatchObject({
      kind: 'saved',
      notTaken: ['Description'],
    });
  });
});

describe('secrets', () => {
  it('are in no view', () => {
    expect(editableView({ SMTPHost: 'h', SMTPPassword: 's3cret' }, smtpKind.shape)).toEqual({ SMTPHost: 'h' });
    expect(editableView({ LoginName: 'a', Pin: 's3cret' }, userKind.shape)).toEqual({ LoginName: 'a' });
  });

  it('are asked for where a save would blank them; giving up sends nothing', async () => {
    const sent: string[] = [];
    const mail = { SMTPId: '1', SMTPHost: 'h', SMTPRequiredSecurity: 'True', SMTPPassword: '' };
    const server: ObjectServer = {
      name: 'S',
      installation: async () => '1',
      call: async (path, body) => {
        if (path === 'SMTP/SaveSMTP') sent.push(JSON.stringify(body));
        return mail;
      },
    };
    const base = editableView(mail, smtpKind.shape);
    const mailRequest = { kind: smtpKind, id: '1', base, mine: { ...base, SMTPHost: 'new' } };
    expect(await saveObject(server, { ...mailRequest, askSecret: async () => undefined })).toEqual({
      kind: 'cancelled',
    });
    expect(sent).toEqual([]);
    await saveObject(server, { ...mailRequest, askSecret: async () => 's3cret' });
    expect(sent).toEqual([JSON.stringify({ smtp: { ...mail, SMTPHost: 'new', SMTPPassword: 's3cret' } })]);
  });
});

interface PolicyServer extends ObjectServer {
  /** Bodies of the saves, as text. */
  readonly saves: string[];
  /** The stored policy. */
  current(): JsonObject;
  /** Somebody else saves. */
  change(fields: JsonObject): void;
}

/** A server with one policy that fails, is late or ignores a field as told. */
function policyServer(
  faults: { failure?: ClientErrorKind; arrives?: 'late' | 'never'; ignores?: string; says?: string } = {},
): PolicyServer {
  let policy = objectOf(parseExact(stored));
  let late: JsonObject | undefined;
  let reads = 0;
  const saves: string[] = [];
  return {
    name: 'S',
    installation: async () => '1',
    saves,
    current: () => policy,
    change: (fields) => {
      policy = { ...policy, ...fields };
    },
    call: async (path, body) => {
      if (path === 'Shield/GetAllShieldPolicies') {
        if (late && ++reads > 1) policy = late;
        return [policy];
      }
      const text = JSON.stringify(body);
      saves.push(text);
      const sent = objectOf(objectOf(parseExact(text)).policy);
      const taken = faults.ignores ? { ...sent, [faults.ignores]: policy[faults.ignores] ?? null } : sent;
      if (faults.failure) {
        if (faults.arrives === 'late') late = taken;
        const code = faults.failure === 'refused' ? 9000 : undefined;
        throw new ClientError(faults.failure, `It is ${faults.failure}.`, { server: 'S', endpoint: path, code });
      }
      policy = taken;
      return faults.says === undefined ? policy : { ...policy, ErrorMessage: faults.says };
    },
  };
}

function edit(server: PolicyServer, fields: JsonObject): { base: JsonObject; mine: JsonObject } {
  const base = editableView(server.current(), policyKind.shape);
  return { base, mine: { ...base, ...fields } };
}

function request(parts: Pick<SaveRequest, 'base' | 'mine' | 'resolution'>): SaveRequest {
  return { kind: policyKind, id: '7', ...parts, askSecret: async () => undefined, pauses: [0, 1, 1] };
}

function objectOf(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error('No object');
  return value;
}
