import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connection } from '../../../src/connections/connection.ts';
import { objectOf, type ListName, type TreeNode } from '../../../src/editor/nodes/treeNode.ts';
import { assignPolicy, unassignPolicy } from '../../../src/features/security/assignPolicy.ts';
import { addToGroup, removeFromGroup } from '../../../src/features/security/groupMembers.ts';
import { AccessWorld, groupNames, readings, userNames } from '../../support/access/accessWorld.ts';
import { checkRows, idsBeyond } from '../../support/access/checkRows.ts';
import { saidChanges } from '../../support/access/saidChanges.ts';
import { changeOn, createOn, openCommandScene, rowsBelow, type CommandScene } from '../../support/commandScene.ts';
import { figure } from '../../support/run/figure.ts';
import { propertyRuns, soakSize } from '../../support/run/soakSize.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { dismiss, person, type Answer } from '../../support/vscode/person.ts';

/*
 * Policies reach users through two groups at once, each with a value of a tag. Several rows are dragged or selected together:
 * users onto a group and out of groups, groups onto a policy and off it. What a user then sees is what was said.
 */

const folder = mkdtempSync(path.join(tmpdir(), 'said-drags-'));
const policyNames = ['First policy', 'Second policy'];
let server: TestServer;
let world: AccessWorld;
let scene: CommandScene;
let connection: Connection;
let tagId: string;
const groupIds: string[] = [];
const policyIds: string[] = [];

beforeAll(async () => {
  server = await startServer();
  world = await AccessWorld.open(server, folder);
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  for (const name of groupNames) groupIds.push(await createOn(connection, 'group', name));
  tagId = await createOn(connection, 'tag', 'region', { isGroup: true });
  for (const name of policyNames) policyIds.push(await createOn(connection, 'policy', name, { isActive: true }));
}, 60_000);

