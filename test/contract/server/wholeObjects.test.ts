import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Json, reportTypeOf, Scene } from '../../support/matrix/scene.ts';

/* What objects carry through a save and a read, and what is told of those that cannot be. */

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
}, 60_000);
afterAll(() => scene.close());

const list = z.array(z.record(z.string(), z.unknown()));

/** Fields that nobody lists, one of which looks like the server's own. */
const unlisted = { x_note: 'kept', x_deep: { a: [1, null] }, ServerOwn: true };

describe('fields that the server has no use for', () => {
  it('come back with a user, who signs in with them', async () => {
    const template = await scene.ask('Contact/NewContact');
    const Language = { id: 7, nativename: 'Deutsch', englishname: 'German', iso_name: 'de', phraselist: null };
    const sent = { ...template, LoginName: 'kept', Pin: 'correct horse', AuthType: 'LDAP', Language, ...unlisted };
    const saved = await scene.ask('Contact/SaveContact', { withpin: true, user: sent });
    expect(saved).toMatchObject({ AuthType: 'LDAP', Language, ...unlisted, Pin: null, isAdmin: false });
    const listed = await scene.list('Contact/GetContactList');
    expect(listed.find(({ ID }) => ID === saved.ID)).toEqual({ ...saved, ErrorMessage: null });
    // A save without them leaves them.
    const { AuthType: _auth, x_note: _note, ...partial } = saved;
    expect(await scene.ask('Contact/SaveContact', { withpin: false, user: partial })).toMatchObject({
      ...{ AuthType: 'LDAP', ...unlisted },
    });
    const { reply, call } = await scene.server.login('kept', 'correct horse');
    expect(reply.LoginUser).toMatchObject({ AuthType: 'LDAP', Language: { iso_name: 'de' }, ...unlisted });
    // What one sends about oneself changes none of them.
    const own = await call('Contact/SaveMYContact', {
      withpin: false,
      user: { ...saved, x_note: 'mine', AuthType: '' },
    });
    expect(own.json).toMatchObject({ AuthType: 'LDAP', x_note: 'kept' });
  });

  it('come back with a group', async () => {
    const template = await scene.ask('Group/NewSecurityGroup');
    const sent = { ...template, GroupName: 'Kept', GroupStatus: 3, AllRoles: [{ RoleId: '1' }], ...unlisted };
    const saved = await scene.ask('Group/SaveSecurityGroup', { group: sent });
    expect(saved).toMatchObject({ GroupStatus: 3, AllRoles: [{ RoleId: '1' }], AllUsers: [], ...unlisted });
    expect(await scene.ask('Group/GetSecurityGroupById', { GroupId: saved.GroupId })).toEqual(saved);
  });

  it('come back with a data tag and its values', async () => {
    const relation = { RightID: scene.tenants.own.groupId, RelationType: 'tag_grp', Option1: 'a', Option2: 'b', x: 1 };
    const person = { RightID: '1', RelationType: 'tag_usr', Option1: 'c', Option10: 'd' };
    const template = await scene.ask('DataTag/NewDataTag');
    const sent = { ...template, Label: 'kept', SecurityGroups: [relation], Contacts: [person], ...unlisted };
    const saved = await scene.ask('DataTag/SaveDataTag', { datatag: sent });
    expect(saved).toMatchObject({
      ...unlisted,
      SecurityGroups: [{ Option1: 'a', Option2: 'b', Option3: '', x: 1, PermissionTypeEnum: 20 }],
      Contacts: [{ Option1: 'c', Option2: '', Option10: 'd' }],
    });
    expect(await scene.list('DataTag/GetAllDataTags')).toContainEqual(saved);
    await scene.ask('DataTag/DeleteDataTag', { datatag: saved });
  });

  it('come back with a policy', async () => {
    const template = await scene.ask('Shield/NewPolicy');
    const policy = { ...template, Name: 'Kept', Constraints: [], Groups: [], Users: [], ...unlisted };
    const sent = { policy, groups: [], users: [], isDeepSave: true };
    const { text } = await scene.asSuperAdmin('Shield/SaveShieldPolicy', sent);
    expect(JSON.parse(text)).toMatchObject(unlisted);
    const listed = await scene.list('Shield/GetAllShieldPolicies');
    expect(listed.find(({ Name }) => Name === 'Kept')).toMatchObject({ ...unlisted, isActive: false });
  });

  it('come back with a folder', async () => {
    const template = await scene.ask('library/NewLibraryFolder');
    const sent = { ...template, fname: 'Kept', fmodtype: 'AnyDB', Application: 'North', ...unlisted };
    const saved = await scene.ask('library/SaveLibraryFolder', { libraryfolder: sent, isShared: true });
    expect(saved).toMatchObject({ fmodtype: 'AnyDB', Application: 'North', ...unlisted });
    expect(await scene.ask('library/GetFolderById', { folderid: String(saved.id) })).toEqual(saved);
  });

  it('never stand for the server’s own, and are not without end', async () => {
    const template = await scene.ask('Group/NewSecurityGroup');
    const odd = { ...template, GroupName: 'Odd', ErrorCode: 7, Revision: 99, Membership: [{ ID: '1' }] };
    expect(await scene.ask('Group/SaveSecurityGroup', { group: odd })).toMatchObject({
      ...{ ErrorCode: 0, Revision: 1, Membership: [] },
    });
    const long = { ...template, GroupName: 'Long', x_text: 'x'.repeat(20_000) };
    const { json } = await scene.asSuperAdmin('Group/SaveSecurityGroup', { group: long });
    expect(json).toMatchObject({ ErrorCode: 9001, ErrorMessage: expect.stringContaining('x_text') as unknown });
  });
});

