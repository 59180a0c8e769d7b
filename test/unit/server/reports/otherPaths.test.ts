import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SignedInContext } from '../../../../src/server/calls/handlers.ts';
import { insertApplication, catalogueSchema } from '../../../../src/server/catalogue/applications.ts';
import {
  insertRegisteredServer,
  registeredServer,
  setDatabasePassword,
} from '../../../../src/server/catalogue/registeredServers.ts';
import { SecretBox } from '../../../../src/server/catalogue/secretBox.ts';
import {
  type Database,
  type DatabaseAddress,
  DatabaseError,
  type QueryOptions,
  type Relations,
} from '../../../../src/server/databases/database.ts';
import { Databases } from '../../../../src/server/databases/databases.ts';
import { fileOwner } from '../../../../src/server/databases/relations.ts';
import { callerOf } from '../../../../src/server/identity/callers.ts';
import { identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { findUserByLogin, insertUser } from '../../../../src/server/identity/users.ts';
import { otherPathsOf } from '../../../../src/server/reports/otherPaths.ts';
import { ReportTables } from '../../../../src/server/reports/reportTables.ts';
import { noOtherPaths } from '../../../../src/server/security/rowSecurity.ts';
import { policyConstraint } from '../../../../src/server/security/policyConstraint.ts';
import { settingsSchema } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';
import { anyFolder } from '../../../support/databases/anyFolder.ts';

const notNeeded = () => {
  throw new Error('Not needed here');
};

/** Databases that only tell how their relations hang together, or fail to. */
class ToldDatabases extends Databases {
  /** By registered server. */
  readonly told = new Map<string, Relations | Error>();
  readonly asked: { id: string; password: string | undefined; options: QueryOptions }[] = [];

  override at({ id }: DatabaseAddress, password: () => string | undefined): Promise<Database> {
    const relations = (options: QueryOptions) => {
      this.asked.push({ id, password: password(), options });
      const told = this.told.get(id) ?? new Error(`Nothing is told of ${id}`);
      return told instanceof Error ? Promise.reject(told) : Promise.resolve(told);
    };
    return Promise.resolve({ readJson: notNeeded, tables: notNeeded, columns: notNeeded, relations, close: notNeeded });
  }
}

const sales = { owner: 'main', name: 'sales' };
const view = { owner: 'main', name: 'all_sales', reads: [sales], isComplete: true };
const told = (identity: string): Relations => ({ identity, searchPath: ['main'], derived: [view], catalog: /^sys\./ });

let store: Store;
let databases: ToldDatabases;
let own: string;
let shop: string;
const secrets = new SecretBox(randomBytes(32));
const { signal } = new AbortController();

beforeEach(() => {
  store = Store.open(':memory:', [settingsSchema, identitySchema, catalogueSchema]);
  databases = new ToldDatabases(anyFolder);
  shop = insertApplication(store, { name: 'Shop' });
  own = insertRegisteredServer(store, shop, { DatabasePlatform: 'duckdb', DatabaseName: 'x', CommandTimeout: 7 });
  setDatabasePassword(store, own, 'secret of the database', secrets);
  databases.told.set(own, told('here'));
});
afterEach(() => store.close());

/** Another application with one server, which tells `relations`. */
function otherApplication(name: string, relations: Relations | Error, DatabasePlatform = 'duckdb'): string {
  const moduleId = insertApplication(store, { name });
  const id = insertRegisteredServer(store, moduleId, { DatabasePlatform, DatabaseName: name });
  databases.told.set(id, relations);
  return moduleId;
}

function context(): SignedInContext {
  if (!findUserByLogin(store, 'ann')) insertUser(store, { loginName: 'ann' });
  const user = findUserByLogin(store, 'ann');
  if (!user) throw new Error('There is no user');
  const caller = callerOf(store, user, false);
  return {
    store,
    now: new Date(),
    signal,
    isFromWebPage: false,
    source: undefined,
    audit: () => undefined,
    caller,
    sessionToken: '',
  };
}

/** What is found for a report on `sales` and `all_sales`, under one policy with these constraints. */
async function paths(...constraints: { TableName: string; ModuleID?: string }[]) {
  const server = registeredServer(store, own);
  if (!server) throw new Error('There is no server');
  const table = (name: string) => ({ owner: 'main', name, alias: name });
  const reportType = { id: '1', name: 'Sales', moduleId: shop, serverId: own, joins: [], fields: [] };
  const tables = new ReportTables({ ...reportType, tables: [table('sales'), table('all_sales')] });
  const rules = constraints.map((one) =>
    policyConstraint.parse({ ColumnName: 'tenant', Operator: '=', Value: 'x', ...one }),
  );
  const policies = rules.length > 0 ? [{ constraints: rules }] : [];
  const security = { policies, today: '2026-01-01', tagValues: () => undefined };
  return otherPathsOf({ databases, secrets }, context(), server, tables, security);
}

describe('other paths to the rows of a table', () => {
  it('are not asked for where no policy leaves one of the tables open', async () => {
    for (const find of [await paths(), await paths({ TableName: 'sales' }, { TableName: 'all_sales' })]) {
      expect(find('main', 'sales')).toBe(noOtherPaths);
    }
    expect(databases.asked).toEqual([]);
  });

  it('are what the database tells, asked with its password and time limit', async () => {
    const find = await paths({ TableName: 'sales' });
    expect(find('main', 'all_sales')).toEqual({ relations: [sales], isComplete: true, moduleIds: [] });
    expect(find('main', 'sales')).toEqual({ relations: [view], isComplete: true, moduleIds: [] });
    expect(databases.asked).toEqual([
      { id: own, password: 'secret of the database', options: { signal, timeoutMs: 7_000 } },
    ]);
  });

  it('are asked for anew each time, since views come and go', async () => {
    await paths({ TableName: 'sales' });
    databases.told.set(own, { ...told('here'), derived: [{ ...view, isComplete: false }] });
    expect((await paths({ TableName: 'sales' }))('main', 'all_sales')).toMatchObject({ isComplete: false });
  });

  it('are an error where the database does not answer', async () => {
    databases.told.set(own, new DatabaseError('timeout', 'too slow'));
    await expect(paths({ TableName: 'sales' })).rejects.toThrow('too slow');
  });
});

describe('an application that a policy names', () => {
  const named = async (moduleId: string) =>
    (await paths({ TableName: 'other', ModuleID: moduleId }))('main', 'sales').moduleIds;

  it('counts where one of its servers leads to the same data, and not elsewhere', async () => {
    const same = otherApplication('same', told('here'));
    const other = otherApplication('other', told('there'));
    expect(await named(same)).toEqual([same]);
    expect(await named(other)).toEqual([]);
  });

  it('counts by any of its servers', async () => {
    const two = otherApplication('first', told('there'));
    const second = insertRegisteredServer(store, two, { DatabasePlatform: 'duckdb', DatabaseName: 'second' });
    databases.told.set(second, told('here'));
    expect(await named(two)).toEqual([two]);
  });

  it('is not asked on another platform', async () => {
    const elsewhere = otherApplication('elsewhere', told('here'), 'sqlite');
    expect(await named(elsewhere)).toEqual([]);
    expect(databases.asked.map(({ id }) => id)).toEqual([own]);
  });

  it('may be the same data where it is shown through Trino, which is not asked', async () => {
    const through = otherApplication('through', told('trino'), 'trino');
    expect(await named(through)).toEqual([through]);
    expect(databases.asked.map(({ id }) => id)).toEqual([own]);
  });

  it('closes what reads a file that its own database reads, too', async () => {
    const reading = (identity: string, file: string): Relations => ({
      ...told(identity),
      derived: [{ ...view, reads: [{ owner: fileOwner, name: file }] }],
    });
    const other = otherApplication('other', reading('there', '/data/sales.csv'));
    const find = async () => (await paths({ TableName: 'x', ModuleID: other }))('main', 'all_sales');
    databases.told.set(own, reading('here', '/data/other.csv'));
    expect(await find()).toMatchObject({ isComplete: true, moduleIds: [] });
    databases.told.set(own, reading('here', '/data/sales.csv'));
    expect(await find()).toMatchObject({ isComplete: false, moduleIds: [] });
    expect((await paths({ TableName: 'x', ModuleID: other }))('main', 'sales')).toMatchObject({ isComplete: true });
  });

  it('takes no table for a file of the same name', async () => {
    const name = '/data/sales.csv';
    const reading = (identity: string, owner: string): Relations => ({
      ...told(identity),
      derived: [{ ...view, reads: [{ owner, name }] }],
    });
    for (const [here, there] of [
      ['main', fileOwner],
      [fileOwner, 'main'],
    ] as const) {
      const other = otherApplication(`other than ${here}`, reading('there', there));
      databases.told.set(own, reading('here', here));
      expect((await paths({ TableName: 'x', ModuleID: other }))('main', 'all_sales')).toMatchObject({
        isComplete: true,
      });
    }
  });

  it('is not asked when it is the own one, or any', async () => {
    databases.told.set(insertRegisteredServer(store, shop, { DatabasePlatform: 'duckdb' }), told('here'));
    expect(await named(shop)).toEqual([]);
    expect(await named('')).toEqual([]);
    expect(databases.asked.map(({ id }) => id)).toEqual([own, own]);
  });

  it.each(['unreachable', 'refused', 'failed', 'timeout'] as const)('counts when it is %s: it might', async (kind) => {
    const silent = otherApplication('silent', new DatabaseError(kind, 'no answer'));
    expect(await named(silent)).toEqual([silent]);
  });

  it('is no answer when the caller goes away, or for a reason that nobody expects', async () => {
    const cancelled = otherApplication('cancelled', new DatabaseError('cancelled', 'gone'));
    await expect(named(cancelled)).rejects.toThrow('gone');
    const wrong = otherApplication('wrong', new Error('a defect'));
    await expect(named(wrong)).rejects.toThrow('a defect');
  });
});
