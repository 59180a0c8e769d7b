import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportTypeDefinition } from '../../../../src/contract/resources/semanticLayer.ts';
import { noContent } from '../../../../src/server/calls/handlers.ts';
import { insertApplication } from '../../../../src/server/catalogue/applications.ts';
import { insertRegisteredServer } from '../../../../src/server/catalogue/registeredServers.ts';
import { findReportType, saveReportType } from '../../../../src/server/catalogue/reportTypes.ts';
import { applicationRoleIds, assignApplication } from '../../../../src/server/identity/applicationRoles.ts';
import { flightsType, strikesType } from '../../../../src/server/sample/sampleReportTypes.ts';
import { CatalogueFixture } from './catalogueFixture.ts';

let folder: string;
let fixture: CatalogueFixture;
let moduleId: string;
let serverId: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'catalogue-'));
  const instance = await DuckDBInstance.create(path.join(folder, 'shop.duckdb'));
  const connection = await instance.connect();
  await connection.run('CREATE TABLE orders (id BIGINT NOT NULL, amount DECIMAL(9, 2), note VARCHAR)');
  connection.closeSync();
  instance.closeSync();
});

afterAll(() => rm(folder, { recursive: true }));

beforeEach(() => {
  fixture = new CatalogueFixture();
  moduleId = insertApplication(fixture.store, { name: 'Shop' });
  serverId = insertRegisteredServer(fixture.store, moduleId, {
    DisplayName: 'Shop',
    DatabasePlatform: 'duckdb',
    DatabaseName: path.join(folder, 'shop.duckdb'),
  });
  for (const reportType of [flightsType, strikesType]) saveReportType(fixture.store, moduleId, reportType);
  assignApplication(fixture.store, fixture.user('architect'), moduleId, applicationRoleIds.architect);
  assignApplication(fixture.store, fixture.user('builder'), moduleId, applicationRoleIds.builder);
});

afterEach(() => fixture.close());

async function readModule(loginName = 'architect') {
  return fixture.call(loginName, 'AppBuilder/GetAnyDbModule', { moduleid: moduleId, regserverid: serverId });
}

async function reportTypeNamed(name: string): Promise<ReportTypeDefinition> {
  const found = (await readModule()).ReportTypes?.find(({ RepTypeName }) => RepTypeName === name);
  if (!found) throw new Error(`There is no report type ${name}`);
  return found;
}

function save(reportTypes: ReportTypeDefinition[], loginName = 'architect', more: object = {}) {
  return fixture.call(loginName, 'AppBuilder/SaveAnyDbModule', { anydbmodule: { ReportTypes: reportTypes }, ...more });
}

describe('GetAnyDbModule', () => {
  it('gives the report types and the tables of the database', async () => {
    const module = await readModule();
    expect(module.ReportTypes?.map(({ RepTypeName }) => RepTypeName)).toEqual(['Bird Strikes', 'Flights']);
    expect(module.DBSQLTableList?.AllDbtables).toMatchObject([{ tablename: 'orders' }]);
  });

  it('still gives the report types when the database cannot be reached, and says so', async () => {
    serverId = insertRegisteredServer(fixture.store, moduleId, {
      DisplayName: 'Gone',
      DatabasePlatform: 'duckdb',
      DatabaseName: path.join(folder, 'absent.duckdb'),
    });
    const module = await readModule();
    expect(module.ReportTypes).toHaveLength(2);
    expect(module.DBSQLTableList).toMatchObject({ AllDbtables: [], ErrorCode: 9002 });
    expect(module.DBSQLTableList?.ErrorMessage).toContain('Gone');
  });

  it('is for Architects and super-admins, and for the right pair of ids', async () => {
    expect(await readModule('builder')).toBe(noContent);
    expect((await readModule('admin')).ReportTypes).toHaveLength(2);
    const wrong = { moduleid: String(Number(moduleId) + 1), regserverid: serverId };
    expect(await fixture.call('architect', 'AppBuilder/GetAnyDbModule', wrong)).toBe(noContent);
    await expect(fixture.call('admin', 'AppBuilder/GetAnyDbModule', wrong)).rejects.toThrow('no application');
    expect(await fixture.call('builder', 'AppBuilder/GetAnyDbModulesList', {})).toEqual([]);
    expect(await fixture.call('architect', 'AppBuilder/GetAnyDbModulesList', {})).toMatchObject([{ ID: serverId }]);
  });
});

