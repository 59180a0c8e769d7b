import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outputTypes } from '../../../../src/contract/outputTypes.ts';
import { catalogueSchema, findApplicationByName } from '../../../../src/server/catalogue/applications.ts';
import { findReportType } from '../../../../src/server/catalogue/reportTypes.ts';
import { registeredServer } from '../../../../src/server/catalogue/registeredServers.ts';
import { callerOf } from '../../../../src/server/identity/callers.ts';
import { identitySchema, adminUserId } from '../../../../src/server/identity/identitySchema.ts';
import { findUserByLogin, listUsers, passwordHashOf, setPassword } from '../../../../src/server/identity/users.ts';
import { librarySchema } from '../../../../src/server/library/librarySchema.ts';
import { visibleFolders } from '../../../../src/server/library/folderRights.ts';
import { findItem, listItems, reportsOfDashboard, type StoredItem } from '../../../../src/server/library/items.ts';
import { connectSampleDatabase } from '../../../../src/server/sample/sampleDatabase.ts';
import { sampleSchema, sampleTenants, sampleUsers, seedSample } from '../../../../src/server/sample/seedSample.ts';
import { activePoliciesFor, securitySchema } from '../../../../src/server/security/policies.ts';
import { settingsSchema } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';

const now = new Date('2026-01-15T12:00:00Z');
const schemas = [settingsSchema, identitySchema, securitySchema, librarySchema, catalogueSchema, sampleSchema];
let store: Store;

beforeEach(() => {
  store = Store.open(':memory:', schemas);
  setPassword(store, adminUserId, 'hash of the first password');
  seedSample(store, now);
});

afterEach(() => store.close());

function callerNamed(loginName: string) {
  const user = findUserByLogin(store, loginName);
  if (!user) throw new Error(`There is no user ${loginName}`);
  return callerOf(store, user, false);
}

