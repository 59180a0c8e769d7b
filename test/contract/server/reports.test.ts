import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readEnvelope } from '../../../src/contract/envelope.ts';
import {
  fieldValue,
  report,
  reportMetadata,
  type ReportMetadata,
  type Report,
} from '../../../src/contract/resources/report.ts';
import { reportResult } from '../../../src/contract/resources/reportResult.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';

/* Reports over real HTTP, on the sample. */

let server: TestServer;
let admin: SignedIn;
let north: SignedIn;
let south: SignedIn;

beforeAll(async () => {
  server = await startServer({ sample: true });
  [admin, north, south] = (await Promise.all(
    ['admin', 'north.viewer', 'south.viewer'].map((user) => server.login(user, server.adminPassword)),
  )) as [SignedIn, SignedIn, SignedIn];
});
afterAll(() => server.stop());

const items = z.array(z.looseObject({ id: z.number(), ReportName: z.string(), itemtype: z.number() }));

async function idOf(name: string): Promise<string> {
  const found = items.parse((await admin.call('library/SearchReports', { searchstring: name })).json);
  const item = found.find(({ ReportName, itemtype }) => ReportName === name && itemtype !== 0);
  if (!item) throw new Error(`The sample has no report "${name}"`);
  return String(item.id);
}

async function metadataOf(user: SignedIn, name: string): Promise<ReportMetadata> {
  const body = { ReportID: await idOf(name), isTarget: false, PreviousMetadata: null, Criteria: null };
  return reportMetadata.parse((await user.call('Report/GetReportMetadataById', body)).json);
}

async function run(user: SignedIn, Reportobj: ReportMetadata, more: object = {}) {
  return reportResult.parse((await user.call('Report/GetReportData', { Reportobj, ...more })).json);
}

async function columnOf(user: SignedIn, name: string, key: string): Promise<unknown[]> {
  const { Data } = await run(user, await metadataOf(user, name));
  return (Data ?? []).map((row) => row[key]);
}

const northStates = ['CT', 'IL', 'MA', 'MI', 'MN', 'NJ', 'NY', 'PA'];

/** A report of the sample's application that nobody saved. */
async function unsaved(fields: Report['FieldList'], more: Partial<Report> = {}): Promise<ReportMetadata> {
  const { Report: saved } = await metadataOf(admin, 'Delays by State');
  const { ModuleName, ReportType, ServerName } = saved ?? {};
  return { Report: { ModuleName, ReportType, ServerName, FieldList: fields, ...more }, Prompts: null };
}

const stateField = {
  fieldindex: 1,
  DbTableAlias: 'flights',
  DbFieldName: 'origin_state',
  RenamedField: 'state',
  DisplayFieldName: 'State',
};

