import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LibraryItem } from '../../../src/contract/resources/library.ts';
import { prompt as promptSchema, type Prompt } from '../../../src/contract/resources/report.ts';
import { isJsonObject, parseExact, type JsonObject } from '../../../src/objects/json.ts';
import { buildSample } from '../../../src/server/sample/build/buildSample.ts';
import { sampleTenants } from '../../../src/server/sample/seedSample.ts';
import { sentAgain } from '../../support/reports/sentAgain.ts';
import { answered, SampleClient, statesIn } from '../../support/sampleClient.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const [north, south] = sampleTenants;
let server: TestServer;
let reports: LibraryItem[];
let client: SampleClient;

beforeAll(async () => {
  await buildSample({
    source: path.join(root, 'node_modules', 'vega-datasets', 'data'),
    target: path.join(root, 'dist', 'sample'),
  });
  server = await startServer({ sample: true });
  client = new SampleClient(server);
  reports = await client.reports('admin');
}, 60_000);

afterAll(() => server.stop());

function reportNamed(name: string): string {
  const found = reports.find(({ ReportName }) => ReportName === name);
  if (!found) throw new Error(`There is no report ${name}`);
  return String(found.id);
}

describe('every report of the sample', () => {
  it('returns rows for admin, in every output type', async () => {
    const shown = new Set<unknown>();
    for (const { id, ReportName, itemtype } of reports) {
      const result = await client.run('admin', String(id), { topN: 500 });
      expect(result.Data?.length, String(ReportName)).toBeGreaterThan(0);
      expect(result.OutputType, String(ReportName)).toBe(itemtype);
      expect(Object.keys(result.Data?.[0] ?? {}), String(ReportName)).toEqual(result.Columns?.map(({ key }) => key));
      shown.add(result.OutputType);
    }
    expect([...shown].toSorted((a, b) => Number(a) - Number(b))).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  }, 60_000);

  it('runs to the same rows once it was opened in the builder and saved without an edit', async () => {
    const admin = await client.as('admin');
    const stored = async (ReportId: string) => {
      const { text } = await admin.call('Report/GetReport', { ReportId, isbuilder: true });
      const full = parseExact(text);
      return isJsonObject(full) ? full : expect.fail(text);
    };
    const sql = async (ReportID: string) => {
      const { Report: Reportobj } = await client.metadataOf('admin', ReportID);
      return (await admin.call('Report/GetSQL', { Reportobj })).text;
    };
    // Of longer results it is open which rows are the first.
    const rows = async (id: string) => {
      const { Data, Columns } = await client.run('admin', id, { topN: 500 });
      const lines = (Data ?? []).map((row) => JSON.stringify(row)).toSorted();
      return { Columns, lines: lines.length < 500 ? lines : lines.length };
    };
    let compared = 0;
    for (const { id, ReportName } of reports) {
      const key = String(id);
      const before = { report: await stored(key), sql: await sql(key), rows: await rows(key) };
      const report = sentAgain(before.report);
      const { json } = await admin.call('Report/SaveReport', { report, processlinks: true });
      expect(json, String(ReportName)).toMatchObject({ ErrorCode: 0 });
      const after = { report: await stored(key), sql: await sql(key), rows: await rows(key) };
      // In whatever order the fields come.
      const own = (whole: JsonObject) => ({ ...whole, LastModifiedBy: null, LastModifiedDate: null, Revision: null });
      expect(own(after.report), String(ReportName)).toStrictEqual(own(before.report));
      expect(after.sql, String(ReportName)).toBe(before.sql);
      expect(after.rows, String(ReportName)).toEqual(before.rows);
      compared += Number(Array.isArray(after.rows.lines));
    }
    expect(compared).toBeGreaterThan(reports.length / 2);
  }, 120_000);

  it('shows each tenant its own states only, and the two different rows', async () => {
    let compared = 0;
    for (const { id, ReportName } of reports) {
      const visible = (await client.search('north.viewer', String(ReportName))).some((item) => item.id === id);
      const isShared =
        visible && (await client.search('south.viewer', String(ReportName))).some((item) => item.id === id);
      if (!isShared) continue;
      const ofNorth = await client.run('north.viewer', String(id), { topN: 500 });
      const ofSouth = await client.run('south.viewer', String(id), { topN: 500, prompts: southern });
      expect(ofNorth.Data, String(ReportName)).not.toEqual(ofSouth.Data);
      for (const state of statesIn(ofNorth)) expect(north.states, String(ReportName)).toContain(state);
      for (const state of statesIn(ofSouth)) expect(south.states, String(ReportName)).toContain(state);
      compared += Number(statesIn(ofNorth).size > 0 && statesIn(ofSouth).size > 0);
    }
    expect(compared).toBeGreaterThanOrEqual(10);
  }, 60_000);

  it('restricts tenants without a group to the states of the profile or of their own tag value', async () => {
    const states = async (loginName: string) =>
      [...statesIn(await client.run(loginName, reportNamed('Bird Strikes by State')))].toSorted();
    expect(await states('west.viewer')).toEqual(['CA']);
    expect(await states('coast.viewer')).toEqual(['OR', 'WA']);
  });

  it('adds up: what the tenants see is part of what admin sees, and nothing is counted twice', async () => {
    const count = async (loginName: string) => {
      const { Data } = await client.run(loginName, reportNamed('Number of Flights'));
      return Number(Data?.[0]?.flights);
    };
    expect(await count('admin')).toBe(3_000_000);
    const [ofNorth, ofSouth] = [await count('north.viewer'), await count('south.modifier')];
    expect(ofNorth).toBe(750_502);
    expect(ofSouth).toBe(873_527);
    expect(await count('sample.admin')).toBe(ofNorth + ofSouth);
  });
});

