import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboard as dashboardSchema, type Dashboard } from '../../../src/contract/resources/dashboard.ts';
import { libraryItem, libraryTreeEntry, type LibraryItem } from '../../../src/contract/resources/library.ts';
import { startServer, type SignedIn, type TestServer } from '../../support/server.ts';
import { readServerState } from '../../support/serverState.ts';

/* Our own calls, which make, read, change and delete one dashboard. */

let server: TestServer;
let admin: SignedIn;
const people = new Map<string, SignedIn>();

/** A sample user, signed in once: a second sign-in would end the first session. */
async function person(name: string): Promise<SignedIn> {
  const known = people.get(name) ?? (await server.login(name, server.adminPassword));
  people.set(name, known);
  return known;
}

beforeAll(async () => {
  server = await startServer({ sample: true });
  admin = await person('admin');
});
afterAll(() => server.stop());

async function search(who: SignedIn): Promise<LibraryItem[]> {
  return libraryItem.array().parse((await who.call('library/SearchReports', { searchstring: '' })).json);
}

async function reportId(name: string): Promise<string> {
  return String((await search(admin)).find(({ ReportName, itemtype }) => ReportName === name && itemtype !== 0)?.id);
}

async function folderId(name: string, who = admin): Promise<number> {
  const tree = libraryTreeEntry.array().parse((await who.call('library/GetAllLibraryTree', {})).json);
  const folders = tree.flatMap(({ rootnode }) => rootnode?.children ?? []);
  return Number(folders.find(({ text }) => text === name)?.id);
}

const send = (who: SignedIn, dashboard: object, more: object = {}) =>
  who.call('Dashboard/SaveDashboard', { dashboard: { name: 'Board', descr: '', reports: [], ...dashboard }, ...more });

async function save(who: SignedIn, dashboard: object, more: object = {}): Promise<Dashboard> {
  const saved = dashboardSchema.parse((await send(who, dashboard, more)).json);
  expect(saved).toMatchObject({ ErrorCode: 0 });
  return saved;
}

async function read(who: SignedIn, { id }: Dashboard): Promise<Dashboard> {
  return dashboardSchema.parse((await who.call('Dashboard/GetDashboard', { DashboardId: String(id) })).json);
}

const remove = async (who: SignedIn, DashboardId: unknown) => {
  const { status, text } = await who.call('Dashboard/DelDashboard', { DashboardId: String(DashboardId) });
  return [status, text];
};

const shows = async (...names: string[]) =>
  Promise.all(names.map(async (name) => ({ ReportID: await reportId(name) })));
const audit = () =>
  readServerState(server.dataFolder, (database) =>
    database.prepare("SELECT detail FROM audit_entry WHERE detail LIKE '%dashboard%' ORDER BY id").all(),
  ).map(({ detail }) => detail);

describe('a dashboard', () => {
  it('starts from a template, keeps the order of its reports, and is listed like those of the sample', async () => {
    const template = dashboardSchema.parse((await admin.call('Dashboard/NewDashboard')).json);
    expect(template).toMatchObject({ ErrorCode: 0, id: 0, reports: [] });
    const reports = await shows('Routes', 'All Flights', 'Costly Species');
    const folderid = await folderId('Dashboards');
    const made = await save(admin, { ...template, name: 'Mixed', descr: 'Two subjects', folderid, reports });
    expect(await read(admin, made)).toMatchObject({ name: 'Mixed', descr: 'Two subjects', folderid, reports });
    expect(made).toMatchObject({ CreatedBy: { LoginName: 'admin' }, LastModifiedBy: { LoginName: 'admin' } });
    const listed = (await search(admin)).find(({ id }) => id === made.id);
    const numbers = reports.map(({ ReportID }) => Number(ReportID));
    expect(listed).toMatchObject({ ReportName: 'Mixed', itemtype: 0, folderid });
    expect(JSON.parse(listed?.item_flags ?? '')).toEqual({ reports: numbers });

    const turned = await save(admin, { ...made, name: 'Turned', reports: reports.toReversed() });
    expect(turned.id).toBe(made.id);
    expect((await read(admin, made)).reports).toEqual(reports.toReversed());
    expect(await remove(admin, made.id)).toEqual([200, '0']);
    expect(await remove(admin, made.id)).toEqual([200, '9000']);
    expect((await search(admin)).some(({ id }) => id === made.id)).toBe(false);
    expect(audit()).toEqual([
      'created dashboard Public Library/Dashboards/Mixed',
      'saved dashboard Public Library/Dashboards/Turned',
      'deleted dashboard Public Library/Dashboards/Turned',
    ]);
  });

  it('loses the reports that are deleted, and no other', async () => {
    const [gone, kept] = ['Map of Delays', 'Routes'];
    const reports = await shows(gone ?? '', kept ?? '');
    const made = await save(admin, { folderid: await folderId('Dashboards'), reports });
    await admin.call('library/DelReport', { ReportId: reports[0]?.ReportID });
    expect((await read(admin, made)).reports).toEqual([reports[1]]);
    await remove(admin, made.id);
  });

  it('is no report to DelReport and GetReport, and a report is no dashboard', async () => {
    const made = await save(admin, { folderid: await folderId('Dashboards') });
    expect((await admin.call('library/DelReport', { ReportId: String(made.id) })).text).toBe('9000');
    const ReportID = await reportId('Routes');
    const asked = await admin.call('Dashboard/GetDashboard', { DashboardId: ReportID });
    expect(asked.json).toMatchObject({ ErrorCode: 9001, ErrorMessage: 'Dashboard does not exist.' });
    expect(await remove(admin, ReportID)).toEqual([200, '9000']);
    expect((await send(admin, { id: ReportID, folderid: 1 })).json).toMatchObject({ ErrorCode: 9001 });
    expect(await reportId('Routes')).toBe(ReportID);
    await remove(admin, made.id);
  });
});

