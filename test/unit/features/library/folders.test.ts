import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import type { TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { hideFolders, moveFolder, newFolder, showFolders } from '../../../../src/features/library/folders.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let libraryId: string;
let north: string;
let count = 0;
let name: string;
let id: string;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  north = await createOn(connection, 'group', 'North');
  await createOn(connection, 'user', 'nora', { Pin: 'a long enough passphrase 1' });
  const client = await connection.client();
  const roots = await client.call('library/GetAllLibraryTree', { includefav: false, includePersonal: false });
  libraryId = String(roots[0]?.rootnode?.id);
});

beforeEach(async () => {
  name = `Folder ${(count += 1)}`;
  id = await createOn(connection, 'folder', name, {}, libraryId);
});

afterEach(() => person.leave());

afterAll(async () => {
  await scene.close();
  await server.stop();
});

const row = (...names: string[]): Promise<TreeNode> => scene.find(connection, 'library', 'public', ...names);
const fromServer = async (folderid = id) => (await connection.client()).call('library/GetFolderById', { folderid });

/** Names of the subfolders of this test's folder. */
async function subfolders(): Promise<string[]> {
  const node = await row(name);
  return node.kind === 'folder' ? node.folders.map(({ text }) => String(text)) : [];
}

describe('a new folder', () => {
  it('is created with the groups that are ticked, and read back', async () => {
    person.answers(`New folder in ${name} on Shop`, 'Tenants').answers('Who sees "Tenants"', ['North']);
    await newFolder(scene.services, await row(name));
    const created = await row(name, 'Tenants');
    const { Permissions, ParentLibrary } = await fromServer(created.kind === 'folder' ? created.folderId : '');
    expect(Permissions?.map(({ RightID }) => String(RightID))).toEqual([north]);
    expect(String(ParentLibrary)).toBe(id);
  });

  it('is seen by who sees its parent if no group is ticked', async () => {
    person.answers('New folder in', 'Open').answers('Who sees "Open"', []);
    await newFolder(scene.services, await row(name));
    const created = await row(name, 'Open');
    expect((await fromServer(created.kind === 'folder' ? created.folderId : '')).Permissions).toEqual([]);
  });

  it('is not created when its name, its groups or its place is not given', async () => {
    person.answers('New folder in', dismiss);
    await newFolder(scene.services, await row(name));
    person.answers('New folder in', 'Never').answers('Who sees "Never"', dismiss);
    await newFolder(scene.services, await row(name));
    person.answers('New Folder', dismiss);
    await newFolder(scene.services);
    expect(await subfolders()).toEqual([]);
  });

  it('asks for no groups in the personal library', async () => {
    person.answers('New folder in', `Mine ${count}`);
    await newFolder(scene.services, await scene.find(connection, 'library', 'personal'));
    await scene.find(connection, 'library', 'personal', `Mine ${count}`);
  });
});

