import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProduct, type RegisteredServer } from '../../../../src/contract/resources/application.ts';
import { noContent } from '../../../../src/server/calls/handlers.ts';
import { insertApplication } from '../../../../src/server/catalogue/applications.ts';
import { databasePassword, registeredServer } from '../../../../src/server/catalogue/registeredServers.ts';
import { applicationRoleIds, assignApplication } from '../../../../src/server/identity/applicationRoles.ts';
import { CatalogueFixture, serverToSave } from './catalogueFixture.ts';

const { agent, architect, builder } = applicationRoleIds;
let fixture: CatalogueFixture;
let sales: string;
let stock: string;

beforeEach(() => {
  fixture = new CatalogueFixture();
  sales = insertApplication(fixture.store, { name: 'Sales' });
  stock = insertApplication(fixture.store, { name: 'Stock' });
});

afterEach(() => fixture.close());

async function applicationsOf(loginName: string) {
  const applications = await fixture.call(loginName, 'App/GetApplicationList', {});
  return applications.map((application) => findProduct(application)?.Name);
}

describe('GetApplicationList', () => {
  it('shows a super-admin every application and others only those they have a role on', async () => {
    assignApplication(fixture.store, fixture.user('agent'), sales, agent);
    fixture.user('other.admin', true);
    expect(await applicationsOf('admin')).toEqual(['Sales', 'Stock']);
    expect(await applicationsOf('agent')).toEqual(['Sales']);
    expect(await applicationsOf('other.admin')).toEqual([]);
  });

  it('counts seats and embeds members for administrators only', async () => {
    assignApplication(fixture.store, fixture.user('agent'), sales, agent);
    assignApplication(fixture.store, fixture.user('other.admin', true), sales, architect);
    const [seen] = await fixture.call('other.admin', 'App/GetApplicationList', {});
    expect(seen?.ModuleProfile).toMatchObject({
      ConsumedQuanity: 2,
      AgentConsumptionCount: 1,
      ArchitectConsumptionCount: 1,
      BuilderConsumptionCount: 0,
    });
    expect(seen?.ModuleProfile?.Membership).toMatchObject([{ LoginName: 'agent' }, { LoginName: 'other.admin' }]);
    const [ofAgent] = await fixture.call('agent', 'App/GetApplicationList', {});
    expect(ofAgent?.ModuleProfile?.Membership).toEqual([]);
  });
});

describe('InsertAnyDbModule', () => {
  it('adds an application that other administrators do not see until it is granted', async () => {
    fixture.user('other.admin', true);
    const added = await fixture.call('other.admin', 'RegServers/InsertAnyDbModule', {
      appname: 'New',
      description: '',
    });
    expect(added).toMatchObject({ ErrorCode: 0, Name: 'New', ModuleType: 'ANYDB', isAnyDbApp: true });
    expect(await applicationsOf('other.admin')).toEqual([]);
    expect(await applicationsOf('admin')).toContain('New');
    expect(fixture.audits).toHaveLength(1);
  });

  it('refuses a name that is taken or empty, and anybody but administrators', async () => {
    const insert = (login: string, appname: string) =>
      fixture.call(login, 'RegServers/InsertAnyDbModule', { appname, description: '' });
    await expect(insert('admin', 'sales')).rejects.toMatchObject({ code: 9001 });
    await expect(insert('admin', ' ')).rejects.toMatchObject({ code: 9001 });
    expect(await insert('agent', 'Mine')).toBe(noContent);
  });
});

