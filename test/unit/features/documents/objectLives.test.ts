import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { objectTargetOf } from '../../../../src/editor/nodes/objectTarget.ts';
import type { ListName, TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { cloneObject, renameObject } from '../../../../src/features/documents/commands.ts';
import { newObject } from '../../../../src/features/documents/newObjects.ts';
import { deleteObjects } from '../../../../src/features/documents/deleteObjects.ts';
import { openCommandScene, rowsBelow, type CommandScene } from '../../../support/commandScene.ts';
import { useDocuments } from '../../../support/documents/documentServices.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { documents } from '../../../support/vscode/documents.ts';
import { person } from '../../../support/vscode/person.ts';

interface Life {
  /** What the list of kinds calls it. */
  label: string;
  /** Place that the list of places offers, where there is one. */
  place?: string;
  /** The list that it is in; the Public Library without it. */
  list?: ListName;
  /** Its name in the template, or its beginning. */
  template: RegExp;
  /** Text of the template, and what is typed over it. */
  typed: readonly [before: string, after: string];
  /** Field and value that the copy has to have from the original. */
  holds: Record<string, unknown>;
}

const lives: readonly Life[] = [
  {
    ...{ label: 'Group', list: 'groups', template: /"GroupName": ""/ },
    typed: ['"GroupDescription": ""', '"GroupDescription": "Works late"'],
    holds: { GroupDescription: 'Works late' },
  },
  {
    ...{ label: 'Data Tag', list: 'dataTags', template: /"Label": "[^"]*"/ },
    typed: ['"DefaultValue": ""', '"DefaultValue": "West"'],
    holds: { DefaultValue: 'West' },
  },
  {
    ...{ label: 'Policy', list: 'policies', template: /"Name": "[^"]*"/ },
    typed: ['"Description": "Created ', '"Description": "Drafted '],
    holds: { Description: expect.stringMatching(/^Drafted /) as string },
  },
  {
    ...{ label: 'Folder', place: 'Public Library', template: /"fname": "[^"]*"/ },
    typed: ['"isHidden": false', '"isHidden": true'],
    holds: { isHidden: true },
  },
];

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let service: ReturnType<typeof useDocuments>;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
});
beforeEach(() => {
  service = useDocuments(scene);
});
afterEach(async () => {
  await documents.settled();
  service.close();
  person.leave();
});
afterAll(async () => {
  await scene.close();
  await server.stop();
});

/** The document in front. */
function shown() {
  const document = documents.active();
  if (!document) throw new Error('No document is shown.');
  return document;
}

it.each(lives)('a $label is made, renamed, copied and deleted, each step as the server holds it', async (life) => {
  const list = async (): Promise<TreeNode[]> => {
    const rows = life.list
      ? await scene.rows(connection, life.list)
      : await rowsBelow(await scene.find(connection, 'library', 'public'));
    return rows.filter(objectTargetOf);
  };
  const row = async (name: string) => (await list()).find((node) => objectTargetOf(node)?.name === name);
  const found = async (name: string) => {
    const node = await row(name);
    if (!node) throw new Error(`${name} is not in the list.`);
    return node;
  };
  const before = (await list()).length;

  person.answers('Shop', life.label);
  if (life.place !== undefined) person.answers('', life.place);
  await newObject(scene.services, scene.services.tree.serverNode(connection));
  const [, field = ''] = /"(\w+)":/.exec(life.template.source) ?? [];
  documents.type(shown(), life.template.exec(shown().getText())?.[0] ?? '', `"${field}": "First"`);
  documents.type(shown(), ...life.typed);
  expect(await list(), 'nothing exists before it is saved').toHaveLength(before);
  person.mayAnswer('', 'Save');
  expect(await shown().save()).toBe(true);
  await documents.settled();
  person.leave();

  person.answers(`Rename ${life.label.toLowerCase()} "First" on Shop`, 'Second');
  await renameObject(scene.services, await found('First'));
  await documents.settled();
  expect(await row('First')).toBeUndefined();

  await cloneObject(scene.services, await found('Second'));
  expect(JSON.parse(shown().getText())).toMatchObject({ [field]: 'Second copy', ...life.holds });
  person.mayAnswer('', 'Save');
  expect(await shown().save()).toBe(true);
  await documents.settled();
  person.leave();
  expect(await list()).toHaveLength(before + 2);

  const both = [await found('Second'), await found('Second copy')];
  person.mayAnswer('', 'Delete');
  await deleteObjects(scene.services, both[0], both);
  expect(await list()).toHaveLength(before);
});
