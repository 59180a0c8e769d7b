import { describe, expect, it } from 'vitest';
import { namePath, pathName } from '../../../../src/contract/tableNames.ts';
import { serverModel } from '../../../../src/server/catalogue/registeredServers.ts';
import { tableOwner } from '../../../../src/server/catalogue/tableOwner.ts';
import { policyConstraint } from '../../../../src/server/security/policyConstraint.ts';
import { concerns, noOtherPaths, tableOf } from '../../../../src/server/security/rowSecurity.ts';

const server = (DatabasePlatform: string, DatabaseName: string, DatabaseOwner = '') =>
  serverModel({ id: '1', applicationId: '2', definition: { DatabasePlatform, DatabaseName, DatabaseOwner } });
const constraint = (TableOwner: string, TableName: string) =>
  policyConstraint.parse({ TableOwner, TableName, ColumnName: 'tenant', Operator: '=', Value: 'x' });
const isMeant = (of: { owner: string; ownerPath?: readonly string[] }, TableOwner: string, TableName: string) =>
  concerns(constraint(TableOwner, TableName), {
    ...of,
    ...{ moduleId: '2', name: 'sales', alias: 's', columns: [], otherPaths: noOtherPaths },
  });

describe('the name of a table', () => {
  it.each([
    ['sales', ['sales']],
    ['shop.sales', ['shop', 'sales']],
    ['"lake.2"."a""b" . c', ['lake.2', 'a"b', 'c']],
    ['[dbo].`t`', ['dbo', 't']],
    ['"open.x', ['"open', 'x'].map((part) => part.replace('"', ''))],
    ['', []],
  ])('%s has parts', (name, parts) => {
    expect(namePath(name)).toEqual(parts);
  });

  it('is written from its parts and read again', () => {
    for (const parts of [
      ['lake', 'shop'],
      ['lake.2', 'a"b'],
      [' x', 'y '],
    ])
      expect(namePath(pathName(parts))).toEqual(parts);
  });
});

describe('the owner of a table on Trino', () => {
  it.each([
    ['lake.shop', '', '', ['lake', 'shop']],
    ['lake.shop', '', 'other', ['lake', 'other']],
    ['lake.shop', '', 'pg.public', ['pg', 'public']],
    ['lake.shop', 'pg.public', '', ['pg', 'public']],
    ['lake.shop', 'pg.public', 'shop', ['lake', 'shop']],
    ['lake', '', 'shop', ['lake', 'shop']],
    ['lake', '', '', undefined],
    ['', '', 'shop', undefined],
    ['', '', 'lake.shop', ['lake', 'shop']],
    ['lake.shop', '', 'x.lake.shop', undefined],
  ])('is complete on %s with the owner "%s", written "%s"', (database, usual, written, path) => {
    expect(tableOwner(server('trino', database, usual), written).ownerPath).toEqual(path);
  });

  it('is a schema on other platforms, with or without dots', () => {
    expect(tableOwner(server('postgresql', 'db', 'a.b'), '')).toEqual({ owner: 'a.b' });
    expect(tableOwner(server('postgresql', 'db', 'a.b'), 'c.d')).toEqual({ owner: 'c.d' });
  });
});

describe('a constraint of a table in a catalog', () => {
  const own = tableOwner(server('trino', 'lake.shop'), '');

  it.each([
    ['', 'sales', true],
    ['', 'Shop.SALES', true],
    ['shop', 'sales', true],
    ['', 'lake.shop.sales', true],
    ['LAKE."shop"', '"sales"', true],
    ['shop', 'pg.shop.sales', false],
    ['pg.shop', 'sales', false],
    ['', 'pg.shop.sales', false],
    ['lake.other', 'sales', false],
    ['lake', 'sales', false],
    ['x.lake.shop', 'sales', false],
    ['', 'sales$partitions', false],
    ['lake.shop', 'pg.shop.sales', true],
  ])('is meant by "%s" and "%s": %s', (TableOwner, TableName, expected) => {
    expect(isMeant(own, TableOwner, TableName)).toBe(expected);
  });

  it('names the table to describe, with its catalog if it has one', () => {
    expect(tableOf(constraint('', 'pg.public.sales'), true)).toEqual({ owner: 'pg.public', name: 'sales' });
    expect(tableOf(constraint('"pg"."a.b"', 'sales'), true)).toEqual({ owner: 'pg."a.b"', name: 'sales' });
    expect(tableOf(constraint('', 'sales'), true)).toEqual({ owner: '', name: 'sales' });
    expect(tableOf(constraint('', 'db.dbo.sales'), false)).toEqual({ owner: 'dbo', name: 'sales' });
  });

  it('is compared with the whole schema on other platforms', () => {
    expect(isMeant({ owner: 'a.b' }, 'a.b', 'sales')).toBe(true);
    expect(isMeant({ owner: 'a.b' }, 'b', 'sales')).toBe(false);
  });

  it.each([
    ['pg.public', 'sales', true],
    ['"pg"."PUBLIC"', 'sales', true],
    ['', 'pg.public.sales', true],
    ['pg.other', 'sales', false],
    ['public.pg', 'sales', false],
  ])('is meant on the platform behind the catalog, too, by "%s" and "%s": %s', (TableOwner, TableName, expected) => {
    expect(isMeant({ owner: 'public' }, TableOwner, TableName)).toBe(expected);
  });
});
