import { beforeEach, describe, expect, it } from 'vitest';
import { databaseEffect, reportTypeEffect } from '../../../../src/access/rows/accessEffect.ts';
import type { JsonObject } from '../../../../src/objects/json.ts';
import { AccessStub } from '../../../support/access/accessStub.ts';

/* A policy names tables: a report type that reads another table, or a server with another database, is not restricted by it. */

const constraint = (TableName: string, more: JsonObject = {}): JsonObject => ({
  ...{ ModuleID: '', TableOwner: '', TableName, ColumnName: 'state', Operator: '=', Value: 'NC', Value2: '' },
  ...{ Logical: 'AND', ColumnType: '' },
  ...more,
});
const policy = (...Constraints: JsonObject[]): JsonObject => ({
  ...{ id: '7', Name: 'Own states', isActive: true, Constraints, Groups: [{ GroupId: '10' }], Users: [] },
});
const table = (tablename: string, tableowner = 'public', tablealias = 'f'): JsonObject => ({
  ...{ tablename, tableowner, tablealias },
});
const reportType = (...SQLTables: JsonObject[]): JsonObject => ({ Moduleid: 3, RepTypeID: 7, SQLTables });

let server: AccessStub;

beforeEach(() => {
  server = new AccessStub();
  const inNorth = { GroupId: '10', GroupName: 'North', GroupRoles: [{ RoleId: '2' }] };
  server.users = [
    { ID: '1', LoginName: 'nora', SecurityGroups: [inNorth] },
    { ID: '2', LoginName: 'omar', SecurityGroups: [] },
  ];
  server.policies = [policy(constraint('flights'))];
});

const said = async (before: JsonObject, after: JsonObject) => (await reportTypeEffect(server, before, after)).lines;

describe('a report type', () => {
  const before = reportType(table('flights'), table('airports', 'public', 'a'));

  it('that reads another table in the place of a restricted one is asked about', async () => {
    const after = reportType(table('flights_all'), table('airports', 'public', 'a'));
    expect(await reportTypeEffect(server, before, after)).toMatchObject({
      lines: ['nora may see other rows of flights_all.'],
      givesRows: true,
    });
  });

  it('is asked about also if the alias changes with the table', async () => {
    const after = reportType(table('flights_all', 'public', 'x'), table('airports', 'public', 'a'));
    expect(await said(before, after)).toEqual(['nora may see other rows of flights_all.']);
  });

  it('that reads another schema is asked about if the policy names the schema', async () => {
    const after = reportType(table('flights', 'archive'), table('airports', 'public', 'a'));
    expect(await said(before, after)).toEqual([]);
    server.policies = [policy(constraint('flights', { TableOwner: 'public' }))];
    expect(await said(before, after)).toEqual(['nora may see other rows of flights.']);
  });

  it('that reads another catalog is asked about if the policy names the catalog', async () => {
    const inCatalog = (owner: string) => reportType(table('flights', owner));
    server.policies = [policy(constraint('flights', { TableOwner: 'lake.public' }))];
    const asked = ['nora may see other rows of flights.'];
    expect(await said(inCatalog('lake.public'), inCatalog('copy.public'))).toEqual(asked);
    expect(await said(inCatalog('"Lake"."public"'), inCatalog('copy.public'))).toEqual(asked);
    expect(await said(inCatalog('public'), inCatalog('LAKE.public'))).toEqual([]);
    server.policies = [policy(constraint('lake.public.flights'))];
    expect(await said(inCatalog('lake.public'), inCatalog('copy.public'))).toEqual(asked);
    server.policies = [policy(constraint('flights', { TableOwner: 'public' }))];
    expect(await said(inCatalog('lake.public'), inCatalog('copy.public'))).toEqual([]);
  });

  it('that exchanges aliases, or only adds or removes tables, is not asked about', async () => {
    const exchanged = reportType(table('flights', 'public', 'a'), table('airports', 'public', 'f'));
    expect(await said(before, exchanged)).toEqual([]);
    expect(await said(before, reportType(table('airports', 'public', 'a')))).toEqual([]);
    const extended = reportType(table('flights'), table('airports', 'public', 'a'), table('carriers', 'public', 'c'));
    expect(await said(before, extended)).toEqual([]);
    expect(server.calls).toEqual([]);
  });

  it('that reads a table restricted alike, or replaces an unrestricted one, is not asked about', async () => {
    server.policies = [policy(constraint('flights'), constraint('flights_all'))];
    expect(await said(before, reportType(table('flights_all'), table('airports', 'public', 'a')))).toEqual([]);
    expect(await said(before, reportType(table('flights'), table('airfields', 'public', 'a')))).toEqual([]);
  });

  it('is asked about if a policy restricts a table that is unknown', async () => {
    server.policies = [policy({ filter: 'x' })];
    const after = reportType(table('flights'), table('airfields', 'public', 'a'));
    expect(await said(before, after)).toEqual(['nora may see more rows: it is unknown what Own states restricts.']);
  });
});

describe('a registered server', () => {
  const before = { ID: '4', DisplayName: 'Shop', DatabaseName: 'shop', DatabaseOwner: 'public' };

  it.each(['DatabaseName', 'DatabaseOwner', 'DatabaseServer'])('is asked about with another %s', async (field) => {
    const effect = await databaseEffect(server, before, { ...before, [field]: 'other' });
    expect(effect).toMatchObject({
      lines: [
        'It is unknown who will see more rows: policies restrict tables by name, and these are in another database then.',
      ],
      givesRows: true,
    });
  });

  it('is not asked about under another name, or without policies', async () => {
    expect((await databaseEffect(server, before, { ...before, DisplayName: 'New' })).givesRows).toBe(false);
    server.policies = [{ ...policy(constraint('flights')), isActive: false }];
    expect((await databaseEffect(server, before, { ...before, DatabaseName: 'other' })).givesRows).toBe(false);
  });
});
