import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTagValues, saveTagValues } from '../../src/features/tagValues/tagValues.ts';
import { addLinkEdits, addTotalEdits } from '../../src/features/builder/edits/addEntries.ts';
import { reportEdits } from '../../src/features/builder/edits/reportEdits.ts';
import { readReport } from '../../src/features/builder/readReport.ts';
import { applyEdits } from 'jsonc-parser';
import type { BuilderEdit } from '../../src/features/builder/pageContract.ts';
import type { EndpointPath } from '../../src/contract/endpoints.ts';
import { findProduct } from '../../src/contract/resources/application.ts';
import type { AnalyticsClient } from '../../src/client/client.ts';
import { runReport } from '../../src/client/runReport.ts';
import { reportKind } from '../../src/objects/kinds/libraryKinds.ts';
import type { ObjectEntry } from '../../src/objects/kinds/objectEntry.ts';
import type { ObjectKind } from '../../src/objects/kinds/objectKind.ts';
import { reportTypeKind } from '../../src/objects/kinds/reportTypeKind.ts';
import { dataTagKind } from '../../src/objects/kinds/securityKinds.ts';
import { isJsonObject, parseExact, type Json, type JsonObject } from '../../src/objects/json.ts';
import { objectServer } from '../../src/objects/objectServer.ts';
import { changeObject } from '../../src/objects/save/changeObject.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { testClient, unwatched } from '../support/testClient.ts';

/*
 * One server writes totals, links, joins and values of users as we do; the other one (`--dialect other`) in a form of its own, and refuses
 * ours. The oracle is the text that each of them sends, read without the client.
 */

interface Side {
  server: TestServer;
  client: AnalyticsClient;
}

let ours: Side;
let other: Side;

async function open(serverArgs: readonly string[]): Promise<Side> {
  const server = await startServer({ sample: true, serverArgs });
  const client = testClient(server.apiBase, { userName: 'admin', password: server.adminPassword });
  return { server, client };
}

beforeAll(async () => {
  ours = await open([]);
  other = await open(['--dialect', 'other']);
}, 120_000);

afterAll(async () => {
  for (const side of [ours, other]) {
    await side.client.close();
    await side.server.stop();
  }
});

async function raw({ server, client }: Side, path: EndpointPath, body: object): Promise<JsonObject> {
  await client.session.token();
  const { text } = await server.call(path, { ...body, sessionToken: client.session.shared?.token });
  const value = parseExact(text);
  return Array.isArray(value) ? { list: value } : (value as JsonObject);
}

/** Rows that a drill-down link opens, as the extension runs it. */
async function drilled(side: Side, id: string, target: string): Promise<number> {
  const [Reportobj, TargetReportobj] = await Promise.all(
    [id, target].map((ReportID) => side.client.call('Report/GetReportMetadataById', { ReportID })),
  );
  const body = { Reportobj, TargetReportobj, IsDrillDown: true, DrillDownCriteria: { origin_state: 'TX' } };
  const running = await runReport(side.client, body as Parameters<typeof runReport>[1]);
  expect((await running.done).kind).toBe('complete');
  return running.store.rowCount;
}

/** Runs a report without prompts. */
async function run(side: Side, id: string): Promise<JsonObject> {
  const metadata = await raw(side, 'Report/GetReportMetadataById', { ReportID: id });
  return raw(side, 'Report/GetReportData', { Reportobj: metadata });
}

/** Objects of a kind, as its list names them. */
async function listed(side: Side, kind: ObjectKind): Promise<readonly ObjectEntry[]> {
  return (await kind.list?.(objectServer(side.client))) ?? [];
}

async function reportId(side: Side, name: string): Promise<string> {
  const list = await listed(side, reportKind);
  return list.find((entry) => entry.name === name)?.id ?? '';
}

/** Edits a report as the builder does, and saves it. */
async function edit(side: Side, id: string, steps: readonly ((text: string) => string)[]): Promise<JsonObject> {
  await changeObject(objectServer(side.client), reportKind, id, (view) => {
    const text = steps.reduce((now, step) => step(now), JSON.stringify(view, undefined, 2));
    return parseExact(text) as JsonObject;
  });
  return reportKind.read(objectServer(side.client), id);
}

