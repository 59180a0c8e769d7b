import { describe, expect, it } from 'vitest';
import { cloneView, createObject } from '../../../../src/objects/save/createObject.ts';
import { editableView } from '../../../../src/objects/merge/editableView.ts';
import { isFolderDeleted } from '../../../../src/objects/save/deletedObjects.ts';
import type { Json, JsonObject } from '../../../../src/objects/json.ts';
import { findKind } from '../../../../src/objects/kinds/kinds.ts';
import type { ObjectKind } from '../../../../src/objects/kinds/objectKind.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';

const applications = ['1', '2'].map((ID) => ({ service: { ID, ModuleType: `APP${ID}` }, RegisteredServers: [] }));
const emptyFolder = { id: 0, fname: 'New Folder', ParentLibrary: null, isPersonalFolder: false, Permissions: [] };
const noPassword = async (): Promise<string> => '';

describe('the copy of an object', () => {
  it('is a database of the same application, not of the first one', async () => {
    const { server, saves } = stub({ 'App/GetApplicationList': applications, 'RegServers/SaveRegSrv': { ID: '8' } });
    const kind = kindOf('server');
    const original = { ID: '7', DisplayName: 'West', ModuleType: 'APP2', service: { ID: '2', ModuleType: 'APP2' } };
    await createObject(server, { kind, view: await copy(server, kind, original), askSecret: noPassword });
    expect(saves).toMatchObject([{ regserver: { ID: '', ModuleType: 'APP2', service: { ID: '2' } } }]);
  });

  it('is a report type of the same application', async () => {
    const modules = applications.map((entry, index) => ({ ID: String(index), ModuleType: 'ANYDB', ...entry }));
    const { server } = stub({ 'AppBuilder/GetAnyDbModulesList': modules, 'AppBuilder/GetAnyDbModule': {} });
    const original = { RepTypeID: 3, Moduleid: 2, RepTypeName: 'Flights', SQLTables: [], FieldTree: [] };
    expect(await copy(server, kindOf('reporttype'), original)).toMatchObject({
      RepTypeID: 0,
      Moduleid: 2,
      RepTypeName: 'Copy',
    });
  });

  it('is a personal folder where the original is one, and belongs to the account', async () => {
    const { server, saves } = stub({ 'library/NewLibraryFolder': emptyFolder, 'library/SaveLibraryFolder': { id: 9 } });
    const kind = kindOf('folder');
    const original = { ...emptyFolder, id: 7, fname: 'Notes', ParentLibrary: '4', isPersonalFolder: true };
    await createObject(server, { kind, view: await copy(server, kind, original), askSecret: noPassword });
    expect(saves).toMatchObject([{ isShared: false, currentUserId: '12', libraryfolder: { ParentLibrary: '4' } }]);
  });
});

describe('the folder that an object is to lie in', () => {
  const below = [{ id: '4', text: 'Flights', children: [{ id: 9, text: 'Old', children: [] }] }];
  const tree = [{ rootnode: { id: 1, text: 'Public Library', children: below } }];

  it.each<{ kind: string; view: JsonObject; gone: boolean }>([
    { kind: 'report', view: { folderid: 9 }, gone: false },
    { kind: 'report', view: { folderid: 10 }, gone: true },
    { kind: 'report', view: { folderid: 0 }, gone: false },
    { kind: 'report', view: {}, gone: false },
    { kind: 'folder', view: { ParentLibrary: '4' }, gone: false },
    { kind: 'folder', view: { ParentLibrary: '11' }, gone: true },
    { kind: 'group', view: { folderid: 10 }, gone: false },
  ])('of a $kind with $view is gone: $gone', async ({ kind, view, gone }) => {
    const { server } = stub({ 'library/GetAllLibraryTree': tree });
    expect(await isFolderDeleted(server, kindOf(kind), view)).toBe(gone);
  });

  it('may be there where the server shows no folder at all', async () => {
    const { server } = stub({ 'library/GetAllLibraryTree': [] });
    expect(await isFolderDeleted(server, kindOf('report'), { folderid: 10 })).toBe(false);
  });
});