describe('an id', () => {
  it.each(['0{id}', ' {id}', '{id} ', '{id}.0', '{id}e0', '+{id}'])(
    'is its text to the letter: %s names nobody',
    async (form) => {
      const { own } = scene.tenants;
      const odd = (id: string) => form.replace('{id}', id);
      const group = await scene.ask('Group/GetSecurityGroupById', { GroupId: own.groupId });
      const policy = await scene.newPolicy('own');
      const datatag = await scene.newTag('own');
      const before = scene.storedState();
      const unknown = { ErrorCode: 9001, ErrorMessage: expect.stringContaining('There is no') as unknown };
      expect(await scene.ask('Contact/GetContactById', { ContactId: odd(own.memberId) })).toMatchObject(unknown);
      const deleted = { ...group, GroupId: odd(own.groupId) };
      expect(await scene.ask('Group/DeleteSecurityGroup', { group: deleted })).toMatchObject(unknown);
      const tag = { ...datatag, ID: odd(String(datatag.ID)) };
      expect(await scene.ask('DataTag/SaveDataTag', { datatag: tag })).toMatchObject(unknown);
      const regserver = { ...own.regserver, ID: odd(own.serverId) };
      expect(await scene.ask('RegServers/SaveRegSrv', { regserver })).toMatchObject(unknown);
      expect(await scene.ask('library/GetFolderById', { folderid: odd(own.folderId) })).toMatchObject({
        error_code: 9001,
      });
      expect(await scene.ask('Report/GetReport', { ReportId: odd(own.reportId) })).toMatchObject({ ErrorCode: 586 });
      const texts = async (endpoint: 'Group/AddUser' | 'Shield/AddGroup', body: object) =>
        (await scene.asSuperAdmin(endpoint, body)).text;
      const membership = { GroupId: own.groupId, ContactId: odd(own.memberId), RoleId: '2' };
      expect(await texts('Group/AddUser', membership)).toMatch(/^There is no user/);
      expect(await texts('Shield/AddGroup', { policyid: odd(String(policy.id)), groupid: own.groupId })).toBe(
        'Policy not found',
      );
      expect(await texts('Shield/AddGroup', { policyid: policy.id, groupid: odd(own.groupId) })).toBe('Success');
      expect(scene.storedState()).toBe(before);
    },
  );
});

