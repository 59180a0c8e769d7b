import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { CommandError } from '../../../../src/editor/commandError.ts';
import { objectTargetOf } from '../../../../src/editor/nodes/objectTarget.ts';
import type { ListName } from '../../../../src/editor/nodes/treeNode.ts';
import {
  cloneObject,
  describeReport,
  reloadObject,
  renameObject,
} from '../../../../src/features/documents/commands.ts';
import { newObject, newPolicy } from '../../../../src/features/documents/newObjects.ts';
import { changeOn, createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { useDocuments } from '../../../support/documents/documentServices.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { documents } from '../../../support/vscode/documents.ts';
import { ran } from '../../../support/vscode/index.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

/** On a busy machine, what follows by itself takes its time. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let service: ReturnType<typeof useDocuments>;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  await createOn(connection, 'group', 'North', { GroupDescription: 'Sales' });
});

beforeEach(() => {
  service = useDocuments(scene);
});

afterEach(async () => {
  await documents.settled();
  service.close();
  ran.length = 0;
  person.leave();
});

afterAll(async () => {
  await scene.close();
  await server.stop();
});

const row = (list: ListName, name: string) => scene.row(connection, list, name);

async function namesOf(list: ListName): Promise<string[]> {
  return (await scene.rows(connection, list)).map((node) => objectTargetOf(node)?.name ?? '?').sort();
}

/** The bodies of the calls for a module, which is answered here while `work` runs; the server answers the others. */
async function withModule(reply: object, work: () => Promise<void>): Promise<unknown[]> {
  const client = await connection.client();
  const bodies: unknown[] = [];
  const original = client.call.bind(client) as (...call: unknown[]) => unknown;
  const call = (...given: unknown[]) => {
    if (given[0] !== 'AppBuilder/GetAnyDbModule') return original(...given);
    bodies.push(given[1]);
    return Promise.resolve(reply);
  };
  Object.defineProperty(client, 'call', { value: call, configurable: true });
  await work().finally(() => Reflect.deleteProperty(client, 'call'));
  return bodies;
}

/** The row of a report type. */
async function reportTypeNode() {
  const section = { kind: 'section', section: 'semanticLayer', id: 's', connection, parent: undefined };
  const application = { kind: 'application', id: 'a', connection, parent: section, applicationId: '5', name: 'Shop' };
  const database = { kind: 'registeredServer', id: 'd', connection, parent: application, database: { serverId: '7' } };
  const { installation } = await row('groups', 'North');
  return {
    kind: 'reportType',
    id: 't',
    connection,
    installation,
    parent: database,
    reportTypeId: '42',
    name: 'Orders',
  };
}

/** Opens the document of a row. */
async function open(list: ListName, name: string) {
  const target = objectTargetOf(await row(list, name));
  if (!target) throw new Error(`${name} has no document.`);
  await (await scene.services.documents()).open(target);
  const document = documents.active();
  if (!document) throw new Error(`${name} is not shown.`);
  return document;
}

describe('a clone', () => {
  it('is nothing on the server until it is saved, and then another object in place of its document', async () => {
    const before = await namesOf('groups');
    await cloneObject(scene.services, await row('groups', 'North'));
    const copy = documents.active();
    expect(JSON.parse(copy?.getText() ?? '')).toMatchObject({ GroupName: 'North copy', GroupDescription: 'Sales' });
    expect(copy?.isDirty).toBe(true);
    expect(await namesOf('groups')).toEqual(before);
    expect(await copy?.save()).toBe(true);
    await soon(documents.tabs).toEqual([expect.stringMatching(/^\/group\/\d+\/North copy\.group\.json$/)]);
    expect(await namesOf('groups')).toEqual([...before, 'North copy'].sort());
    expect(service.saved).toMatchObject([{ isNew: true, target: { kind: 'group', name: 'North copy' } }]);
    const original = await open('groups', 'North');
    expect(original.uri.toString()).not.toBe(copy?.uri.toString());
    expect(JSON.parse(original.getText())).toMatchObject({ GroupName: 'North', GroupDescription: 'Sales' });
  });

  it('has what is on the server, and says so while the original has unsaved changes', async () => {
    const original = await open('groups', 'North');
    documents.type(original, '"Sales"', '"Marketing"');
    await cloneObject(scene.services, await row('groups', 'North'));
    expect(documents.active()?.getText()).toContain('"Sales"');
    expect(person.texts('message')).toEqual([expect.stringContaining('without the unsaved changes to "North"')]);
    expect(original.getText()).toContain('"Marketing"');
  });

  it('is refused when another installation answers', async () => {
    const node = { ...(await row('groups', 'North')), installation: 'another' };
    await expect(cloneObject(scene.services, node)).rejects.toThrow(CommandError);
    expect(documents.tabs()).toEqual([]);
  });

  it('is not created a second time by what was typed while it was saved', async () => {
    await cloneObject(scene.services, await row('groups', 'North'));
    const copy = documents.active();
    if (!copy) throw new Error('The copy is not shown.');
    documents.type(copy, 'North copy', 'South');
    const saving = copy.save();
    documents.type(copy, '"Sales"', '"Marketing"');
    expect(await saving).toBe(true);
    const before = await namesOf('groups');
    expect(before.filter((name) => name === 'South')).toHaveLength(1);
    expect(await copy.save()).toBe(false);
    expect(person.texts('message')).toEqual([expect.stringContaining('it was already created')]);
    expect(await namesOf('groups')).toEqual(before);
    expect(copy.getText()).toContain('"Marketing"');
  });
});

describe('a new object', () => {
  it('of a list is of its kind, with its first password asked for', async () => {
    await newObject(scene.services, { ...(await row('users', 'admin')), kind: 'list', list: 'users' });
    const document = documents.active();
    expect(document?.uri.path).toMatch(/^\/user\/new-/);
    documents.type(document as never, '"LoginName": ""', '"LoginName": "vera"');
    person.answers('Password of', dismiss);
    expect(await document?.save()).toBe(false);
    expect(await namesOf('users')).not.toContain('vera');
    person.answers('Password of', 'a long enough passphrase 1');
    expect(await document?.save()).toBe(true);
    expect(await namesOf('users')).toContain('vera');
  });

  it('of a policy starts with the data tag it was called on, in the form of the policies there', async () => {
    const constraint = { ModuleID: '', TableName: 'orders', ColumnName: 'state', Operator: '<>', Value: 'NY' };
    await createOn(connection, 'policy', 'Learned', { Constraints: [constraint] });
    await createOn(connection, 'tag', 'territory');
    await newPolicy(scene.services, await row('dataTags', 'territory'));
    const document = documents.active();
    expect(document?.uri.path).toMatch(/^\/policy\/new-/);
    expect(JSON.parse(document?.getText() ?? '')).toMatchObject({
      Constraints: [{ ModuleID: '', TableName: '', ColumnName: '', Operator: '=', Value: '/#territory#/' }],
    });
  });

  it.each([
    [
      'the only table, whatever its aliases',
      [
        ['o', 'orders'],
        ['again', 'orders'],
      ],
      undefined,
      'orders',
    ],
    [
      'the selected table of several',
      [
        ['o', 'orders'],
        ['c', 'customers'],
      ],
      'customers',
      'customers',
    ],
  ] as const)('of a policy starts with %s of the report type', async (_case, tables, answer, table) => {
    const SQLTables = tables.map(([tablealias, tablename]) => ({ tablealias, tableowner: 'shop', tablename }));
    const module = {
      ReportTypes: [
        { RepTypeID: 41, SQLTables: [] },
        { RepTypeID: 42, SQLTables },
      ],
    };
    if (answer) person.answers('New policy for a table of "Orders"', answer);
    const bodies = await withModule(module, async () => newPolicy(scene.services, await reportTypeNode()));
    expect(bodies).toEqual([{ moduleid: '5', regserverid: '7' }]);
    expect(documents.active()?.uri.path).toMatch(/^\/policy\/new-/);
    expect(JSON.parse(documents.active()?.getText() ?? '')).toMatchObject({
      Constraints: [{ ModuleID: '5', TableName: table, ColumnName: '', Operator: '=', Value: '' }],
    });
  });

  it('of a policy is not begun if the list of tables is dismissed', async () => {
    const SQLTables = ['orders', 'customers'].map((tablename) => ({ tablealias: tablename, tablename }));
    const module = { ReportTypes: [{ RepTypeID: 42, SQLTables }] };
    person.answers('New policy for a table of "Orders"', dismiss);
    await withModule(module, async () => newPolicy(scene.services, await reportTypeNode()));
    expect(documents.tabs()).toEqual([]);
  });

  it('is not begun if the list of kinds is dismissed', async () => {
    person.answers('New object on Shop', dismiss);
    await newObject(scene.services, scene.services.tree.serverNode(connection));
    expect(documents.tabs()).toEqual([]);
  });
});

describe('renaming', () => {
  it('changes the name and nothing else, and shows it in the open document', async () => {
    await createOn(connection, 'group', 'Old', { GroupDescription: 'Kept' });
    const document = await open('groups', 'Old');
    person.answers('Rename group "Old" on Shop', '  New  ');
    await renameObject(scene.services, await row('groups', 'Old'));
    await documents.settled();
    expect(JSON.parse(document.getText())).toMatchObject({ GroupName: 'New', GroupDescription: 'Kept' });
    expect(await namesOf('groups')).toContain('New');
    expect(person.texts('status')).toEqual(['Old is now New on Shop']);
  });

  it.each([
    ['the box is left', dismiss],
    ['nothing was changed', 'Stays'],
  ] as const)('sends nothing when %s', async (_case, answer) => {
    if (!(await namesOf('groups')).includes('Stays')) await createOn(connection, 'group', 'Stays');
    person.answers('Rename group "Stays"', answer);
    await renameObject(scene.services, await row('groups', 'Stays'));
    expect(await namesOf('groups')).toContain('Stays');
    expect(person.texts('status')).toEqual([]);
  });

  it('accepts no empty name', async () => {
    person.answers('Rename group "North"', '  ');
    await expect(renameObject(scene.services, await row('groups', 'North'))).rejects.toThrow(CommandError);
    expect(await namesOf('groups')).toContain('North');
  });

  it('is refused when another installation answers, although the row has the same id', async () => {
    const node = { ...(await row('groups', 'North')), installation: 'another' };
    await expect(renameObject(scene.services, node)).rejects.toThrow(CommandError);
    expect(await namesOf('groups')).toContain('North');
  });

  it('a data tag that no policy uses asks nothing', async () => {
    await createOn(connection, 'tag', 'lonely');
    person.answers('Rename data tag "lonely"', 'alone');
    await renameObject(scene.services, await row('dataTags', 'lonely'));
    expect(await namesOf('dataTags')).toContain('alone');
  });
});

describe('reloading', () => {
  const question = 'Reload group "North" from Shop and discard unsaved changes?';

  /** Changes the description of North on the server, as another client does. */
  async function inDescription(text: string): Promise<void> {
    const id = objectTargetOf(await row('groups', 'North'))?.id ?? '';
    await changeOn(connection, 'group', id, { GroupDescription: text });
  }

  it('asks before unsaved changes are lost', async () => {
    const document = await open('groups', 'North');
    documents.type(document, '"Sales"', '"Marketing"');
    person.answers(question, dismiss);
    await reloadObject(scene.services, document.uri);
    expect(document.getText()).toContain('"Marketing"');
    await inDescription('Service');
    person.answers(question, 'Reload');
    await reloadObject(scene.services, document.uri);
    expect(document.getText()).toContain('"Service"');
    expect(document.isDirty).toBe(false);
  });

  it('asks nothing when there are none', async () => {
    const document = await open('groups', 'North');
    await inDescription('Sales');
    await reloadObject(scene.services, document.uri);
    expect(document.getText()).toContain('"Sales"');
  });
});

it('describes reports only', async () => {
  await describeReport(scene.services, await row('groups', 'North'));
  expect(person.texts('message')).toEqual([expect.stringContaining('Edit Report Description is not available')]);
});
