import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { renameTag, tagUse } from '../../../../src/access/renameTag.ts';
import { ClientError } from '../../../../src/client/clientError.ts';
import type { Connection } from '../../../../src/connections/connection.ts';
import { CommandError } from '../../../../src/editor/commandError.ts';
import { renameObject } from '../../../../src/features/documents/commands.ts';
import { objectServer } from '../../../../src/objects/objectServer.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { useDocuments } from '../../../support/documents/documentServices.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let service: ReturnType<typeof useDocuments>;
let count = 0;
let tag: string;
let tagId: string;
let to: string;
let policyIds: string[];

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
});

beforeEach(async () => {
  service = useDocuments(scene);
  count += 1;
  [tag, to] = [`region${count}`, `area${count}`];
  tagId = await createOn(connection, 'tag', tag, { DefaultValue: 'CA' });
  const compared = (Value: string) => ({ TableName: 'orders', ColumnName: 'region', Operator: 'in', Value });
  const one = { isActive: true, Constraints: [compared(`A,/#${tag}#/,/# ${tag.toUpperCase()} #/`), compared('B')] };
  const other = { Constraints: [compared(`/#other#/,/#${tag}#/`)] };
  policyIds = [
    await createOn(connection, 'policy', `One ${count}`, one),
    await createOn(connection, 'policy', `Other ${count}`, other),
  ];
});

afterEach(() => {
  service.close();
  person.leave();
});

afterAll(async () => {
  await scene.close();
  await server.stop();
});

const rename = async () => renameObject(scene.services, await scene.row(connection, 'dataTags', tag));

/** The tag's label, and what the policies compare with, as the server has them. */
async function state(): Promise<unknown[]> {
  const client = await connection.client();
  const [tags, policies] = await Promise.all([
    client.call('DataTag/GetAllDataTags', {}),
    client.call('Shield/GetAllShieldPolicies', {}),
  ]);
  const own = policyIds.map((wanted) => policies.find(({ id }) => String(id) === wanted));
  const values = own.map((policy) => /"Value":"[^"]*"/.exec(JSON.stringify(policy?.Constraints))?.[0].slice(9, -1));
  return [tags.find(({ ID }) => String(ID) === tagId)?.Label, ...values];
}

const before = () => [tag, `A,/#${tag}#/,/# ${tag.toUpperCase()} #/`, `/#other#/,/#${tag}#/`];
const after = () => [to, `A,/#${to}#/,/#${to}#/`, `/#other#/,/#${to}#/`];

it('renames the tag in every policy, however it is written there, after one question with counts', async () => {
  person.answers(`Rename data tag "${tag}" on Shop`, to);
  person.answers(`It is renamed in 3 places of 2 policies: One ${count}, Other ${count}.`, 'Rename');
  await rename();
  expect(await state()).toEqual(after());
  expect(person.texts('status')).toEqual([`${tag} is now ${to} on Shop`]);
});

it('changes nothing when the question is declined or the name is left', async () => {
  person
    .answers(`Rename data tag "${tag}" on Shop`, to)
    .answers(`Rename the data tag "${tag}" to "${to}" on Shop?`, dismiss);
  await rename();
  person.answers(`Rename data tag "${tag}" on Shop`, dismiss);
  await rename();
  expect(await state()).toEqual(before());
});

it.each([
  ['of another tag', () => 'taken', 'Another data tag has this name.'],
  ['of a profile field', () => 'Tag1', 'This is the name of a profile field.'],
  ['that placeholders cannot contain', () => 'a/#b', 'Policies cannot compare with this name.'],
  ['that is empty', () => '  ', 'Enter a name.'],
])('refuses a name %s', async (_case, name, why) => {
  if (name() === 'taken') await createOn(connection, 'tag', 'Taken');
  person.answers(`Rename data tag "${tag}" on Shop`, name());
  await expect(rename()).rejects.toThrow(why);
  expect(await state()).toEqual(before());
});

it('changes no policy when only the case of the name differs', async () => {
  to = tag.toUpperCase();
  person.answers(`Rename data tag "${tag}" on Shop`, to);
  await rename();
  expect(await state()).toEqual([to, ...before().slice(1)]);
});

it('asks when the new name gives rows: a policy compares with it already', async () => {
  const user = await createOn(connection, 'user', `nora${count}`);
  const Constraints = [{ TableName: 'planes', ColumnName: 'region', Operator: '=', Value: `/#${to}#/` }];
  await createOn(connection, 'policy', `Waits ${count}`, { isActive: true, Constraints, Users: [{ ID: user }] });
  person.answers(`Rename data tag "${tag}" on Shop`, to).answers(`nora${count} will see more rows of planes.`, dismiss);
  await rename();
  expect(await state()).toEqual(before());
});

it('says after a failure what was done, and continues when it is repeated', async () => {
  const real = objectServer(await connection.client());
  const names = { tagId, from: tag, to };
  const use = await tagUse(real, names);
  let renamed = 0;
  const stopped = renameTag(real, names, use, {
    confirm: () => async () => 'sure',
    onRenamed: () => {
      renamed += 1;
      throw new Error('cut off');
    },
  });
  await expect(stopped).rejects.toThrow('cut off');
  expect([renamed, (await state())[0]]).toEqual([1, tag]);
  person.answers(`Rename data tag "${tag}" on Shop`, to).answers('of 1 policy', 'Rename');
  await rename();
  expect(await state()).toEqual(after());
});

it('says in the message of a failure how many policies are renamed, and that the tag is not', async () => {
  const client = await connection.client();
  const exchange = client.exchange.bind(client);
  let saves = 0;
  const spy = vi.spyOn(client, 'exchange').mockImplementation((path, ...rest) => {
    if (path === 'Shield/SaveShieldPolicy' && (saves += 1) > 1)
      throw new ClientError('refused', 'Not now.', { server: 'Shop' });
    return exchange(path, ...rest);
  });
  person.answers(`Rename data tag "${tag}" on Shop`, to).answers('of 2 policies', 'Rename');
  const failure: unknown = await rename().catch((error: unknown) => error);
  spy.mockRestore();
  expect(failure).toBeInstanceOf(CommandError);
  expect(String(failure)).toContain(`Renamed in 1 of 2 policies on Shop; the data tag is still "${tag}".`);
  expect((await state())[0]).toBe(tag);
});