/** South has no flights from Chicago. */
function southern(prompts: Prompt[]): Prompt[] {
  return prompts.map((prompt) => {
    const given = answered(prompt);
    return given.LowValue === 'ORD' ? { ...given, LowValue: 'ATL' } : given;
  });
}

describe('prompts of the sample', () => {
  it('cover every kind', async () => {
    const prompts = (await Promise.all(reports.map(({ id }) => client.metadataOf('admin', String(id))))).flatMap(
      ({ Prompts }) => Prompts ?? [],
    );
    const flags = ['isBetween', 'isInList', 'isLike', 'isGreaterThan', 'isLessThan', 'isSkipable'] as const;
    for (const flag of flags)
      expect(
        prompts.some((prompt) => prompt[flag]),
        flag,
      ).toBe(true);
    expect(prompts.some((prompt) => !flags.some((flag) => prompt[flag]))).toBe(true);
  });

  it('filter by dates, list and least delay', async () => {
    const values: Record<string, Partial<Prompt>> = {
      'Flight Date': { LowValue: '2001-03-05', HighValue: '2001-03-06' },
      'Origin State': { LowValue: 'IL, CA', isSkipped: false },
      'Arrival Delay': { LowValue: '120', isSkipped: false },
    };
    const result = await client.run('admin', reportNamed('Flights by Date and State'), {
      prompts: (all) => all.map((prompt) => ({ ...prompt, ...values[prompt.PromptField?.DisplayFieldName ?? ''] })),
    });
    const rows = result.Data ?? [];
    expect(rows.length).toBeGreaterThan(10);
    expect(statesIn(result)).toEqual(new Set(['IL', 'CA']));
    expect(rows.every(({ delay }) => Number(delay) >= 120)).toBe(true);
    const days = new Set(rows.map(({ flight_date }) => String(flight_date).slice(0, 10)));
    expect([...days].toSorted()).toEqual(['2001-03-05', '2001-03-06']);
  });

  it('offer a value list of one’s own rows only', async () => {
    const offered = async (loginName: string) => {
      const metadata = await client.metadataOf(loginName, reportNamed('Flights from an Airport'));
      const Prompt = promptSchema.parse(metadata.Prompts?.[0]);
      const { json } = await (
        await client.as(loginName)
      ).call('Report/GetFieldValues', { Reportobj: metadata, Prompt });
      return (json as { key: string; val: string }[]).map(({ key, val }) => `${key} ${val}`);
    };
    const [all, ofNorth, ofSouth] = [
      await offered('admin'),
      await offered('north.viewer'),
      await offered('south.viewer'),
    ];
    expect(all.some((entry) => entry.includes('ORD') && entry.includes("Chicago O'Hare International"))).toBe(true);
    expect(ofNorth.length).toBeGreaterThan(0);
    expect(ofNorth.filter((entry) => ofSouth.includes(entry))).toEqual([]);
    expect([...ofNorth, ...ofSouth].filter((entry) => !all.includes(entry))).toEqual([]);
  });
});