describe('the rights on the folder', () => {
  it.each([
    ['south.viewer', 'hidden', 'hidden', [200, '9000']],
    ['north.none', 'hidden', 'hidden', [200, '9000']],
    ['north.viewer', 'shown', 'denied', [204, '']],
    ['north.modifier', 'shown', 'saved', [204, '']],
    ['north.deleter', 'shown', 'saved', [200, '0']],
  ] as const)('of %s decide: it is %s, a save is %s', async (name, seen, saving, deleting) => {
    const who = await person(name);
    const made = await save(admin, { folderid: await folderId('North') });
    const asked = await who.call('Dashboard/GetDashboard', { DashboardId: String(made.id) });
    expect(asked.json).toMatchObject(
      seen === 'shown' ? { name: 'Board' } : { ErrorMessage: 'Dashboard does not exist.' },
    );
    const reply = await send(who, { ...made, name: 'Changed' });
    expect(reply.status).toBe(saving === 'denied' ? 204 : 200);
    expect((await read(admin, made)).name).toBe(saving === 'saved' ? 'Changed' : 'Board');
    const created = await send(who, { folderid: await folderId('North'), name: `By ${name}` });
    expect(created.status).toBe(saving === 'saved' ? 200 : 204);
    expect((await search(admin)).some(({ ReportName }) => ReportName === `By ${name}`)).toBe(saving === 'saved');
    expect(await remove(who, made.id)).toEqual(deleting);
  });

  it('of a personal folder are its owner’s', async () => {
    const modifier = await person('north.modifier');
    const drafts = await folderId('Drafts', modifier);
    const made = await save(modifier, { folderid: drafts });
    const other = await person('north.deleter');
    expect(await read(other, made)).toMatchObject({ ErrorMessage: 'Dashboard does not exist.' });
    expect((await send(other, { folderid: drafts })).status).toBe(204);
    expect(await remove(modifier, made.id)).toEqual([200, '0']);
  });

  it('do not let it be moved to other people without the right to delete it', async () => {
    const modifier = await person('north.modifier');
    const drafts = await folderId('Drafts', modifier);
    const made = await save(admin, { folderid: await folderId('North') });
    const moved = await send(modifier, { ...made, folderid: drafts });
    expect(moved.json).toMatchObject({ ErrorCode: 9001 });
    expect(moved.text).toContain('folderid: other people see');
    expect((await read(admin, made)).folderid).toBe(await folderId('North'));
  });
});