afterAll(async () => {
  await scene.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

const constraint = fc.record({
  TableName: fc.constantFrom('deals', 'deals', 'notes', 'deals_view'),
  ColumnName: fc.constant('tenant'),
  Operator: fc.constantFrom('in', 'in', 'not in'),
  Value: fc.constantFrom('/#region#/', '/#region#/', 'North', 'South', 'North,South'),
});
/** What another administrator changes before. */
const ground = fc.record({
  values: fc.array(fc.constantFrom('North', 'South', 'north', ''), { minLength: 2, maxLength: 2 }),
  constraints: fc.array(fc.array(constraint, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 2 }),
});
const some = (count: number) => fc.subarray([...Array(count).keys()], { minLength: 1 });
const edit = fc.record({
  ground: fc.option(ground, { nil: undefined, freq: 3 }),
  kind: fc.constantFrom('join', 'join', 'leave', 'leave', 'assign', 'assign', 'unassign'),
  users: some(userNames.length),
  groups: some(groupNames.length),
  target: fc.nat(1),
  role: fc.constantFrom('View', 'View', 'None'),
  agrees: fc.constantFrom(true, true, true, false),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const counts = { edits: 0, asked: 0, gains: 0, losses: 0, byTwo: 0 };

async function rowsOf(list: ListName, names: readonly string[], which: readonly number[]): Promise<TreeNode[]> {
  const rows = await scene.rows(connection, list);
  return which.flatMap((index) => rows.filter((row) => objectOf(row)?.name === names[index]));
}

async function prepare({ ground: changed }: Edit): Promise<void> {
  if (!changed) return;
  const SecurityGroups = changed.values.flatMap((Option1, index) =>
    Option1 === '' ? [] : [{ RightID: groupIds[index] ?? '', Option1 }],
  );
  await changeOn(connection, 'tag', tagId, { SecurityGroups });
  for (const [index, Constraints] of changed.constraints.entries()) {
    await changeOn(connection, 'policy', policyIds[index] ?? '', { Constraints });
  }
}

/** Takes an edit, and returns what was asked about rows. */
async function take({ kind, users, groups, target, role, agrees }: Edit): Promise<string | undefined> {
  const asked: string[] = [];
  person.mayAnswer('', (): Answer => {
    const { kind: shown, text, choices } = person.shown.at(-1) ?? { kind: 'message', text: '', choices: [] };
    if (shown === 'list') {
      if (choices.includes(role)) return role;
      const chosen = groups.map((index) => groupNames[index] ?? '').filter((name) => choices.includes(name));
      return chosen.length > 0 ? chosen : dismiss;
    }
    if (choices.length > 0) asked.push(text);
    return agrees ? (choices[0] ?? dismiss) : dismiss;
  });
  const { services } = scene;
  try {
    const [group] = await rowsOf('groups', groupNames, [target]);
    const [policy] = await rowsOf('policies', policyNames, [target]);
    if (!group || !policy) throw new Error('Not there');
    if (kind === 'join') {
      await addToGroup(services, { dropped: await rowsOf('users', userNames, users), onto: group });
    } else if (kind === 'leave') {
      const below = await Promise.all((await rowsOf('groups', groupNames, groups)).map(rowsBelow));
      const wanted = users.map((index) => userNames[index]);
      const members = below.flat().filter((row) => wanted.some((name) => name === objectOf(row)?.name));
      if (members.length > 0) await removeFromGroup(services, members[0], members);
    } else if (kind === 'assign') {
      await assignPolicy(services, { dropped: await rowsOf('groups', groupNames, groups), onto: policy });
    } else await unassignPolicy(services, policy);
  } finally {
    person.leave();
  }
  return asked.length === 0 ? undefined : asked.join('\n');
}

const seenByAll = () => Promise.all(userNames.map((_, user) => world.seenBy(user)));

it(
  'says of several rows together who then sees which rows, by the policies of both groups',
  async () => {
    await fc.assert(
      fc.asyncProperty(edit, async (drawn) => {
        await prepare(drawn);
        const before = await seenByAll();
        const question = await take(drawn);
        const now = await seenByAll();
        counts.edits += 1;
        counts.asked += Number(question !== undefined);
        const said = question !== undefined && drawn.agrees ? saidChanges(question) : [];
        let changed = 0;
        for (const [user, name] of userNames.entries()) {
          for (const [index, { app, table }] of readings.entries()) {
            const [was, is] = [before[user]?.[index], now[user]?.[index]];
            if (!was || !is) throw new Error('Not read');
            const [gained, lost] = [idsBeyond(is, was), idsBeyond(was, is)];
            counts.gains += Number(gained.length > 0);
            counts.losses += Number(lost.length > 0);
            changed += gained.length + lost.length;
            const about = `${JSON.stringify(drawn)} ${name}, application ${app}, ${table}: +${gained.join()} -${lost.join()}, asked ${question ?? 'nothing'}`;
            if (question === undefined) expect(gained, about).toEqual([]);
            else if (!drawn.agrees) expect([...gained, ...lost], about).toEqual([]);
            else {
              try {
                checkRows(
                  said.filter((change) => change.user === name),
                  { table, was, is },
                  world.rowCount,
                );
              } catch (error) {
                throw new Error(about, { cause: error });
              }
            }
          }
        }
        counts.byTwo += Number(changed > 0 && drawn.groups.length + drawn.users.length > 2);
      }),
      { numRuns: propertyRuns(24, 1_000), endOnFailure: true },
    );
    // Nothing would be proven by edits that change nothing, or one row alone.
    for (const count of [counts.gains, counts.losses, counts.asked, counts.byTwo]) {
      expect(count, JSON.stringify(counts)).toBeGreaterThan(counts.edits / 20);
    }
    figure('A2', `${counts.edits} edits of several rows: ${JSON.stringify(counts)}, 0 differ from what was said`);
  },
  soakSize(300_000, 3_600_000),
);