describe('numbers', () => {
  const refused = async (call: Promise<Json>, field: string) =>
    expect(await call).toMatchObject({ ErrorCode: 9000, ErrorMessage: expect.stringContaining(field) as unknown });

  it('are whole where the API description says so', async () => {
    const user = { ...(await scene.ask('Contact/NewContact')), LoginName: 'fractions', UserState: 1.5 };
    await refused(scene.ask('Contact/SaveContact', { withpin: false, user }), 'UserState');
    const Language = { ...((user as Json).Language as Json), id: 1.5 };
    await refused(
      scene.ask('Contact/SaveContact', { withpin: false, user: { ...user, UserState: 0, Language } }),
      'id is 1.5',
    );
    const datatag = { ...(await scene.ask('DataTag/NewDataTag')), Label: 'fractions', Index: 1.5 };
    await refused(scene.ask('DataTag/SaveDataTag', { datatag }), 'Index');
    const stored = await scene.ask('Report/GetReport', { ReportId: scene.tenants.own.reportId, isbuilder: false });
    await refused(
      scene.ask('Report/SaveReport', { report: { ...stored, OutputType: 1.5 }, processlinks: true }),
      'Output',
    );
    const regserver = { ...scene.tenants.own.regserver, TimeZone: 1.5 };
    await refused(scene.ask('RegServers/SaveRegSrv', { regserver, bsaveasanydb: true }), 'TimeZone');
  });

  it('of seconds are such that a query can be made', async () => {
    for (const seconds of [-1, 86_401]) {
      const regserver = { ...scene.tenants.own.regserver, CommandTimeout: seconds };
      const saved = await scene.ask('RegServers/SaveRegSrv', { regserver, bsaveasanydb: true });
      expect(saved).toMatchObject({ ErrorCode: 9001 });
    }
  });

  it('of values to offer are whole ones from 1', async () => {
    const metadata = await scene.metadata('own');
    const [prompt] = list.parse(metadata.Prompts);
    const field = z.looseObject({ Criteria: list }).parse(prompt?.PromptField);
    const offered = async (vdefaulttop: number) => {
      const Prompt = { ...prompt, PromptField: { ...field, Criteria: [{ ...field.Criteria[0], vdefaulttop }] } };
      return (await scene.list('Report/GetFieldValues', { Reportobj: metadata, Prompt })).length;
    };
    expect([await offered(2), await offered(2.9), await offered(0.5), await offered(1e-7)]).toEqual([2, 2, 3, 3]);
  });
});

describe('reports', () => {
  it('keep a field’s criteria as they came, and nobody’s answer to a prompt', async () => {
    const { reportId } = scene.tenants.own;
    const metadata = await scene.metadata('own');
    const prompts = list.parse(metadata.Prompts).map((prompt) => ({ ...prompt, LowValue: 'an answer' }));
    const answered = await scene.ask('Report/ReplacePromptCollection', { Reportobj: metadata, Prompts: prompts });
    const report = z.looseObject({ FieldList: list }).parse(answered.Report);
    expect(JSON.stringify(report)).toContain('an answer');
    const FieldList = report.FieldList.map((field) =>
      field.DisplayFieldName === 'Tenant' ? { ...field, Criteria: null } : field,
    );
    await scene.ask('Report/SaveReport', { report: { ...report, FieldList }, processlinks: true });
    const stored = await scene.ask('Report/GetReport', { ReportId: reportId, isbuilder: false });
    expect(JSON.stringify(stored)).not.toContain('an answer');
    const fields = list.parse(stored.FieldList);
    expect(fields.map(({ Criteria }) => Criteria)).toContain(null);
    expect(JSON.stringify(fields)).toContain('"bprompt":true');
  });

  it('find no report type in an application that does not exist', async () => {
    const [field] = list.parse(
      (await scene.ask('Report/GetReport', { ReportId: scene.tenants.own.reportId, isbuilder: false })).FieldList,
    );
    const Report = { ReportType: 'Sales', ModuleName: 'nonsense', FieldList: [field], AdHocFields: [] };
    const { text } = await scene.asSuperAdmin('Report/GetSQL', { Reportobj: { Report } });
    expect(text).toContain('"ErrorCode":9001');
  });
});