describe('running a report', () => {
  it('gives columns, rows and the fields of a result', async () => {
    const result = await run(admin, await metadataOf(admin, 'Delays by State'));
    expect(result).toMatchObject({
      ErrorCode: 0,
      HasError: false,
      IsFromCache: false,
      IsTopLevel: true,
      ContainsDrilldown: true,
    });
    expect(result.Columns?.map(({ key }) => key)).toEqual(Object.keys(result.Data?.[0] ?? {}));
    expect(result.jqxColumns).toEqual(
      result.Columns?.map(({ headerText, key, width }) => ({ text: headerText, datafield: key, width })),
    );
    expect(result.Data?.length).toBeGreaterThan(40);
  });

  it('shows each tenant only its own rows, and says so in SQL without values', async () => {
    expect(await columnOf(north, 'Delays by State', 'origin_state')).toEqual(northStates);
    expect(await columnOf(south, 'Delays by State', 'origin_state')).not.toEqual(expect.arrayContaining(northStates));
    const Reportobj = await metadataOf(north, 'Delays by State');
    const sql = (await north.call('Report/GetSQL', { Reportobj })).text;
    expect(sql).toContain('/#state#/');
    expect(sql).not.toContain('NY');
    expect((await north.call('Report/GetSQL', { Reportobj: Reportobj.Report ?? {} })).text).toBe(sql);
  });

  it('answers a prompted report with different rows for users of different tenants', async () => {
    const answered = async (user: SignedIn) => {
      const metadata = await metadataOf(user, 'Flights by Date and State');
      const Prompts = (metadata.Prompts ?? []).map((prompt) =>
        prompt.isBetween
          ? { ...prompt, LowValue: '2001-01-01', HighValue: '2001-01-02' }
          : { ...prompt, isSkipped: true },
      );
      const { json } = await server.call('Report/ReplacePromptCollection', { Reportobj: metadata, Prompts });
      const ready = reportMetadata.parse(json);
      expect(ready.Prompts).toEqual(Prompts);
      const { Data, HasError } = await run(user, ready);
      expect(HasError).toBe(false);
      expect(new Set(Data?.map((row) => row.flight_date))).toEqual(new Set(['2001-01-01', '2001-01-02']));
      return new Set(Data?.map((row) => row.origin_state));
    };
    const [ofNorth, ofSouth] = [await answered(north), await answered(south)];
    expect([...ofNorth].every((state) => northStates.includes(String(state)))).toBe(true);
    expect([...ofSouth].some((state) => northStates.includes(String(state)))).toBe(false);
    expect(ofSouth.size).toBeGreaterThan(3);
  });

  it('tells what is missing through HasError while ErrorCode stays 0', async () => {
    const metadata = await metadataOf(north, 'Flights by Date and State');
    expect(await run(north, metadata)).toMatchObject({
      ErrorCode: 0,
      HasError: true,
      ErrorMessage: 'The prompt "Flight Date" needs a value',
      Data: [],
    });
    expect((await run(north, metadata, { supressprompts: true })).HasError).toBe(false);
  });

  it('keeps callers apart in the cache', async () => {
    const counted = async (user: SignedIn) => {
      const { Data, IsFromCache } = await run(user, await metadataOf(user, 'Number of Flights'), { cacheok: true });
      return [IsFromCache, Data?.[0]?.flights];
    };
    const [first, other, again] = [await counted(north), await counted(south), await counted(north)];
    expect([first[0], other[0], again[0]]).toEqual([false, false, true]);
    expect(again[1]).toBe(first[1]);
    expect(other[1]).not.toBe(first[1]);
  });

  it('runs a report that was never saved, and refuses what is not registered', async () => {
    const states = await run(north, await unsaved([stateField], { Distinct: 1 }));
    expect(states.Data?.map(({ state }) => state).toSorted()).toEqual(northStates);
    const foreign = await run(north, await unsaved([{ ...stateField, DbFieldName: 'secret' }]));
    expect(foreign).toMatchObject({
      HasError: true,
      ErrorMessage: expect.stringContaining('is not a field of report type') as unknown,
    });
  });

  it('refuses applications on which the caller has no role', async () => {
    const { json } = await admin.call('Contact/NewContact');
    const user = {
      ...(json as object),
      LoginName: 'nobody',
      Pin: 'A long enough passphrase 1',
      FirstName: 'No',
      LastName: 'Body',
    };
    await admin.call('Contact/SaveContact', { withpin: true, user });
    const nobody = await server.login('nobody', 'A long enough passphrase 1');
    const Reportobj = await unsaved([stateField]);
    expect((await run(nobody, Reportobj)).ErrorMessage).toContain('You have no role on the application');
    expect((await nobody.call('Report/GetSQL', { Reportobj })).status).toBe(204);
    const unknown = (await nobody.call('Report/GetReportMetadataById', { ReportID: await idOf('Delays by State') }))
      .json;
    expect(readEnvelope(unknown, 'metadata')).toEqual({ ok: false, code: 586, message: 'Report does not exist.' });
  });

  it('answers 586 for unknown reports and dashboards', async () => {
    const dashboards = (await admin.call('Dashboard/SearchDashboardList', { search: '' })).json;
    const [dashboard] = z.array(z.looseObject({ id: z.number() })).parse(dashboards);
    for (const ReportID of ['999999', 'x', String(dashboard?.id)]) {
      const { json } = await admin.call('Report/GetReportMetadataById', { ReportID });
      expect(readEnvelope(json, 'metadata')).toEqual({ ok: false, code: 586, message: 'Report does not exist.' });
    }
  });

  it('adds totals per group and for the whole', async () => {
    const { GroupMetadata, groups, Data } = await run(north, await metadataOf(north, 'Monthly Traffic by State'));
    const totals = z.array(
      z.object({
        level: z.number(),
        keys: z.array(z.object({ key: z.string(), val: z.string() })),
        totals: z.array(
          z.object({ key: z.string(), func: z.string(), val: z.number(), percent: z.number().nullable() }),
        ),
      }),
    );
    const read = totals.parse(GroupMetadata);
    expect(groups).toEqual(['origin_state']);
    expect(read.filter(({ level }) => level === 1).map(({ keys }) => keys[0]?.val)).toEqual(northStates);
    const sum = Data?.reduce((all, row) => all + Number(row.flights), 0);
    expect(read.find(({ level }) => level === 0)?.totals.find(({ key }) => key === 'flights')?.val).toBe(sum);
  });

  it('drills down into the linked report', async () => {
    const Reportobj = await metadataOf(north, 'Delays by State');
    const clicked = { IsDrillDown: true, DrillDownCriteria: { origin_state: 'NY' } };
    const result = await run(north, Reportobj, clicked);
    expect(result).toMatchObject({ HasError: false, IsTopLevel: false });
    expect(new Set(result.Data?.map((row) => row.origin_state))).toEqual(new Set(['NY']));
    const target = await metadataOf(north, 'Airports of a State');
    expect((await run(north, Reportobj, { ...clicked, TargetReportobj: target })).Data).toEqual(result.Data);
    expect((await run(south, Reportobj, clicked)).Data).toEqual([]);
    expect((await run(north, Reportobj, { IsDrillDown: true, DrillDownCriteria: {} })).ErrorMessage).toContain(
      'has no value for the column',
    );
  });
});

