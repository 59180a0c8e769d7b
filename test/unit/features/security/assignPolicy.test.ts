import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import {
  activatePolicy,
  assignPolicy,
  deactivatePolicy,
  unassignPolicy,
} from '../../../../src/features/security/assignPolicy.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let count = 0;
let policy: string;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  for (const name of ['North', 'South']) await createOn(connection, 'group', name);
});

beforeEach(async () => {
  policy = `Scope ${(count += 1)}`;
  await createOn(connection, 'policy', policy);
});

afterEach(() => person.leave());

afterAll(async () => {
  await scene.close();
  await server.stop();
});

/** What the server has of the policy: whether it is active, and the groups and users that it is assigned to. */
async function onServer(name = policy) {
  const policies = await (await connection.client()).call('Shield/GetAllShieldPolicies', {});
  const found = policies.find(({ Name }) => Name === name);
  const userOf = (user: unknown) =>
    typeof user === 'object' && user !== null && 'LoginName' in user ? user.LoginName : user;
  return {
    isActive: found?.isActive,
    groups: (found?.Groups ?? []).map(({ GroupName }) => GroupName),
    users: (found?.Users ?? []).map(userOf),
  };
}

const row = (name = policy) => scene.row(connection, 'policies', name);
const group = (name: string) => scene.row(connection, 'groups', name);

/** Assigns the policy to a group and to admin, and turns it on or off. */
async function inUse(isActive: boolean, name = policy): Promise<void> {
  person.answers(`Assign "${name}" on Shop`, ['North', 'admin']);
  await assignPolicy(scene.services, await row(name));
  await (isActive ? activatePolicy : deactivatePolicyUnasked)(scene.services, await row(name));
  expect(await onServer(name)).toEqual({ isActive, groups: ['North'], users: ['admin'] });
}

async function deactivatePolicyUnasked(...given: Parameters<typeof deactivatePolicy>): Promise<void> {
  if ((await onServer()).isActive) person.answers('Deactivate policy', 'Deactivate');
  await deactivatePolicy(...given);
}

describe('assigning', () => {
  it('gives the policy to the groups and users that are ticked', async () => {
    person.answers(`Assign "${policy}" on Shop`, ['South', 'admin']);
    await assignPolicy(scene.services, await row());
    expect(await onServer()).toMatchObject({ groups: ['South'], users: ['admin'] });
  });

  it('does nothing if the list is dismissed', async () => {
    person.answers(`Assign "${policy}" on Shop`, dismiss);
    await assignPolicy(scene.services, await row());
    expect(await onServer()).toMatchObject({ groups: [], users: [] });
  });

  it('takes a dropped group without a list, and offers only who lacks the policy afterwards', async () => {
    await assignPolicy(scene.services, { dropped: [await group('North')], onto: await row() });
    expect(await onServer()).toMatchObject({ groups: ['North'], users: [] });
    person.answers(`Assign "${policy}" on Shop`, dismiss);
    await assignPolicy(scene.services, await row());
    expect(person.shown.find(({ text }) => text.includes(policy) && text.includes('restrict'))?.choices).not.toContain(
      'North',
    );
  });

  it('asks for the policy when it is called on a group', async () => {
    person.answers('Policy', policy);
    await assignPolicy(scene.services, await group('South'));
    expect(await onServer()).toMatchObject({ groups: ['South'], users: [] });
  });

  it('does nothing when it is called on a group and the list of policies is left', async () => {
    person.answers('Policy', dismiss);
    await assignPolicy(scene.services, await group('South'));
    expect(await onServer()).toMatchObject({ groups: [], users: [] });
  });
});

describe('taking away', () => {
  it('asks for an active policy, with the names of those who see more then', async () => {
    await inUse(true);
    person
      .answers(`Unassign "${policy}" on Shop`, ['admin'])
      .answers(`Unassign policy "${policy}" on Shop?`, 'Unassign');
    await unassignPolicy(scene.services, await row());
    expect(await onServer()).toMatchObject({ groups: ['North'], users: [] });
    const question = person.texts('message').at(-1);
    expect(question).toContain('admin');
    expect(question).not.toContain('North');
  });

  it('keeps the assignment when the question is declined', async () => {
    await inUse(true);
    person.answers(`Unassign "${policy}" on Shop`, ['admin', 'North']).answers('Unassign policy', dismiss);
    await unassignPolicy(scene.services, await row());
    expect(await onServer()).toEqual({ isActive: true, groups: ['North'], users: ['admin'] });
  });

  it('keeps the assignment if the list is dismissed', async () => {
    await inUse(true);
    person.answers(`Unassign "${policy}" on Shop`, dismiss);
    await unassignPolicy(scene.services, await row());
    expect(await onServer()).toEqual({ isActive: true, groups: ['North'], users: ['admin'] });
  });

  it('does not ask for an inactive policy', async () => {
    await inUse(false);
    person.answers(`Unassign "${policy}" on Shop`, ['North']);
    await unassignPolicy(scene.services, await row());
    expect(await onServer()).toMatchObject({ groups: [], users: ['admin'] });
  });
});

describe('turning off', () => {
  it('asks with the names of those who see more then', async () => {
    await inUse(true);
    person.answers(`Deactivate policy "${policy}" on Shop?`, 'Deactivate');
    await deactivatePolicy(scene.services, await row());
    expect(await onServer()).toMatchObject({ isActive: false, groups: ['North'] });
    expect(person.texts('message').at(-1)).toMatch(/North|admin/);
  });

  it('leaves the policy on when the question is declined', async () => {
    await inUse(true);
    person.answers('Deactivate policy', dismiss);
    await deactivatePolicy(scene.services, await row());
    expect(await onServer()).toMatchObject({ isActive: true });
  });

  it('does not ask for a policy that restricts nobody', async () => {
    await activatePolicy(scene.services, await row());
    expect(await onServer()).toMatchObject({ isActive: true });
    await deactivatePolicy(scene.services, await row());
    expect(await onServer()).toMatchObject({ isActive: false });
  });

  it('asks once for several, and leaves all on when it is declined', async () => {
    const [first, second] = [policy, `${policy} b`];
    await createOn(connection, 'policy', second);
    await inUse(true, first);
    await inUse(true, second);
    const rows = [await row(first), await row(second)];
    person.answers('Deactivate 2 policies on Shop?', dismiss);
    await deactivatePolicy(scene.services, rows[0], rows);
    expect([(await onServer(first)).isActive, (await onServer(second)).isActive]).toEqual([true, true]);
    person.answers('Deactivate 2 policies on Shop?', 'Deactivate');
    await deactivatePolicy(scene.services, rows[0], rows);
    expect([(await onServer(first)).isActive, (await onServer(second)).isActive]).toEqual([false, false]);
  });
});