describe('SaveAnyDbModule', () => {
  it('replaces the report types sent in full, keeps unknown fields, and leaves the others alone', async () => {
    const flights = await reportTypeNamed('Flights');
    const before = await reportTypeNamed('Bird Strikes');
    const [first] = flights.FieldTree ?? [];
    const changed = {
      ...flights,
      unlisted: 'kept',
      FieldTree: (flights.FieldTree ?? []).slice(0, 3).map((entry) => ({ ...entry, unlisted: entry.id })),
    };
    expect(await save([changed])).toBe(1);
    const after = await reportTypeNamed('Flights');
    expect(after).toMatchObject({ unlisted: 'kept', RepTypeID: flights.RepTypeID, Revision: 2 });
    expect(after.FieldTree).toHaveLength(3);
    expect(after.FieldTree?.[0]).toEqual({ ...first, unlisted: first?.id });
    expect(await reportTypeNamed('Bird Strikes')).toEqual(before);
    expect(fixture.audits).toHaveLength(1);
  });

  it('adds a report type that comes without an id and gives its entries ids', async () => {
    const added: ReportTypeDefinition = {
      Moduleid: Number(moduleId),
      RepTypeID: 0,
      RepTypeName: 'Orders',
      SQLTables: [{ tablename: 'orders', tableowner: '', tablealias: 'o' }],
      FieldTree: [
        {
          id: 0,
          fname: 'Amount',
          flevel: '0',
          nodetype: 'F',
          tablealias: 'o',
          sqlfieldname: 'amount',
          datatype: 'num',
        },
        { fname: 'Note', flevel: '0', nodetype: 'F', tablealias: 'o', sqlfieldname: 'note', datatype: 'cha' },
      ],
    };
    expect(await save([added])).toBe(1);
    expect((await reportTypeNamed('Orders')).FieldTree?.map(({ id }) => id)).toEqual([1, 2]);
    expect(findReportType(fixture.store, { name: 'orders', moduleName: 'shop' })).toMatchObject({ serverId, moduleId });
  });

  it('answers 0 and writes nothing when one of several does not hold together', async () => {
    const flights = await reportTypeNamed('Flights');
    const strikes = await reportTypeNamed('Bird Strikes');
    expect(
      await save([
        { ...flights, RepTypeName: 'Renamed' },
        { ...strikes, SQLTables: [] },
      ]),
    ).toBe(0);
    expect(await reportTypeNamed('Flights')).toEqual(flights);
    expect(await save([])).toBe(0);
    expect(await save([{ ...flights, RepTypeName: 'Bird Strikes' }])).toBe(0);
    expect(await save([{ ...flights, RepTypeID: 999 }])).toBe(0);
  });

  it.each(['SQLTables', 'FieldTree'])(
    'answers 0 to a report type without %s, which it would lose',
    async (collection) => {
      const flights = await reportTypeNamed('Flights');
      for (const nothing of [null, undefined]) expect(await save([{ ...flights, [collection]: nothing }])).toBe(0);
      expect(await save([{ Moduleid: Number(moduleId), RepTypeName: 'By hand' }])).toBe(0);
      expect((await readModule()).ReportTypes).toHaveLength(2);
      expect(await reportTypeNamed('Flights')).toEqual(flights);
    },
  );

  it('answers 204 to whoever is no Architect of the application', async () => {
    const flights = await reportTypeNamed('Flights');
    expect(await save([flights], 'builder')).toBe(noContent);
    expect(await save([{ ...flights, Moduleid: 999 }])).toBe(noContent);
    expect(await save([flights], 'admin')).toBe(1);
  });

  it('refuses a save made from an older state', async () => {
    const flights = await reportTypeNamed('Flights');
    expect(await save([flights], 'architect', { expectedRevision: 1 })).toBe(1);
    await expect(save([flights], 'architect', { expectedRevision: 1 })).rejects.toMatchObject({ code: 9001 });
  });
});

describe('GetTableDef', () => {
  const table = (tablename: string, loginName = 'architect') =>
    fixture.call(loginName, 'AppBuilder/GetTableDef', { tablename, tableowner: '', regserverid: serverId });

  it('describes the columns of a table', async () => {
    expect(await table('orders')).toMatchObject([
      { columnname: 'id', datatype: 'BIGINT', isNullValueAllowed: false, tablealias: 'orders' },
      { columnname: 'amount', datatype: 'DECIMAL(9,2)', isNullValueAllowed: true },
      { columnname: 'note', datatype: 'VARCHAR', isNullValueAllowed: true },
    ]);
    expect(await table('absent')).toEqual([]);
    expect(await table('orders', 'builder')).toBe(noContent);
  });
});

describe('GetReportTypes and GetReportTree', () => {
  const types = (loginName: string, ModuleType = 'anydb') =>
    fixture.call(loginName, 'RegServers/GetReportTypes', {
      ModuleType,
      RegServerID: serverId,
      ReportModuleID: moduleId,
    });

  it('lists report types for everybody with a role on the application', async () => {
    expect(await types('builder')).toMatchObject([{ name: 'Bird Strikes' }, { name: 'Flights' }]);
    expect(await types('builder', 'OTHER')).toEqual([]);
    expect(await types('nobody')).toEqual([]);
  });

  it('gives the tree of folders and fields', async () => {
    const tree = (loginName: string, ReportType: string) =>
      fixture.call(loginName, 'RegServers/GetReportTree', { RegServerID: serverId, ReportType });
    const { rootnode } = await tree('builder', 'flights');
    expect(rootnode?.children?.map(({ text, type }) => [text, type])).toEqual([
      ['Flight', 'Folder'],
      ['Route', 'Folder'],
      ['Airports', 'Folder'],
    ]);
    const origin = rootnode?.children?.[2]?.children?.[0];
    expect(origin?.text).toBe('Origin');
    expect(origin?.children?.[0]).toMatchObject({
      type: 'Field',
      text: 'Origin Airport Name',
      dbfieldname: 'name',
      dbtablealias: 'origin_airport',
      dbparenttablealias: 'flights',
      fieldtype: 'cha',
    });
    expect(await tree('builder', 'absent')).toBe(noContent);
    expect(await tree('nobody', 'Flights')).toBe(noContent);
  });

  it('offers the documented field types', async () => {
    const names = (await fixture.call('builder', 'AppBuilder/GetDataTypes', {})).map(({ name }) => name);
    expect(names).toEqual(['cha', 'num', 'dat', 'dtz', 'doz', 'udt', 'tsp', 'ddn', 'lnk', 'flk', 'for', 'cur', 'per']);
  });
});