describe('a report that links to one that the caller may not see', () => {
  it('opens it for those who may, and for nobody else', async () => {
    const { Report: source } = await metadataOf(admin, 'Delays by State');
    const hidden = { ReportID: await idOf('Airports of South'), Name: 'Hidden', Links: [] };
    const Reportobj = { Report: { ...source, linkreports: [hidden] }, Prompts: null };
    const clicked = { IsDrillDown: true, DrillDownCriteria: { origin_state: 'NY' } };
    const opened = await run(south, Reportobj, clicked);
    expect([opened.HasError, opened.ReportID]).toEqual([false, hidden.ReportID]);
    const refused = await run(north, Reportobj, clicked);
    expect(refused).toMatchObject({ HasError: true, Columns: [], Data: [] });
    expect(refused.ErrorMessage).toBe('The report "Hidden" does not exist, or you cannot see it');
  });
});

describe('prompts', () => {
  it('list the values that the caller may see', async () => {
    const metadata = await metadataOf(north, 'Flights by Date and State');
    const values = async (user: SignedIn, label: string) => {
      const Prompt = metadata.Prompts?.find((prompt) => prompt.PromptField?.DisplayFieldName === label);
      const { json } = await user.call('Report/GetFieldValues', { Reportobj: metadata, Prompt });
      return z
        .array(fieldValue)
        .parse(json)
        .map(({ key }) => key);
    };
    expect(await values(north, 'Origin State')).toEqual(northStates);
    expect(await values(south, 'Origin State')).not.toEqual(expect.arrayContaining(northStates));
    expect(await values(north, 'Flight Date')).toEqual(expect.arrayContaining(['[Today]', '[Last Month]']));
  });

  it('take their list from another report', async () => {
    const metadata = await metadataOf(north, 'Flights from an Airport');
    const { json } = await north.call('Report/GetFieldValues', { Reportobj: metadata, Prompt: metadata.Prompts?.[0] });
    expect(z.array(fieldValue).parse(json)).toContainEqual({ key: 'ALB', val: 'Albany Cty' });
  });

  it('take no list from a report that the caller may not see', async () => {
    const metadata = await metadataOf(admin, 'Flights from an Airport');
    const [prompt] = metadata.Prompts ?? [];
    const vrpt = await idOf('Airports of South');
    const row = { ...prompt?.PromptField?.Criteria?.[0], vrpt, vrpt_valuecol: '', vrpt_displaycol: '' };
    const Prompt = { ...prompt, PromptField: { ...prompt?.PromptField, Criteria: [row] } };
    const answer = async (user: SignedIn) =>
      (await user.call('Report/GetFieldValues', { Reportobj: metadata, Prompt })).json;
    expect(z.array(fieldValue).parse(await answer(south)).length).toBeGreaterThan(0);
    const refused = {
      ErrorCode: 9001,
      ErrorMessage: `The value list's report ${vrpt} does not exist, or you cannot see it`,
    };
    expect(await answer(north)).toEqual(refused);
  });

  it('are answered one by one, and shown as placeholders until then', async () => {
    const metadata = await metadataOf(north, 'Flights by Date and State');
    const before = (await north.call('Report/GetSQL', { Reportobj: metadata })).text;
    expect(before).toContain('BETWEEN {?Flight Date} AND {?Flight Date}');
    const Prompt = { ...metadata.Prompts?.[0], LowValue: '2001-01-01', HighValue: '2001-01-31' };
    const { json } = await north.call('Report/ReplacePrompt', { Reportobj: metadata, Prompt });
    const after = (await north.call('Report/GetSQL', { Reportobj: reportMetadata.parse(json) })).text;
    expect(after).toContain(`DATE '2001-01-01'`);
    expect(after).not.toContain('{?Flight Date}');
  });

  it('say what is wrong with an answer inside Report', async () => {
    const metadata = await metadataOf(north, 'Flights by Date and State');
    const { json } = await server.call('Report/ReplacePromptCollection', { Reportobj: metadata, Prompts: [] });
    expect(readEnvelope(json, 'metadata')).toMatchObject({ ok: false, code: 9001 });
  });
});