describe('what does not exist', () => {
  it('is told to a super-admin, by its id', async () => {
    const { own } = scene.tenants;
    const told = async (path: Parameters<Scene['asSuperAdmin']>[0], body: object) =>
      (await scene.asSuperAdmin(path, body)).text;
    const regserver = { ...own.regserver, ID: '999' };
    expect(await told('RegServers/SaveRegSrv', { regserver, bsaveasanydb: true })).toContain('id 999');
    expect(await told('RegServers/TestConnection', { regserver })).toContain('id 999');
    expect(await told('AppBuilder/GetAnyDbModule', { moduleid: own.moduleId, regserverid: '999' })).toContain('id 999');
    expect(await told('AppBuilder/GetTableDef', { tablename: 'sales', tableowner: '', regserverid: '999' })).toContain(
      'id 999',
    );
    expect(await told('RegServers/GetReportTree', { RegServerID: '999', ReportType: 'Sales' })).toContain('id 999');
    expect(await told('RegServers/GetReportTree', { RegServerID: own.serverId, ReportType: 'Nothing' })).toContain(
      'Nothing',
    );
  });

  it('is no application of a policy’s constraint', async () => {
    const template = await scene.ask('Shield/NewPolicy');
    for (const ModuleID of ['999', `0${scene.tenants.own.moduleId}`]) {
      const Constraints = [{ ModuleID, TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: 'x' }];
      const policy = { ...template, Name: 'Nowhere', Constraints, Groups: [], Users: [] };
      const sent = { policy, groups: [], users: [], isDeepSave: true };
      const { text } = await scene.asSuperAdmin('Shield/SaveShieldPolicy', sent);
      expect(text).toContain('9001');
    }
    expect((await scene.list('Shield/GetAllShieldPolicies')).map(({ Name }) => Name)).not.toContain('Nowhere');
  });
});

describe('the passport', () => {
  it('lists the mail configuration for administrators, without its password', async () => {
    const before = await scene.ask('Session/ResetPassport', { withReturn: false });
    expect(before.SMTPServerList).toEqual([]);
    const smtp = { SMTPHost: 'mail.example', SMTPPort: '25', SMTPRequiredSecurity: 'True', SMTPUserName: 'u' };
    await scene.ask('SMTP/SaveSMTP', { smtp: { ...smtp, SMTPPassword: 'canary password' } });
    const after = await scene.ask('Session/ResetPassport', { withReturn: false });
    expect(after.SMTPServerList).toMatchObject([{ SMTPHost: 'mail.example', SMTPPassword: '' }]);
    expect(JSON.stringify(after)).not.toContain('canary password');
    const { text } = await scene.person('viewer').call('Session/ResetPassport', { withReturn: false });
    expect(JSON.parse(text)).toMatchObject({ ErrorCode: 0, SMTPServerList: [] });
  });
});

describe('a new registered server', () => {
  it('names its application by the ID alone', async () => {
    const { regserver, moduleId } = scene.tenants.own;
    const sent = { ...regserver, ID: null, service: { ID: moduleId } };
    expect((await scene.asSuperAdmin('RegServers/TestConnection', { regserver: sent })).text).toBe('Passed');
  });
});

describe('a super-admin, to whom nothing is forbidden,', () => {
  it('is told what is not there', async () => {
    const { own, other } = scene.tenants;
    const told = (what: string) => ({ ErrorCode: 9001, ErrorMessage: expect.stringContaining(what) as unknown });
    const module = { moduleid: other.moduleId, regserverid: own.serverId };
    expect(await scene.ask('AppBuilder/GetAnyDbModule', module)).toMatchObject(told('no application'));
    const report = await scene.ask('Report/GetReport', { ReportId: own.reportId, isbuilder: false });
    for (const folderid of [0, 999]) {
      const sent = { ...report, ReportID: '', folderid };
      expect(await scene.ask('Report/SaveReport', { report: sent })).toMatchObject(
        told(`no folder with the id ${folderid}`),
      );
    }
    for (const Moduleid of [999, undefined]) {
      const anydbmodule = { ReportTypes: [{ ...reportTypeOf(own), Moduleid }] };
      expect((await scene.asSuperAdmin('AppBuilder/SaveAnyDbModule', { anydbmodule })).text).toBe('0');
    }
  });
});