describe('a new report type', () => {
  it('is found on the database that it was created for, though every database of the application lists it', async () => {
    const databases = ['7', '8'].map((ID) => ({ ID, ModuleType: 'ANYDB', service: { ID: '2', ModuleType: 'ANYDB' } }));
    const { server, saves } = stub({
      'AppBuilder/GetAnyDbModulesList': databases,
      'AppBuilder/GetAnyDbModule': {},
      'AppBuilder/SaveAnyDbModule': 1,
    });
    const listing: ObjectServer = {
      ...server,
      call: async (path, body, guard) => {
        const isSaved = saves.length > 0 && path === 'RegServers/GetReportTypes';
        return isSaved ? [{ reporttypeid: 5, name: 'Weather', moduleid: 2 }] : server.call(path, body, guard);
      },
    };
    const kind = kindOf('reporttype');
    const view = { RepTypeID: 0, Moduleid: 2, RepTypeName: 'Weather', SQLTables: [], FieldTree: [] };
    const outcome = await createObject(listing, { kind, view, parent: '8', askSecret: noPassword });
    expect(outcome).toEqual({ kind: 'created', id: '8.2.5', notTaken: [] });
  });
});

describe('a new data tag', () => {
  it('is compared with what the server stored of it', async () => {
    const template = { ID: '', Label: '', DefaultValue: '', TagGroup: '', SecurityGroups: [], Contacts: [] };
    const { server, saves } = stub({ 'DataTag/NewDataTag': template, 'DataTag/SaveDataTag': { ID: '9' } });
    const storing: ObjectServer = {
      ...server,
      call: async (path, body, guard) => {
        if (path !== 'DataTag/GetAllDataTags') return server.call(path, body, guard);
        return saves.length > 0 ? [{ ...template, ID: '9', Label: 'state', DefaultValue: 'West' }] : [];
      },
    };
    const view = { ...template, Label: 'state', DefaultValue: 'West', TagGroup: 'places' };
    const outcome = await createObject(storing, { kind: kindOf('tag'), view, askSecret: noPassword });
    expect(outcome).toEqual({ kind: 'created', id: '9', notTaken: ['TagGroup'] });
  });
});

describe('a new user', () => {
  it.each([
    ['ignores', [], ['SecurityGroups/5']],
    ['takes', [{ GroupId: '5', GroupName: 'West', GroupRoles: [] }], []],
  ])('says so when the server %s the groups that were typed', async (_, SecurityGroups, notTaken) => {
    const template = { ID: null, LoginName: '', SecurityGroups: [], UserApplications: [], Preferences: [] };
    const { server } = stub({
      'Contact/NewContact': template,
      'Contact/SaveContact': { ID: '9' },
      'Contact/GetContactById': { ...template, ID: '9', LoginName: 'omar', SecurityGroups },
    });
    const view = { ...template, LoginName: 'omar', SecurityGroups: [{ GroupId: '5', GroupRoles: [] }] };
    const outcome = await createObject(server, { kind: kindOf('user'), view, askSecret: noPassword });
    expect(outcome).toEqual({ kind: 'created', id: '9', notTaken });
  });
});

describe('a folder that is saved', () => {
  it('keeps its owner', async () => {
    const { server, saves } = stub({ 'library/SaveLibraryFolder': { id: 7 } });
    await kindOf('folder').save(server, { ...emptyFolder, id: 7, isPersonalFolder: true });
    await kindOf('folder').save(server, emptyFolder);
    expect(saves.map((sent) => Object.keys(sent))).toEqual([
      ['libraryfolder', 'isShared'],
      ['libraryfolder', 'isShared'],
    ]);
  });
});

async function copy(server: ObjectServer, kind: ObjectKind, original: JsonObject): Promise<JsonObject> {
  const template = await kind.template?.(server);
  if (!template) throw new Error(`${kind.name} has no template.`);
  return cloneView(kind, editableView(original, kind.shape), editableView(template, kind.shape), 'Copy');
}

/** A server with these replies, lists of objects empty; `saves` are the requests that change something. */
function stub(replies: Readonly<Record<string, Json>>): { server: ObjectServer; saves: object[] } {
  const saves: object[] = [];
  const server: ObjectServer = {
    name: 'Stub',
    accountId: () => '12',
    installation: async () => '1',
    call: async (path, body) => {
      if (/\/Save/.test(path)) saves.push(body);
      return replies[path] ?? [];
    },
  };
  return { server, saves };
}

function kindOf(name: string): ObjectKind {
  const kind = findKind(name);
  if (!kind) throw new Error(`There is no kind ${name}.`);
  return kind;
}
