import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMember } from '../../../../src/access/membership.ts';
import type { Connection } from '../../../../src/connections/connection.ts';
import type { DocumentTarget } from '../../../../src/editor/documentUri.ts';
import type { FolderNode } from '../../../../src/editor/nodes/treeNode.ts';
import { setFolderPermissions } from '../../../../src/features/library/folderPermissions.ts';
import { deleteUser } from '../../../../src/features/userImport/sendUsers.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let installation: string;
let libraryId: string;
let folder: DocumentTarget;
const groupIds = new Map<string, string>();
let count = 0;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  for (const name of ['North', 'South']) groupIds.set(name, await createOn(connection, 'group', name));
  const client = await connection.client();
  const roots = await client.call('library/GetAllLibraryTree', { includefav: false, includePersonal: false });
  libraryId = String(roots[0]?.rootnode?.id);
  installation = await client.call('LicenseManager/GetInstallationID', {});
});

beforeEach(async () => {
  const name = `Folder ${(count += 1)}`;
  const id = await createOn(connection, 'folder', name, {}, libraryId);
  folder = { connectionId: connection.id, kind: 'folder', id, name, installation };
});

afterEach(() => person.leave());

afterAll(async () => {
  await scene.close();
  await server.stop();
});

/** Names of the groups that the server opens the folder to. */
async function groups(): Promise<string[]> {
  const { Permissions } = await (await connection.client()).call('library/GetFolderById', { folderid: folder.id });
  const ids = (Permissions ?? []).map(({ RightID }) => String(RightID));
  return [...groupIds].flatMap(([name, id]) => (ids.includes(id) ? [name] : [])).sort();
}

async function tick(...names: string[]): Promise<void> {
  person.answers(`Who sees "${folder.name}"`, names);
  await setFolderPermissions(scene.services, folder);
  expect(await groups()).toEqual(names);
}

describe('groups that are ticked', () => {
  it('are those that see the folder from then on', async () => {
    await tick('North');
    await tick('North', 'South');
    await tick('South');
  });

  it('are asked about by name if a user sees the folder only with them', async () => {
    await tick('South');
    const nora = await createOn(connection, 'user', `nora ${count}`, { Pin: 'a long enough passphrase 1' });
    const client = await connection.client();
    await addMember(client, {
      groupId: groupIds.get('North') ?? '',
      userId: nora,
      roleId: '2',
      words: 'nora in North',
    });
    const words = `nora ${count} will see the content of ${folder.name}.`;
    person.answers(`Who sees "${folder.name}"`, ['North', 'South']).answers(words, dismiss);
    await setFolderPermissions(scene.services, folder);
    expect(await groups()).toEqual(['South']);
    person.answers(`Who sees "${folder.name}"`, ['North', 'South']).answers(words, 'Save');
    await setFolderPermissions(scene.services, folder);
    expect(await groups()).toEqual(['North', 'South']);
    await deleteUser(client, nora, `nora ${count}`, undefined);
  });

  it('change nothing if the list is dismissed', async () => {
    await tick('North');
    person.answers('Who sees', dismiss);
    await setFolderPermissions(scene.services, folder);
    expect(await groups()).toEqual(['North']);
  });

  it('are asked about when none is left, as all users then see it', async () => {
    await tick('North');
    person.answers('Who sees', []).answers('everyone who can see the parent folder will see', dismiss);
    await setFolderPermissions(scene.services, folder);
    expect(await groups()).toEqual(['North']);
    person.answers('Who sees', []).answers('everyone who can see the parent folder', 'Open to All Users');
    await setFolderPermissions(scene.services, folder);
    expect(await groups()).toEqual([]);
  });

  it('are asked about for no folder if the list of folders is dismissed', async () => {
    person.answers('Folder', dismiss);
    await setFolderPermissions(scene.services);
    expect(await groups()).toEqual([]);
  });
});

describe('groups that are dropped', () => {
  async function drop(...names: string[]): Promise<void> {
    const dropped = await Promise.all(names.map((name) => scene.row(connection, 'groups', name)));
    const place = { connection, installation };
    const root = { kind: 'server', id: connection.id, connection, parent: undefined } as const;
    const section = { kind: 'section', section: 'library', id: 'l', parent: root, ...place } as const;
    const library = { kind: 'libraryRoot', library: 'public', id: 'p', folderId: libraryId, folders: [] } as const;
    const onto: FolderNode = {
      kind: 'folder',
      id: 'f',
      folderId: folder.id,
      name: folder.name,
      isPersonal: false,
      isReadOnly: false,
      mayDelete: true,
      mayScope: true,
      folders: [],
      parent: { ...library, parent: section, ...place },
      ...place,
    };
    await setFolderPermissions(scene.services, { dropped, onto });
  }

  it('restrict a folder that all see only when that is agreed to', async () => {
    person.answers('Only members of North will see', dismiss);
    await drop('North');
    expect(await groups()).toEqual([]);
    person.answers('Only members of North will see', 'Restrict');
    await drop('North');
    expect(await groups()).toEqual(['North']);
  });

  it('are added to the groups of a folder only when that is agreed to', async () => {
    await tick('North');
    person.answers(`Also open "${folder.name}" on Shop to South?`, dismiss);
    await drop('North', 'South');
    expect(await groups()).toEqual(['North']);
    person.answers(`Also open "${folder.name}" on Shop to South?`, 'Open');
    await drop('North', 'South');
    expect(await groups()).toEqual(['North', 'South']);
  });

  it('change nothing when they see the folder already', async () => {
    await tick('North');
    await drop('North');
    expect(person.texts('message').at(-1)).toContain('already open to these groups');
    expect(await groups()).toEqual(['North']);
  });
});
