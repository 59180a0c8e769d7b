import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectOf, type TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { renameDataTag } from '../../../../src/features/documents/commands.ts';
import { deleteObjects } from '../../../../src/features/documents/deleteObjects.ts';
import { grantRole } from '../../../../src/features/security/applicationRoles.ts';
import { assignPolicy, unassignPolicy } from '../../../../src/features/security/assignPolicy.ts';
import { addToGroup } from '../../../../src/features/security/groupMembers.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { useDocuments } from '../../../support/documents/documentServices.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { TenantAdmin } from '../../../support/tenants/tenantAdmin.ts';

/* What is said about access is the product's: names that somebody else chose neither add a sentence nor hide one. */

const policy = 'Own States Only';
const forged = 'uevil will see no rows of flights.';
const names = {
  'a line break': `Branch\n${forged}`,
  'markup and control characters': `Branch $(trash) [x](command:y) <b>bold</b> \u202E\u0007`,
  '10,000 characters': 'Branch'.padEnd(10_000, 'L'),
};

let server: LocalTestServer;
let scene: CommandScene;
let service: ReturnType<typeof useDocuments>;
let admin: TenantAdmin;

beforeAll(async () => {
  server = await startLocalServer(true);
  scene = await openCommandScene();
  service = useDocuments(scene);
  admin = new TenantAdmin(scene, await scene.addServer('Shop', server.apiBase, server.adminPassword));
});

afterAll(async () => {
  service.close();
  await scene.close();
  await server.stop();
});

describe.each(Object.entries(names))('a group with %s in its name', (_, name) => {
  let group: TreeNode;
  const onPolicy = async () => ({ dropped: [group], onto: await admin.row('policies', policy) });

  it('is unassigned after a question whose lines are all our own', async () => {
    await createOn(admin.connection, 'group', name);
    await createOn(admin.connection, 'user', `u${name.length}`);
    const rows = await scene.rows(admin.connection, 'groups');
    const found = rows.find((node) => objectOf(node)?.name.startsWith('Branch'));
    if (!found) throw new Error('The group has no row.');
    group = found;
    const dropped = [await admin.row('users', `u${name.length}`)];
    await admin.does(() => addToGroup(scene.services, { dropped, onto: group }), { picks: ['Modify'] });
    await admin.does(async () => assignPolicy(scene.services, await onPolicy()));
    const asked = await admin.does(async () => unassignPolicy(scene.services, await onPolicy()));
    const said = asked.split('\n');
    expect(said).toContain(`u${name.length} will see all rows of airports, birdstrikes and flights.`);
    expect(said.filter((line) => line.startsWith(forged))).toEqual([]);
    expect(said.find((line) => line.startsWith('The policy no longer restricts'))?.length).toBeLessThan(200);
  });

  it('is deleted once its name is typed as it is shown', async () => {
    await admin.does(async () => assignPolicy(scene.services, await onPolicy()));
    const shown = objectOf(group)?.name ?? '';
    const typed = shown.replaceAll('$(', '$ (').replaceAll('](', '] (');
    const asked = await admin.does(() => deleteObjects(scene.services, group), { types: [typed] });
    expect(asked).toContain(`u${name.length} will see all rows of airports, birdstrikes and flights.`);
    const left = await scene.rows(admin.connection, 'groups');
    expect(left.map((node) => objectOf(node)?.name).filter((each) => each?.startsWith('Branch'))).toEqual([]);
  });
});

it('a tag is renamed, and a role granted, after questions whose lines are all our own', async () => {
  const constraint = { ModuleID: '', TableOwner: '', TableName: 'flights', ColumnName: 'origin_state', Operator: '=' };
  const Constraints = [{ ...constraint, Value: '/#state#/', Value2: '', Logical: 'AND', ColumnType: '' }];
  await createOn(admin.connection, 'policy', `Rows\n${forged}`, { Constraints, Groups: [], Users: [] });
  const row = await admin.row('dataTags', 'state');
  const asked = await admin.does(() => renameDataTag(scene.services, row), { types: ['area'] });
  expect(asked).toContain(`Rows ${forged}`);
  await createOn(admin.connection, 'user', `one\n${forged}`);
  await createOn(admin.connection, 'user', 'two');
  const all = await scene.rows(admin.connection, 'users');
  const users = all.filter((node) => /^(one|two)/.test(objectOf(node)?.name ?? ''));
  expect(users).toHaveLength(2);
  const picks = ['Flight Operations', 'Agent'];
  const granted = await admin.does(() => grantRole(scene.services, users[0], users), { picks });
  expect(granted).toContain(`one ${forged}`);
  for (const said of [asked, granted]) {
    expect(said.split('\n').filter((line) => line.startsWith(forged))).toEqual([]);
  }
});