describe('reports that a caller does not see', () => {
  it('are neither shown nor taken, and stay in their places when the caller saves', async () => {
    const deleter = await person('north.deleter');
    const [routes, south, north, all] = await shows('Routes', 'Airports of South', 'Airports of North', 'All Flights');
    const folderid = await folderId('North');
    const made = await save(admin, { folderid, reports: [routes, south, north] });
    const seen = await read(deleter, made);
    expect(seen.reports).toEqual([routes, north]);
    const item = (await search(deleter)).find(({ id }) => id === made.id);
    expect(item?.item_flags).not.toContain(south?.ReportID);

    const refused = await send(deleter, { ...seen, reports: [routes, south] });
    expect(refused.json).toMatchObject({ ErrorCode: 9001 });
    expect(refused.text).toContain(`reports[1]: there is no report with the ID ${south?.ReportID}.`);
    const unknown = await send(deleter, { ...seen, reports: [{ ReportID: '99999' }] });
    expect(unknown.text.replace('99999', '?').replace('[0]', '[1]')).toBe(
      refused.text.replace(south?.ReportID ?? '', '?'),
    );

    await save(deleter, { ...seen, reports: [north, all] });
    expect((await read(deleter, made)).reports).toEqual([north, all]);
    expect((await read(admin, made)).reports).toEqual([north, south, all]);
    await save(deleter, { ...seen, reports: [] });
    expect((await read(admin, made)).reports).toEqual([south]);
    await remove(admin, made.id);
  });
});

describe('a save is refused', () => {
  const refusals: Record<string, [object, RegExp]> = {
    'without a name': [{ name: ' \t' }, /name of the dashboard, is empty/],
    'without reports': [{ reports: undefined }, /lacks the collection reports/],
    'with a report that has no ID': [{ reports: [{}] }, /reports\[0\]: there is no report with the ID \(none\)/],
    'with reports in another form': [{ reports: [7] }, /Malformed request: dashboard\.reports\.0/],
    'in no folder': [{ folderid: 0 }, /There is no folder with the id 0/],
    'in an unknown folder': [{ folderid: 99999 }, /There is no folder with the id 99999/],
    'with an unknown id': [{ id: '99999' }, /Dashboard does not exist/],
  };
  it.each(Object.entries(refusals))('%s', async (_name, [fields, words]) => {
    const before = await search(admin);
    const reply = await send(admin, { folderid: await folderId('Dashboards'), ...fields });
    expect(reply.text).toMatch(words);
    expect(await search(admin)).toEqual(before);
  });

  it('with a report twice, or more reports than a dashboard shows', async () => {
    const [routes] = await shows('Routes');
    const folderid = await folderId('Dashboards');
    expect((await send(admin, { folderid, reports: [routes, routes] })).text).toContain(
      `reports[1]: the dashboard already shows the report ${routes?.ReportID}.`,
    );
    const template = (await admin.call('Report/GetReport', { ReportId: routes?.ReportID })).json as object;
    const reports: unknown[] = [];
    for (let number = 0; number <= 100; number++) {
      const copy = { ...template, ReportID: '', Reportname: `Copy ${number}`, Revision: undefined };
      const saved = await admin.call('Report/SaveReport', { report: copy, processlinks: false });
      reports.push({ ReportID: (saved.json as { ReportID: string }).ReportID });
    }
    expect((await send(admin, { folderid, reports })).text).toContain('at most 100 reports');
    const full = await save(admin, { folderid, reports: reports.slice(1) });
    expect((await read(admin, full)).reports).toEqual(reports.slice(1));
  });

  it('when another user has saved it since it was read', async () => {
    const made = await save(admin, { folderid: await folderId('North') });
    const deleter = await person('north.deleter');
    const seen = await read(deleter, made);
    await save(admin, { ...made, descr: 'First' }, { expectedRevision: made.Revision });
    const late = await send(deleter, { ...seen, descr: 'Second' }, { expectedRevision: seen.Revision });
    expect(late.json).toMatchObject({ ErrorCode: 9001 });
    expect(late.text).toContain('was changed in the meantime');
    expect((await read(admin, made)).descr).toBe('First');
  });
});

it('stores hostile names as they are, and its page writes them as text', async () => {
  const folderid = await folderId('Dashboards');
  for (const name of [
    '<script>alert(1)</script>',
    "'); DROP TABLE item; --",
    '[x](command:workbench.action.quit)',
    '\u202Egnp.exe',
    'a\nb\u0001c',
    'n'.repeat(10_000),
  ]) {
    const made = await save(admin, { name, descr: name, folderid });
    expect(await read(admin, made)).toMatchObject({ name, descr: name });
    const page = await fetch(new URL(`/embed.html?t=d&i=${made.id}&s=${admin.token}`, server.apiBase));
    const html = await page.text();
    expect(html).not.toContain('<script>alert');
    expect(await remove(admin, made.id)).toEqual([200, '0']);
  }
});