describe('drill-down of the sample', () => {
  it('leads from a state to its airports to their flights', async () => {
    const drill = async (from: string, to: string, DrillDownCriteria: object) => {
      const TargetReportobj = await client.metadataOf('north.viewer', reportNamed(to));
      return client.run('north.viewer', reportNamed(from), {
        more: { IsDrillDown: true, DrillDownCriteria, TargetReportobj },
      });
    };
    const states = await client.run('north.viewer', reportNamed('Delays by State'));
    expect(states.ContainsDrilldown).toBe(true);
    const airports = await drill('Delays by State', 'Airports of a State', { origin_state: 'CT' });
    expect(airports.Data?.map(({ origin }) => origin)).toEqual(['BDL']);
    const flights = await drill('Airports of a State', 'All Flights', { origin: 'BDL' });
    expect(flights.Data).toHaveLength(Number(airports.Data?.[0]?.flights));
    expect(new Set(flights.Data?.map(({ origin }) => origin))).toEqual(new Set(['BDL']));
    const foreign = await drill('Delays by State', 'Airports of a State', { origin_state: 'TX' });
    expect(foreign.Data).toEqual([]);
  });
});

describe('the catalogue over HTTP', () => {
  it('shows users without a role no application, and Architects the columns of the tables', async () => {
    const architect = await client.as('sample.architect');
    const servers = (await architect.call('AppBuilder/GetAnyDbModulesList', {})).json as Record<string, unknown>[];
    expect(servers).toMatchObject([{ DatabasePassword: '', service: { Name: 'Flight Operations' } }]);
    const [flightServer] = servers;
    const columns = await architect.call('AppBuilder/GetTableDef', {
      tablename: 'flights',
      tableowner: '',
      regserverid: String(flightServer?.ID),
    });
    expect((columns.json as { columnname: string }[]).map(({ columnname }) => columnname)).toEqual([
      'departure',
      'flight_date',
      'delay',
      'distance',
      'origin',
      'destination',
      'origin_state',
      'destination_state',
    ]);
    const tested = await architect.call('RegServers/TestConnection', { regserver: flightServer });
    expect(tested.text).toBe('Passed');
    const viewer = await client.as('north.viewer');
    expect((await viewer.call('AppBuilder/GetAnyDbModulesList', {})).json).toEqual([]);
    expect((await viewer.call('App/GetApplicationList', {})).json).toHaveLength(1);
  });

  it('answers SaveAnyDbModule with bare numbers', async () => {
    const architect = await client.as('sample.architect');
    const [flightServer] = (await architect.call('AppBuilder/GetAnyDbModulesList', {})).json as { ID: string }[];
    const read = await architect.call('AppBuilder/GetAnyDbModule', {
      moduleid: (flightServer as unknown as { service: { ID: string } }).service.ID,
      regserverid: flightServer?.ID,
    });
    const module = read.json as { ReportTypes: Record<string, unknown>[] };
    const saved = await architect.call('AppBuilder/SaveAnyDbModule', {
      anydbmodule: { ...module, ReportTypes: module.ReportTypes.slice(0, 1) },
    });
    expect(saved.text).toBe('1');
    const broken = { ...module.ReportTypes[0], SQLTables: [] };
    const refused = await architect.call('AppBuilder/SaveAnyDbModule', {
      anydbmodule: { ...module, ReportTypes: [broken] },
    });
    expect(refused.text).toBe('0');
  });
});
