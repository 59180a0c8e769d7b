import { linkSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import {
  newestReleases,
  type Registered,
  registerServer,
  registerTable,
} from '../../support/databases/livePlatforms.ts';
import { figure } from '../../support/run/figure.ts';
import { isFull } from '../../support/run/soakSize.ts';
import {
  columns,
  isLeak,
  type Json,
  password,
  salesReport,
  type SentReport,
  startTenantScene,
  type TenantScene,
} from '../../support/security/tenantScene.ts';
import type { ServerReply, SignedIn } from '../../support/server.ts';

/*
 * Attempts of people who know the README, the API description and a login. What shows rows is tried by an administrator, too,
 * without a policy: an attempt that shows nothing even then proves nothing.
 */

let scene: TenantScene;
let attempts = 0;
beforeAll(async () => {
  scene = await startTenantScene();
}, 180_000);
afterAll(async () => {
  figure('E2', `${attempts} attempts from the README and a login, 0 leaks`);
  await scene.stop();
}, 60_000);

const run = (who: SignedIn, Report: object, more: object = {}): Promise<ServerReply> =>
  who.call('Report/GetReportData', { Reportobj: { Report }, ...more });

const criterion = (Op: string, Value1 = '', more: Json = {}): Json => ({ Index: 1, Op, Value1, ...more });
/** Report with one field changed. */
const changed = (report: SentReport, column: string, change: Json): SentReport => ({
  ...report,
  FieldList: report.FieldList.map((field) => (field.DbFieldName === column ? { ...field, ...change } : field)),
});
/** Report with some fields only. */
const only = (report: SentReport, ...names: string[]): SentReport => ({
  ...report,
  FieldList: report.FieldList.filter((field) => names.includes(field.DbFieldName)),
});
const total = { type: 'total', func: 'SUM', field1: 'amount', addgtotal: true, percent: true };

const reports: Readonly<Record<string, (app: Registered) => SentReport>> = {
  'all rows': (app) => salesReport(app),
  'a condition that always holds': (app) =>
    salesReport(app, { note: "CASE WHEN [tenant] <> 'x' OR 1 = 1 THEN [note] ELSE 'x' END" }),
  'the rows of the other tenant': (app) =>
    changed(salesReport(app), 'tenant', { Criteria: [criterion('=', 'South hidden')] }),
  'a list that ends the text': (app) =>
    changed(salesReport(app), 'tenant', { Criteria: [criterion('not in', "North') OR ('1'='1")] }),
  'every field joined by OR': (app) => ({
    ...salesReport(app),
    FieldList: salesReport(app).FieldList.map((field) => ({
      ...field,
      Criteria: [
        criterion('is null', '', { Logical: 'OR' }),
        criterion('is not null', '', { Logical: 'OR', Index: 2 }),
      ],
    })),
  }),
  'rows without a tenant': (app) =>
    changed(salesReport(app), 'tenant', { Criteria: [criterion('is null', '', { Nested: true })] }),
  'a sum': (app) => only(salesReport(app, { note: 'SUM([amount])' }), 'note'),
  'a largest text': (app) => only(salesReport(app, { note: 'MAX([note])' }), 'note'),
  'a sum by tenant, by HAVING': (app) =>
    changed(only(salesReport(app), 'tenant', 'amount'), 'amount', {
      strGroup: 'SUM',
      Criteria: [criterion('>', '0', { Logical: 'OR' })],
    }),
  'totals of the whole': (app) => ({ ...salesReport(app), AdHocFields: [total] }),
  'a calculation': (app) => ({
    ...salesReport(app),
    AdHocFields: [{ type: 'calc', func: '+', field1: 'amount', field2: 'amount' }],
  }),
  'the last row first': (app) => ({
    ...changed(salesReport(app), 'amount', { Criteria: [{ Index: 1, sortorder: 'desc' }] }),
    TopN: 1,
  }),
  'distinct tenants': (app) => ({ ...only(salesReport(app), 'tenant'), Distinct: 1, TopN: 100_000 }),
  'a link field': (app) => changed(salesReport(app), 'tenant', { Fieldtype: 'lnk' }),
  'a pivot grid': (app) => ({ ...only(salesReport(app), 'tenant', 'amount'), OutputType: 8, AdHocFields: [total] }),
  'another case': (app) => ({ ...salesReport(app), ReportType: 'SALES' }),
  'a view over the table': (app) => salesReport(app, {}, 'over_sales'),
};

/** Each query on Trino takes much of the processor: it is tried by `npm run soak`. */
const names = [
  ...['duckdb', 'sqlite', 'postgresql', newestReleases.postgresql, 'mysql', 'clickhouse', newestReleases.clickhouse],
  ...(isFull ? ['trino'] : []),
];

describe.each(names)('rows of another tenant, %s', (name) => {
  /** Whether it has the table by a name in other case. */
  const foldsCase = ['duckdb', 'sqlite', 'trino'].includes(name);
  const find = ({ skip }: TestContext) =>
    scene.apps.find((each) => each.name === name) ?? skip(`${name} is missing here`);

  it.for(Object.entries(reports))('%s', async ([, reportFor], context) => {
    const { app } = find(context);
    attempts += 1;
    const report = reportFor(app);
    expect(isLeak((await run(scene.admin, report)).text), 'the attempt shows rows without a policy').toBe(true);
    expect((await run(scene.member, report)).text).not.toSatisfy(isLeak);
    const cached = await run(scene.member, report, { cacheok: true });
    expect(cached.text).not.toSatisfy(isLeak);
  });

  it.for(['tenant', 'note', 'amount'])('the value list of %s', async (column, context) => {
    const { app } = find(context);
    attempts += 1;
    const Report = salesReport(app);
    const PromptField = Report.FieldList.find((field) => field.DbFieldName === column);
    const body = { Reportobj: { Report }, Prompt: { PromptField } };
    expect((await scene.admin.call('Report/GetFieldValues', body)).text).toSatisfy(isLeak);
    expect((await scene.member.call('Report/GetFieldValues', body)).text).not.toSatisfy(isLeak);
  });

  const types: [name: string, tables: (string | ((owner: string) => object))[]][] = [
    ['another owner', [(tableowner) => ({ tablename: 'sales', tableowner, tablealias: 't' })]],
    ['another case', [(owner) => ({ tablename: 'SALES', tableowner: owner.toUpperCase(), tablealias: 't' })]],
    ['another table before it', ['words:a', 'sales:t']],
    ['another table by its name', ['words:sales', 'sales:t']],
    ['its name for another alias', ['sales:words', 'words:sales', 'sales:t']],
    ['itself twice', ['sales:t', 'sales:u']],
    ['an alias that ends the query', ['sales:t) --', 'sales:t']],
  ];
  it.for(types)('a report type of an Architect: %s', async ([attempt, tables], context) => {
    const { app, owner } = find(context);
    attempts += 1;
    const SQLTables = tables.map((table) => {
      if (typeof table !== 'string') return table(owner);
      const [tablename, tablealias] = table.split(':');
      return { tablename, tableowner: '', tablealias };
    });
    const FieldTree = Object.entries(columns).map(([column, datatype], index) => ({
      ...{ id: index + 1, idx_order: index + 1, fname: column, flevel: '0', nodetype: 'F' },
      ...{ tablealias: 't', sqlfieldname: column, datatype },
    }));
    const type = { Moduleid: Number(app.moduleId), RepTypeID: 0, RepTypeName: attempt, SQLTables, FieldTree };
    const saved = await scene.member.call('AppBuilder/SaveAnyDbModule', { anydbmodule: { ReportTypes: [type] } });
    expect(saved.json).toBe(1);
    const report = salesReport(app, {}, attempt);
    expect(isLeak((await run(scene.admin, report)).text)).toBe(foldsCase || attempt !== 'another case');
    expect((await run(scene.member, report)).text).not.toSatisfy(isLeak);
  });
});

describe('the same file under another name', () => {
  const names = ['hard link', 'link', 'link to its folder', 'another spelling of the path'];
  it.each(names)('%s, with a policy for one application', async (name) => {
    attempts += 1;
    const file = path.join(scene.folder, 'live.sqlite');
    const aside = path.join(scene.folder, name);
    if (name === 'hard link') linkSync(file, aside);
    else if (name === 'link') symlinkSync(file, aside);
    else if (name === 'link to its folder') symlinkSync(scene.folder, aside);
    const DatabaseName = {
      'link to its folder': `${aside}/live.sqlite`,
      [names[3] ?? '']: `/${scene.folder}/./live.sqlite`,
    };
    const app = await registerServer(scene.admin, name, 'sqlite', { DatabaseName: DatabaseName[name] ?? aside });
    await registerTable(scene.admin, app, { name: 'sales', columns });
    const LoginName = `user of a ${name}`;
    const UserApplications = [{ ApplicationID: app.moduleId, ApplicationRoleID: '7' }];
    const user = await scene.newUser(LoginName, { UserApplications });
    const who = await scene.server.login(LoginName, password);
    expect((await run(who, salesReport(app))).text, 'without a policy').toSatisfy(isLeak);
    const named = scene.apps.find(({ name: each }) => each === 'sqlite')?.app.moduleId;
    const Constraints = [{ ModuleID: named, TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: 'North' }];
    const policy = { ...(await scene.ask('Shield/NewPolicy')), isActive: true, Constraints, Groups: [], Users: [] };
    await scene.ask('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [user.ID] });
    expect((await run(who, salesReport(app))).text).not.toSatisfy(isLeak);
  });
});

describe('what belongs to another tenant', () => {
  let folder: Json;
  let report: Json;
  beforeAll(async () => {
    folder = await scene.newFolder('Hidden folder', scene.groups.south);
    const [first] = scene.apps;
    if (!first) throw new Error('The scene has no application');
    report = await scene.newReport({ ...salesReport(first.app), Reportname: 'Hidden report' }, folder);
  });

  const views: [EndpointPath, () => Json][] = [
    ['library/GetAllLibraryTree', () => ({ includefav: true, includePersonal: true })],
    ['library/SearchReports', () => ({ searchstring: '' })],
    ['library/GetListByFolderID', () => ({ LibraryID: String(folder.id) })],
    ['library/GetFolderById', () => ({ folderid: String(folder.id) })],
    ['Report/GetReport', () => ({ ReportId: report.ReportID, isbuilder: true })],
    ['Report/GetReportMetadataById', () => ({ ReportID: report.ReportID, PreviousMetadata: null, Criteria: null })],
    ['Contact/GetContactList', () => ({})],
    ['Contact/GetContactById', () => ({ ContactId: scene.southerner.ID })],
    ['Group/GetAllSecurityGroups', () => ({})],
    ['Group/GetSecurityGroupById', () => ({ GroupId: scene.groups.south })],
    ['DataTag/GetAllDataTags', () => ({})],
  ];
  it.each(views)('is not shown by %s', async (endpoint, body) => {
    attempts += 1;
    expect((await scene.admin.call(endpoint, body())).text).toSatisfy(isLeak);
    expect((await scene.member.call(endpoint, body())).text).not.toSatisfy(isLeak);
  });

  // Later ones need what earlier ones leave.
  const changes: [EndpointPath, () => Json][] = [
    ['library/SaveLibraryFolder', () => ({ libraryfolder: { ...folder, fname: 'Hidden, taken' }, isShared: true })],
    ['Report/SaveReport', () => ({ report: { ...report, Reportname: 'Hidden, taken' }, processlinks: true })],
    ['Report/UpdateReport', () => ({ report: { ...report, Reportname: 'Hidden, taken again' } })],
    ['Group/AddUser', () => ({ GroupId: scene.groups.south, ContactId: scene.memberId, RoleId: '2' })],
    ['Group/RemoveUser', () => ({ GroupId: scene.groups.north, ContactId: scene.memberId })],
    ['Contact/SaveContact', () => ({ user: { ...scene.southerner, FirstName: 'Taken' }, withpin: false })],
    ['library/DelReport', () => ({ ReportId: report.ReportID })],
    ['library/DelFolder', () => ({ folderid: String(folder.id) })],
    ['Contact/DeleteContact', () => ({ user: scene.southerner })],
  ];
  it.each(changes)('is not changed by %s, which an administrator may call', async (endpoint, body) => {
    attempts += 1;
    const state = () => Promise.all(views.map(async ([path, of]) => (await scene.admin.call(path, of())).text));
    const before = await state();
    await scene.member.call(endpoint, body());
    expect(await state()).toEqual(before);
    await scene.admin.call(endpoint, body());
    expect(await state()).not.toEqual(before);
  });
});

describe('an account whose password has to be changed', () => {
  const page = async (who: SignedIn, query: string) =>
    (await scene.server.send(`/sso.html?${query}s=${who.token}`, { method: 'GET' })).text;

  it.each([
    ['h=1&', 'Open to all'],
    ['h=2&', 'over_sales'],
  ])('sees nothing on /sso.html?%s', async (query, word) => {
    attempts += 1;
    await scene.newFolder('Open to all', '1');
    expect(await page(scene.member, query)).toContain(word);
    const LoginName = `due for ${query}`;
    await scene.newUser(LoginName, { bforcepasschange: true });
    expect(await page(await scene.server.login(LoginName, password), query)).not.toContain(word);
  });
});