const context = { outputClass: () => undefined };
const editing = (change: BuilderEdit) => (text: string) => applyEdits(text, reportEdits(text, change, context));

const totalRow = fc.record({
  type: fc.constant('total'),
  func: fc.constantFrom('SUM', 'AVG', 'MIN', 'MAX', 'COUNT'),
  ...{ field1: fc.constant('flights'), field2: fc.constant(''), Value2: fc.constant('') },
  ...{ percent: fc.boolean(), addgtotal: fc.boolean() },
});
const calculation = fc.record({
  type: fc.constant('calc'),
  func: fc.constantFrom('+', '-', '*', '/'),
  ...{ field1: fc.constant('flights'), field2: fc.constant('') },
  Value2: fc.integer({ min: 1, max: 9 }).map(String),
  ...{ percent: fc.boolean(), addgtotal: fc.constant(false) },
});

/** Steps in the builder; one whose entry is gone does nothing. */
const builderSteps = fc.array(
  fc.oneof(
    fc.oneof(totalRow, calculation).map((row) => (text: string) => applyEdits(text, addTotalEdits(text, row))),
    fc.constantFrom('1', '2').map((ReportID) => (text: string) => {
      const added = applyEdits(text, addLinkEdits(text, { ReportID, Name: `To ${ReportID}` }));
      const link = readReport(added).links.length - 1;
      const paired = editing({ kind: 'addPair', link })(added);
      return editing({ kind: 'setPair', link, place: 0, change: { field: 'flights', target: 'flights' } })(paired);
    }),
    fc
      .constantFrom<BuilderEdit>(
        { kind: 'setTotal', total: 0, change: { hasGrandTotal: true } },
        { kind: 'setTotal', total: 0, change: { isPercent: false } },
        { kind: 'removeTotal', total: 1 },
        { kind: 'setPair', link: 0, place: 0, change: { target: 'origin_state' } },
        { kind: 'removePair', link: 1, place: 0 },
        { kind: 'removeLink', link: 1 },
      )
      .map((change) => (text: string) => {
        const { totals, links } = readReport(text);
        const hasTotal = !('total' in change) || totals[change.total] !== undefined;
        const link = 'link' in change ? links[change.link] : undefined;
        const hasLink = !('link' in change) || (link !== undefined && (!('place' in change) || link.pairs.length > 0));
        return hasTotal && hasLink ? editing(change)(text) : text;
      }),
  ),
  { minLength: 1, maxLength: 5 },
);

const withLinks = 'Delays by State';