function contents(): unknown {
  const tables = store.all(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`);
  return tables.map(({ name }) => [name, store.all(`SELECT * FROM ${String(name)}`)]);
}

/** Every item with its definition. */
function items(): StoredItem[] {
  return listItems(store).flatMap(({ id }) => findItem(store, id) ?? []);
}

describe('seedSample', () => {
  it('puts the sample in once, whatever became of it since', () => {
    const before = contents();
    expect(seedSample(store, new Date())).toBe(false);
    expect(contents()).toEqual(before);
    store.run('DELETE FROM item');
    expect(seedSample(store, new Date())).toBe(false);
    expect(listItems(store)).toEqual([]);
  });

  it('has a report of every output type, over two report types', () => {
    const reports = items().filter(({ kind }) => kind === 'report');
    const used = new Set(reports.map(({ definition }) => definition.OutputType));
    expect(outputTypes.filter(({ id }) => id !== 0 && !used.has(id))).toEqual([]);
    expect(new Set(reports.map(({ definition }) => definition.ReportType))).toEqual(
      new Set(['Flights', 'Bird Strikes']),
    );
    expect(reports.length).toBeGreaterThanOrEqual(12);
  });

  it('has times of every kind, files, users in several zones and guests who may run reports', () => {
    const [report] = items().filter(({ definition }) => definition.Reportname === 'Strikes by Time of Report');
    const types = (report?.definition.FieldList ?? []).map(({ Fieldtype }) => Fieldtype);
    expect(types).toEqual(expect.arrayContaining(['dat', 'udt', 'tsp', 'flk', 'doz']));
    expect(new Set(listUsers(store).map(({ timezoneName }) => timezoneName))).toEqual(
      new Set(['', 'America/New_York', 'America/Chicago']),
    );
    const roles = store.all('SELECT role_id FROM application_role WHERE user_id = 2');
    expect(roles).toHaveLength(1);
  });

  it('has mandatory and skippable prompts of every kind', () => {
    const rows = items().flatMap(({ definition }) =>
      (definition.FieldList ?? []).flatMap((field) => (field.Criteria ?? []).filter(({ bprompt }) => bprompt)),
    );
    expect(new Set(rows.map(({ Op }) => Op))).toEqual(new Set(['between', 'in', 'like', '=', '>', '>=', '<', '<=']));
    expect(new Set(rows.map(({ bskip }) => bskip))).toEqual(new Set([true, false]));
  });

  it('names only reports that exist, in links, value lists and dashboards', () => {
    const all = items();
    const reportIds = new Set(all.filter(({ kind }) => kind === 'report').map(({ id }) => id));
    const links = all.flatMap(({ definition }) => definition.linkreports ?? []) as { ReportID: string }[];
    const lists = all
      .flatMap(({ definition }) => definition.FieldList ?? [])
      .flatMap((field) => (field.Criteria ?? []).flatMap(({ vrpt }) => (vrpt ? [String(vrpt)] : [])));
    const dashboards = all.filter(({ kind }) => kind === 'dashboard');
    const shown = dashboards.flatMap(({ id }) => reportsOfDashboard(store, id));
    for (const named of [links.map(({ ReportID }) => ReportID), lists, shown]) {
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((id) => !reportIds.has(id))).toEqual([]);
    }
  });

  it('names a report type and a server that exist, with the columns it uses', () => {
    const application = findApplicationByName(store, 'Flight Operations');
    for (const { kind, definition } of items()) {
      if (kind !== 'report') continue;
      const key = {
        name: definition.ReportType ?? '',
        moduleName: definition.ModuleName ?? '',
        serverName: definition.ServerName ?? '',
      };
      const reportType = findReportType(store, key);
      expect(reportType?.moduleId).toBe(application?.id);
      expect(registeredServer(store, reportType?.serverId ?? '')?.displayName).toBe(definition.ServerName);
      for (const field of definition.FieldList ?? []) {
        const found = reportType?.fields.some(
          ({ tableAlias, column }) => tableAlias === field.DbTableAlias && column === field.DbFieldName,
        );
        expect(found, `${definition.Reportname}: ${field.DbTableAlias}.${field.DbFieldName}`).toBe(true);
      }
    }
  });
});

describe('the sample’s tenants', () => {
  it('have no state in common', () => {
    const states = sampleTenants.flatMap((tenant) => tenant.states);
    expect(new Set(states).size).toBe(states.length);
  });

  it('see their own folder and not the other one’s', () => {
    const folders = (loginName: string) => {
      const names = [...visibleFolders(store, callerNamed(loginName)).values()].map(({ folder }) => folder.name);
      return names.filter((name) => ['North', 'South'].includes(name)).toSorted();
    };
    expect(folders('north.viewer')).toEqual(['North']);
    expect(folders('south.modifier')).toEqual(['South']);
    expect(folders('north.none')).toEqual([]);
    expect(folders('sample.builder')).toEqual([]);
    expect(folders('sample.admin')).toEqual(['North', 'South']);
  });

  it('have one policy each that restricts them: by group, by own tag value or by profile', () => {
    const policiesOf = (loginName: string) => activePoliciesFor(store, callerNamed(loginName)).map(({ name }) => name);
    const restricted = sampleUsers.flatMap(({ loginName }) => {
      const names = policiesOf(loginName);
      return names.length > 0 ? [[loginName, ...names]] : [];
    });
    const ofGroups = sampleUsers.filter(({ memberships }) => memberships.length > 0);
    expect(restricted).toEqual([
      ...ofGroups.map(({ loginName }) => [loginName, 'Own States Only']),
      ['west.viewer', 'State of the Profile'],
      ['coast.viewer', 'States of the User'],
    ]);
    expect(policiesOf('admin')).toEqual([]);
  });

  it('share the first password of the built-in admin', () => {
    const hashes = listUsers(store)
      .filter(({ loginName }) => loginName !== 'guest')
      .map(({ id }) => passwordHashOf(store, id));
    expect(hashes).toHaveLength(sampleUsers.length + 1);
    expect(new Set(hashes)).toEqual(new Set(['hash of the first password']));
  });
});

describe('connectSampleDatabase', () => {
  const databaseNames = () =>
    store.all('SELECT id FROM registered_server').map(({ id }) => registeredServer(store, String(id))?.database);

  it('points the server at the files, again when they have moved', () => {
    connectSampleDatabase(store, '/opt/first');
    connectSampleDatabase(store, '/opt/second');
    const changes = store.get('SELECT revision FROM registered_server');
    connectSampleDatabase(store, '/opt/second');
    expect(databaseNames()).toEqual(['/opt/second/sample.duckdb']);
    expect(store.get('SELECT revision FROM registered_server')).toEqual(changes);
  });

  it('leaves a server alone that was deleted, and a store without the sample', () => {
    store.run('DELETE FROM registered_server');
    connectSampleDatabase(store, '/opt/first');
    expect(databaseNames()).toEqual([]);
    const empty = Store.open(':memory:', schemas);
    expect(() => connectSampleDatabase(empty, '/opt/first')).not.toThrow();
    empty.close();
  });
});