describe('moving', () => {
  it('asks who then sees the folder, and moves it', async () => {
    const place = `Place ${count}`;
    const parent = await createOn(connection, 'folder', place, {}, libraryId);
    person
      .answers(`Move ${name}`, place)
      .answers(`2 users will still see the content of ${name}: guest and nora.`, dismiss);
    await moveFolder(scene.services, await row(name));
    expect(String((await fromServer()).ParentLibrary)).toBe(libraryId);
    person.answers(`Move ${name}`, place).answers(`Move folder "${name}" to ${place} on Shop?`, 'Move');
    await moveFolder(scene.services, await row(name));
    expect(String((await fromServer()).ParentLibrary)).toBe(parent);
  });

  it('says by name who sees the folder from then on, and who no longer does', async () => {
    const place = `Place ${count}`;
    await createOn(connection, 'folder', place, { Permissions: [{ RightID: north }] }, libraryId);
    await createOn(connection, 'folder', `Inside ${count}`, {}, id);
    person.answers(`Move ${name}`, place).answers('Move folder', dismiss);
    await moveFolder(scene.services, await row(name));
    expect(person.texts('message').at(-1)).toContain(
      `2 users will no longer see the content of ${name} and Inside ${count}: guest and nora.`,
    );
  });

  it('says that only the owner sees a personal folder', async () => {
    const personal = await scene.find(connection, 'library', 'personal');
    const parent = personal.kind === 'libraryRoot' ? personal.folderId : '';
    const [own, place] = [`Own ${count}`, `Own place ${count}`];
    await createOn(connection, 'folder', own, {}, parent);
    await createOn(connection, 'folder', place, {}, parent);
    const words = `Only the owner and super-admins will see the content of ${own}.`;
    person.answers('Move Folder', own).answers(`Move ${own}`, place).answers(words, dismiss);
    await moveFolder(scene.services);
  });

  it('offers neither the folder nor those inside it', async () => {
    await createOn(connection, 'folder', `Inside ${count}`, {}, id);
    person.answers(`Move ${name}`, dismiss);
    await moveFolder(scene.services, await row(name));
    const { choices } = person.shown.at(-1) ?? { choices: [] };
    expect(choices).toContain('Folder 1');
    expect(choices.filter((label) => label === name || label === `Inside ${count}`)).toEqual([]);
  });

  it('moves several at once', async () => {
    const [one, place] = [`One ${count}`, `Place ${count}`];
    const other = await createOn(connection, 'folder', one, {}, libraryId);
    const parent = await createOn(connection, 'folder', place, {}, libraryId);
    const rows = [await row(name), await row(one)];
    person.answers(`Move ${name}, ${one}`, place).answers(`Move 2 folders to ${place} on Shop?`, 'Move');
    await moveFolder(scene.services, rows[0], rows);
    for (const moved of [id, other]) expect(String((await fromServer(moved)).ParentLibrary)).toBe(parent);
  });
});

describe('hiding', () => {
  it('hides a folder, and shows it again only when that is agreed to', async () => {
    await hideFolders(scene.services, await row(name));
    expect((await fromServer()).isHidden).toBe(true);
    person.answers(`Show folder "${name}" on Shop`, dismiss);
    await showFolders(scene.services, await row(name));
    expect((await fromServer()).isHidden).toBe(true);
    person.answers(`Show folder "${name}" on Shop`, 'Show');
    await showFolders(scene.services, await row(name));
    expect((await fromServer()).isHidden).toBe(false);
  });

  it('says by name who can see shown folders and those inside that are not hidden, and which above is', async () => {
    await createOn(connection, 'folder', `Shown ${count}`, {}, id);
    await createOn(connection, 'folder', `Aside ${count}`, { isHidden: true }, id);
    const inside = await createOn(connection, 'folder', `Inside ${count}`, { Permissions: [{ RightID: north }] }, id);
    await hideFolders(scene.services, await row(name));
    await hideFolders(scene.services, await row(name, `Inside ${count}`));
    person.answers(`Show folder "${name}" on Shop?`, dismiss);
    await showFolders(scene.services, await row(name));
    expect(person.texts('message').at(-1)).toBe(
      `Show folder "${name}" on Shop?\n2 users can see the content of ${name} and Shown ${count} afterwards: guest and nora.`,
    );
    person.answers(`Show folder "Inside ${count}" on Shop?`, 'Show');
    await showFolders(scene.services, await row(name, `Inside ${count}`));
    expect(person.texts('message').at(-1)).toBe(
      `Show folder "Inside ${count}" on Shop?\nStill hidden, because a folder above is (${name}): Inside ${count}.`,
    );
    expect((await fromServer(inside)).isHidden).toBe(false);
  });

  it('leaves personal folders out, and says so', async () => {
    const personal = await scene.find(connection, 'library', 'personal');
    const parent = personal.kind === 'libraryRoot' ? personal.folderId : '';
    await createOn(connection, 'folder', `Own ${count}`, {}, parent);
    await hideFolders(scene.services, await scene.find(connection, 'library', 'personal', `Own ${count}`));
    expect(person.texts('message').at(-1)).toContain('does not apply to personal folders');
  });

  it('hides nothing when the list of folders is left', async () => {
    person.answers('Hide Folder', dismiss);
    await hideFolders(scene.services);
    expect((await fromServer()).isHidden).toBe(false);
  });
});