describe('a server of another dialect', () => {
  it('shows its own form to those who read without us', async () => {
    const report = await raw(other, 'Report/GetReport', {
      ReportId: await reportId(other, withLinks),
      isbuilder: true,
    });
    expect(report.linkreports).toMatchObject([{ TargetReport: {}, Parameters: [{ Source: {}, Target: {} }] }]);
    const body = { datatag: { ID: '', Label: 'x', Contacts: [{ RightID: '1', Option1: 'v' }] } };
    expect(JSON.stringify(await raw(other, 'DataTag/SaveDataTag', body))).toContain('does not take Contacts');
  });

  it('is read as ours is, for every report', async () => {
    for (const { id } of await listed(ours, reportKind)) {
      const [one, two] = await Promise.all([ours, other].map((side) => reportKind.read(objectServer(side.client), id)));
      expect(readReport(JSON.stringify(two))).toEqual(readReport(JSON.stringify(one)));
    }
  });

  it('keeps an object that was saved without an edit of its lists', async () => {
    const names = [withLinks, 'Monthly Traffic by State'];
    for (const name of names) {
      const id = await reportId(other, name);
      const asked = { ReportId: id, isbuilder: true };
      const before = await raw(other, 'Report/GetReport', asked);
      await edit(other, id, [editing({ kind: 'setText', name: 'Description', value: 'edited' })]);
      const after = await raw(other, 'Report/GetReport', asked);
      const volatile = { Description: '', LastModifiedDate: '', LastModifiedBy: null, Revision: 0 };
      expect({ ...after, ...volatile }).toEqual({ ...before, ...volatile });
    }
  });

  it('takes totals and links of the builder, and computes the same rows', async () => {
    const row = {
      type: 'total',
      func: 'AVG',
      field1: 'flights',
      field2: '',
      Value2: '',
      percent: false,
      addgtotal: true,
    };
    const results = [];
    const lists = [];
    for (const side of [ours, other]) {
      const id = await reportId(side, withLinks);
      const target = await reportId(side, 'Airports of a State');
      const saved = await edit(side, id, [
        (text) => applyEdits(text, addTotalEdits(text, row)),
        (text) => applyEdits(text, addTotalEdits(text, { ...row, type: 'calc', func: '*', Value2: '2' })),
        editing({ kind: 'setTotal', total: 0, change: { func: 'MAX', isPercent: true } }),
        (text) => applyEdits(text, addLinkEdits(text, { ReportID: target, Name: 'Again' })),
        editing({ kind: 'addPair', link: 1 }),
        editing({ kind: 'setPair', link: 1, place: 0, change: { field: 'origin_state', target: 'origin_state' } }),
      ]);
      lists.push(saved);
      const { Data, GroupMetadata, Columns } = await run(side, id);
      const rows = await drilled(side, id, target);
      expect(rows).toBeGreaterThan(0);
      results.push({ Data, GroupMetadata, Columns, rows });
    }
    const [built, alike] = lists.map((saved) => readReport(JSON.stringify(saved)));
    expect({ ...alike, description: '' }).toEqual({ ...built, description: '' });
    expect(lists[1]?.AdHocFields).toMatchObject([{ type: 'total', func: 'MAX', percent: true }, { type: 'calc' }]);
    expect(results[1]).toEqual(results[0]);
    const wire = await raw(other, 'Report/GetReport', { ReportId: await reportId(other, withLinks), isbuilder: true });
    expect(wire.AdHocFields).toMatchObject([
      { Summary: { Kind: 'SUMMARY', ShowPercent: 'Y' } },
      { Summary: { Kind: 'FORMULA' } },
    ]);
  });

  it('reads back every edit of totals and links as ours does, with the same rows', async () => {
    for (const steps of fc.sample(builderSteps, { numRuns: 12, seed: 20 })) {
      const seen: unknown[] = [];
      for (const side of [ours, other]) {
        const id = await reportId(side, withLinks);
        const saved = await edit(side, id, steps);
        const { totals, links } = readReport(JSON.stringify(saved));
        const { Data, GroupMetadata, Columns, ErrorMessage } = await run(side, id);
        seen.push({ totals, links, Data, GroupMetadata, Columns, ErrorMessage });
      }
      expect(seen[1]).toEqual(seen[0]);
    }
  }, 60_000);

  it('takes joins of a report type', async () => {
    const [type] = await listed(other, reportTypeKind);
    const id = type?.id ?? '';
    const before = await Promise.all([ours, other].map((side) => reportTypeKind.read(objectServer(side.client), id)));
    expect(before[1]?.Joins).toEqual(before[0]?.Joins);
    const kinds: Json[] = [];
    for (const side of [ours, other]) {
      await changeObject(objectServer(side.client), reportTypeKind, id, (view) => ({
        ...view,
        Joins: (view.Joins as JsonObject[]).map((join, index) => (index === 0 ? { ...join, kind: 'inner' } : join)),
      }));
      kinds.push((await reportTypeKind.read(objectServer(side.client), id)).Joins ?? null);
    }
    expect(kinds[1]).toEqual(kinds[0]);
    expect(kinds[1]).toMatchObject([{ kind: 'inner' }]);
  });

  it('takes values of users, beside those that it has', async () => {
    const reads: unknown[] = [];
    for (const side of [ours, other]) {
      const server = objectServer(side.client);
      // Somebody gave a user a value in the server's own pages.
      const [tag] = await listed(side, dataTagKind);
      const [one, two] = (await readTagValues(side.client, server, tag?.id ?? '')).users;
      const [kept] = ((await raw(side, 'DataTag/GetAllDataTags', {})).list as Json[]).filter(isJsonObject);
      const entry =
        side === ours
          ? { RightID: one?.id, Option1: 'TX', RelationshipType: 'tag_usr', RelationType: 'tag_usr' }
          : { User: { ID: one?.id }, TagValue: 'TX', RelationType: 'tag_contact' };
      await raw(side, 'DataTag/SaveDataTag', { datatag: { ...kept, Contacts: [entry], isUser: true } });
      await saveTagValues(server, tag?.id ?? '', {
        groups: [],
        users: [{ id: two?.id ?? '', name: '', from: null, to: 'CA' }],
      });
      const values = (await readTagValues(side.client, server, tag?.id ?? '')).users;
      reads.push(values.map(({ name, value }) => [name, value]));
      expect(values.slice(0, 2).map(({ value }) => value)).toEqual(['TX', 'CA']);
    }
    expect(reads[1]).toEqual(reads[0]);
  });
});