describe('SaveRegSrv', () => {
  it('stores what was sent, the password sealed, and never answers with it', async () => {
    const regserver = serverToSave(sales, { DatabasePassword: 's3cret', unlisted: { kept: true } });
    const saved = await fixture.call('admin', 'RegServers/SaveRegSrv', { regserver });
    expect(saved).toMatchObject({ DatabasePassword: '', DisplayName: 'Warehouse', unlisted: { kept: true } });
    expect(findProduct(saved)).toMatchObject({ ID: sales, Name: 'Sales' });
    const id = String(saved.ID);
    expect(databasePassword(fixture.store, id, fixture.secrets)).toBe('s3cret');
    const stored = fixture.store.get('SELECT * FROM registered_server WHERE id = ?', id);
    expect(JSON.stringify(stored)).not.toContain('s3cret');
    expect(stored?.sealed_password).toBeInstanceOf(Uint8Array);
    expect(fixture.audits.join()).not.toContain('s3cret');
  });

  it('keeps the stored password when the one sent is empty', async () => {
    const regserver = serverToSave(sales, { DatabasePassword: 's3cret' });
    const saved = await fixture.call('admin', 'RegServers/SaveRegSrv', { regserver });
    const again = await fixture.call('admin', 'RegServers/SaveRegSrv', {
      regserver: { ...saved, DisplayName: 'Renamed' },
    });
    expect(again).toMatchObject({ ID: saved.ID, DisplayName: 'Renamed', Revision: 2 });
    expect(databasePassword(fixture.store, String(saved.ID), fixture.secrets)).toBe('s3cret');
    const list = await fixture.call('admin', 'RegServers/GetAdminRegisteredServers', {});
    expect(list).toMatchObject([{ ID: saved.ID, DisplayName: 'Renamed', DatabasePassword: '' }]);
  });

  it('refuses a save made from an older state', async () => {
    const saved = await fixture.call('admin', 'RegServers/SaveRegSrv', { regserver: serverToSave(sales) });
    const save = (expectedRevision: number) =>
      fixture.call('admin', 'RegServers/SaveRegSrv', { regserver: saved, ...{ expectedRevision } });
    await save(1);
    await expect(save(1)).rejects.toMatchObject({ code: 9001 });
  });

  it('refuses unknown platforms and objects without their collections', async () => {
    const save = (change: object) =>
      fixture.call('admin', 'RegServers/SaveRegSrv', { regserver: serverToSave(sales, change) });
    await expect(save({ DatabasePlatform: 'dbase' })).rejects.toMatchObject({ code: 9001 });
    await expect(save({ DatabasePlatform: null })).rejects.toMatchObject({ code: 9001 });
    await expect(save({ datasources: null })).rejects.toMatchObject({ code: 9000 });
    await expect(save({ Permissions: undefined })).rejects.toMatchObject({ code: 9000 });
    expect(registeredServer(fixture.store, String((await save({ DatabasePlatform: 'MariaDB' })).ID))?.platform).toBe(
      'mysql',
    );
  });

  it('asks for the password again when the database moves, so that no other host is given the stored one', async () => {
    const save = (regserver: RegisteredServer) => fixture.call('admin', 'RegServers/SaveRegSrv', { regserver });
    const saved = await save(serverToSave(sales, { DatabasePassword: 's3cret' }));
    for (const move of [{ DatabaseServer: 'evil.example.com' }, { additionalparams: 'port=1' }]) {
      await expect(save({ ...saved, ...move })).rejects.toMatchObject({ code: 9001 });
      expect(await save({ ...saved, ...move, DatabasePassword: 'typed' })).toMatchObject(move);
      await save({ ...saved, DatabasePassword: 's3cret' });
    }
    expect(await save({ ...saved, DisplayName: 'Renamed' })).toMatchObject({ DisplayName: 'Renamed' });
    const without = await save(serverToSave(sales));
    expect(await save({ ...without, DatabaseServer: 'db.example.com' })).toMatchObject({
      DatabaseServer: 'db.example.com',
    });
  });

  it('answers 204 to whoever may not administer the application, old or new', async () => {
    assignApplication(fixture.store, fixture.user('architect'), sales, architect);
    assignApplication(fixture.store, fixture.user('builder'), sales, builder);
    const ofStock = await fixture.call('admin', 'RegServers/SaveRegSrv', { regserver: serverToSave(stock) });
    const save = (login: string, regserver: RegisteredServer) =>
      fixture.call(login, 'RegServers/SaveRegSrv', { regserver });
    expect(await save('builder', serverToSave(sales))).toBe(noContent);
    expect(await save('architect', serverToSave(stock))).toBe(noContent);
    expect(await save('architect', { ...serverToSave(sales), ID: ofStock.ID })).toBe(noContent);
    expect(await save('architect', serverToSave('99'))).toBe(noContent);
    await expect(save('admin', serverToSave('99'))).rejects.toMatchObject({ code: 9001 });
    const own = await fixture.call('architect', 'RegServers/SaveRegSrv', { regserver: serverToSave(sales) });
    expect(own.DisplayName).toBe('Warehouse');
    expect(await save('architect', { ...own, service: { ID: stock, ModuleType: 'ANYDB' } })).toBe(noContent);
    expect(await fixture.call('builder', 'RegServers/GetAdminRegisteredServers', {})).toEqual([]);
    expect(await fixture.call('architect', 'RegServers/GetAdminRegisteredServers', {})).toHaveLength(1);
  });
});

describe('TestConnection', () => {
  it('passes when the database answers, and says why when it does not', async () => {
    const test = (change: object) =>
      fixture.call('admin', 'RegServers/TestConnection', { regserver: serverToSave(sales, change) });
    expect(await test({})).toBe('Passed');
    expect(await test({ DatabaseName: '/nowhere/at/all.duckdb' })).toContain('Warehouse');
    expect(await test({ DatabaseName: '/nowhere/at/all.duckdb' })).not.toBe('Passed');
    fixture.user('nobody');
    expect(await fixture.call('nobody', 'RegServers/TestConnection', { regserver: serverToSave(sales) })).toBe(
      noContent,
    );
  });

  it('uses the stored password for the stored address only', async () => {
    const regserver = serverToSave(sales, { DatabasePassword: 's3cret' });
    const saved = await fixture.call('admin', 'RegServers/SaveRegSrv', { regserver });
    const used: (string | undefined)[] = [];
    const open = fixture.databases.openApart.bind(fixture.databases);
    fixture.databases.openApart = (address, password) => {
      used.push(password);
      return open(address, password);
    };
    const test = (change: object) =>
      fixture.call('admin', 'RegServers/TestConnection', { regserver: { ...saved, ...change } });
    await test({});
    await test({ DatabaseServer: 'evil.example.com' });
    await test({ additionalparams: 'host=evil.example.com' });
    await test({ DatabaseServer: 'evil.example.com', DatabasePassword: 'typed' });
    expect(used).toEqual(['s3cret', '', '', 'typed']);
  });
});
