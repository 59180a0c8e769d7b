import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { deleteObjects } from '../../../../src/features/documents/deleteObjects.ts';
import type { Connection } from '../../../../src/connections/connection.ts';
import type { TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let servers: LocalTestServer[];
let scene: CommandScene;
let north: Connection;
let south: Connection;

beforeAll(async () => {
  servers = [await startLocalServer(), await startLocalServer()];
  scene = await openCommandScene();
  const [one, other] = servers;
  if (!one || !other) throw new Error('Two servers are needed.');
  north = await scene.addServer('North', one.apiBase, one.adminPassword);
  south = await scene.addServer('South', other.apiBase, other.adminPassword);
});

afterEach(() => person.leave());

afterAll(async () => {
  await scene.close();
  for (const server of servers) await server.stop();
});

/** A data tag of this name, and its row. */
async function tagOn(connection: Connection, label: string): Promise<TreeNode> {
  await createOn(connection, 'tag', label);
  return scene.row(connection, 'dataTags', label);
}

async function labelsOn(connection: Connection): Promise<string[]> {
  const tags = await (await connection.client()).call('DataTag/GetAllDataTags', {});
  return tags.map(({ Label }) => String(Label)).sort();
}

it('deletes on the server of the first row only, and names the rows of the other', async () => {
  const [a, b, c] = [await tagOn(north, 'A'), await tagOn(south, 'B'), await tagOn(north, 'C')];
  person.answers('Delete 2 objects on North?', 'Delete');
  await deleteObjects(scene.services, a, [a, b, c]);
  expect(person.texts('message').join()).toMatch(/Selected but not deleted: B\./);
  expect(await labelsOn(north)).toEqual([]);
  expect(await labelsOn(south)).toEqual(['B']);
});

it('takes the rows of the other server for its own when they come first, also with equal ids', async () => {
  const [a, b] = [await tagOn(north, 'A2'), await tagOn(south, 'B2')];
  person.answers('on South?', 'Delete');
  await deleteObjects(scene.services, b, [b, a]);
  expect(await labelsOn(north)).toEqual(['A2']);
  expect(await labelsOn(south)).toEqual(['B']);
});

it('deletes nothing when the question is declined', async () => {
  const row = await tagOn(north, 'Stays');
  person.answers('Delete', dismiss);
  await deleteObjects(scene.services, row, [row]);
  expect(await labelsOn(north)).toContain('Stays');
});