it('learns from other objects before the first save of a session that has read none', async () => {
  const unseen: string[] = [];
  await other.client.close();
  const credentials = { userName: 'admin', password: other.server.adminPassword };
  const client = testClient(other.server.apiBase, credentials, { onUnseenForm: (name) => unseen.push(name) });
  other.client = client;
  const write = { guard: unwatched };
  const servers = await client.call('AppBuilder/GetAnyDbModulesList', {});
  const template = await client.call('Report/NewReport', {});
  const link = { ReportID: '1', Name: 'All', Links: [{ Field: 'a', TargetField: 'b' }] };
  const total = { type: 'total', func: 'SUM', field1: 'a' };
  const report = { ...template, Reportname: 'Draft', AdHocFields: [total], linkreports: [link] };
  // Refused for its missing fields, not for the form of its lists.
  await expect(client.call('Report/SaveReport', { report, processlinks: true }, write)).rejects.not.toThrow(
    /in this form/,
  );
  const datatag = { ...(await client.call('DataTag/NewDataTag', {})), Label: 'Plant' };
  const Contacts = [{ RightID: (await client.call('Contact/GetContactList', {}))[0]?.ID, Option1: 'x' }];
  const tag = await client.call('DataTag/SaveDataTag', { datatag: { ...datatag, Contacts } }, write);
  expect(tag.Contacts).toMatchObject([{ Option1: 'x', RelationType: 'tag_usr' }]);
  const joins = [{ kind: 'left', leftAlias: 'a', leftColumn: 'id', rightAlias: 'b', rightColumn: 'id' }];
  const tables = ['a', 'b'].map((name) => ({ tablename: name, tableowner: '', tablealias: name }));
  const type = {
    Moduleid: Number(findProduct(servers[0] ?? {})?.ID),
    RepTypeID: 0,
    RepTypeName: 'Two',
    SQLTables: tables,
  };
  const anydbmodule = { ReportTypes: [{ ...type, Joins: joins, FieldTree: [] }] };
  expect(await client.call('AppBuilder/SaveAnyDbModule', { anydbmodule }, write)).toBe(1);
  expect(unseen).toEqual([]);
});

it('says that a server without such objects has not been seen to take them', async () => {
  const server = await startServer({ serverArgs: ['--dialect', 'other'] });
  const unseen: string[] = [];
  const credentials = { userName: 'admin', password: server.adminPassword };
  const client = testClient(server.apiBase, credentials, { onUnseenForm: (name) => unseen.push(name) });
  try {
    const datatag = { ID: '', Label: 'Region', Contacts: [{ RightID: '1', Option1: 'x' }] };
    await expect(client.call('DataTag/SaveDataTag', { datatag }, { guard: unwatched })).rejects.toThrow(/Contacts/);
    expect(unseen).toEqual(['userValues']);
  } finally {
    await client.close();
    await server.stop();
  }
});