describe('report definitions', () => {
  it('start from templates', async () => {
    const [blank, criteria, totals] = await Promise.all([
      admin.call('Report/NewReport'),
      admin.call('Report/NewCriteria', { field: null }),
      admin.call('Report/NewTotals', { type: 'calc' }),
    ]);
    expect(blank.json).toMatchObject({
      Reportname: 'New Report',
      OutputType: 1,
      FieldList: [],
      linkreports: [],
      ReportID: '',
    });
    expect(criteria.json).toMatchObject({ Op: '', bprompt: false, Logical: 'AND' });
    expect(totals.json).toMatchObject({ type: 'calc', percent: false });
    const node = {
      text: 'Origin State',
      type: 'Field',
      dbfieldname: 'origin_state',
      dbtablealias: 'flights',
      fieldtype: 'cha',
      ReportFieldName: 'Origin State',
    };
    const field = (await admin.call('Report/NewField', { field: node })).json;
    expect(field, 'not compiled yet').not.toHaveProperty('tbl10');
    expect(field).toMatchObject({
      RenamedField: 'Origin_State',
      DbTableAlias: 'flights',
      Criteria: null,
      ERROR_CODE: 0,
    });
    expect((await admin.call('Report/GetSQLFunctions', { db_plat: 'DuckDB' })).json).toContainEqual(
      expect.objectContaining({
        id: 'SUM',
        expression: 'SUM(?)',
        type: 'Aggregate',
        rdatatype: 'num',
        dbplat: 'duckdb',
      }),
    );
  });

  it('run with every function that formulas are offered, as it is offered', async () => {
    const offered = z
      .array(z.object({ name: z.string(), expression: z.string() }))
      .parse((await admin.call('Report/GetSQLFunctions', { db_plat: 'DuckDB' })).json);
    expect(offered.length).toBeGreaterThan(30);
    const fields = { cha: 'origin_state', num: 'distance', dat: 'flight_date' };
    const refused: string[] = [];
    for (const { name, expression } of offered) {
      const refusals: string[] = [];
      // A function takes fields of its type: one of the three must do.
      for (const [Fieldtype, DbFieldName] of Object.entries(fields)) {
        const asked = { fieldindex: 1, DbTableAlias: 'flights', DbFieldName, Fieldtype, Formula: expression };
        const { HasError, ErrorMessage } = await run(admin, await unsaved([asked], { TopN: 3 }));
        if (!HasError) break;
        refusals.push(ErrorMessage ?? '');
      }
      if (refusals.length === Object.keys(fields).length) refused.push(`${name}: ${refusals.join(' / ')}`);
    }
    expect(refused).toEqual([]);
  });

  it('are saved, read, renamed and refused', async () => {
    const source = (await metadataOf(admin, 'Delays by State')).Report ?? {};
    const copy = { ...source, ReportID: '', Reportname: 'Copied' };
    const saved = report.parse((await admin.call('Report/SaveReport', { report: copy })).json);
    expect(saved).toMatchObject({ ErrorCode: 0, Reportname: 'Copied', FieldList: source.FieldList });
    const renamed = { ...saved, Reportname: 'Renamed' };
    expect((await admin.call('Report/UpdateReport', { report: renamed })).json).toEqual({
      ErrorCode: 0,
      ErrorMessage: null,
      ReportID: saved.ReportID,
      Reportname: 'Renamed',
      Description: saved.Description,
    });
    const ReportId = String(saved.ReportID);
    expect((await admin.call('Report/GetReport', { ReportId })).json).toMatchObject({ Reportname: 'Renamed' });
    expect((await north.call('Report/SaveReport', { report: renamed })).status).toBe(204);
    for (const endpoint of ['Report/SaveReport', 'Report/UpdateReport'] as const) {
      const { json } = await admin.call(endpoint, { report: { ...renamed, Reportname: ' ' } });
      expect(json).toMatchObject({ ErrorCode: 9001, ErrorMessage: 'Reportname is empty.' });
    }
    const { FieldList: _fields, ...partial } = renamed;
    expect((await admin.call('Report/SaveReport', { report: partial })).json).toMatchObject({ ErrorCode: 9000 });
    expect((await admin.call('library/DelReport', { ReportId })).text).toBe('0');
  });

  it('carry their criteria compiled', async () => {
    const { Report: asked } = await metadataOf(north, 'Flights by Date and State');
    const { json } = await north.call('Report/ReportProcUI', { db_platform: 'postgresql', report: asked });
    const [dates] = report.parse(json).FieldList ?? [];
    expect(dates).toMatchObject({
      tbl10: '"flights"."flight_date" BETWEEN {?Flight Date} AND {?Flight Date}',
      tbl11: 'AND',
      SearchCriteria: 'Flight Date between ? and ?',
    });
  });
});
