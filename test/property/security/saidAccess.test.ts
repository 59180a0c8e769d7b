import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RowChange } from '../../../src/access/rows/accessChanges.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { deleteUser, findUsers } from '../../../src/features/userImport/sendUsers.ts';
import { step } from '../../support/access/accessSteps.ts';
import {
  AccessWorld,
  applicationNames,
  groupNames,
  readings,
  tagLabels,
  userNames,
  type SeenRows,
} from '../../support/access/accessWorld.ts';
import { checkRows, gainsOf, idsBeyond } from '../../support/access/checkRows.ts';
import {
  Administrator,
  importedPassword,
  type Asked,
  type ProductEdit,
  type ProductStep,
} from '../../support/access/productSteps.ts';
import { saidChanges } from '../../support/access/saidChanges.ts';
import { openCommandScene, type CommandScene } from '../../support/commandScene.ts';
import { useDocuments } from '../../support/documents/documentServices.ts';
import { figure } from '../../support/run/figure.ts';
import { propertyRuns, soakSize } from '../../support/run/soakSize.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/*
 * An administrator edits memberships, groups, data tags, policies, users and settings at random: by commands, drags, the page of
 * a tag, documents and imports. Before and after each edit, every user runs a report on every table: the rows gained and lost
 * are those of which the product's own question spoke, and an edit without a question, or declined, gives no rows to a user.
 */

const folder = mkdtempSync(path.join(tmpdir(), 'said-access-'));
let server: TestServer;
let world: AccessWorld;
let scene: CommandScene;
let connection: Connection;
let service: ReturnType<typeof useDocuments>;
let administrator: Administrator;

beforeAll(async () => {
  server = await startServer();
  world = await AccessWorld.open(server, folder);
  scene = await openCommandScene();
  // From here on, this is the admin's session.
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  service = useDocuments(scene);
  administrator = new Administrator(scene, connection, world);
}, 60_000);

afterAll(async () => {
  service.close();
  await scene.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

const counts = { edits: 0, asked: 0, declined: 0, gains: 0, losses: 0, newReadings: 0, open: 0 };
const byKind = new Map<string, number>();
const seenByAll = () => Promise.all(userNames.map((_, user) => world.seenBy(user)));

const productStep: fc.Arbitrary<ProductStep> = fc.oneof(
  { weight: 30, arbitrary: step.filter(({ kind }) => kind !== 'ownCompany') as fc.Arbitrary<ProductStep> },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('renameTag'), tag: fc.nat(tagLabels.length - 1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('role'),
      user: fc.nat(userNames.length - 1),
      app: fc.nat(applicationNames.length - 1),
      isGranted: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('allUsers'), isGranted: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('import'),
      groups: fc.array(fc.boolean(), { minLength: groupNames.length, maxLength: groupNames.length }),
      Tag1: fc.constantFrom('North', 'South', ''),
      Company: fc.constantFrom('North', ''),
    }),
  },
);
const productEdit = fc.record({
  step: productStep,
  byCommand: fc.boolean(),
  agrees: fc.constantFrom(true, true, true, true, false),
});

/** Rows of users who were there before the edit. */
function checkPresent(
  { step: { kind }, agrees }: ProductEdit,
  { question }: Asked,
  before: readonly SeenRows[][],
  now: readonly SeenRows[][],
): void {
  const said = question !== undefined && agrees ? saidChanges(question) : [];
  for (const [user, name] of userNames.entries()) {
    for (const [index, { app, table }] of readings.entries()) {
      const [was, is] = [before[user]?.[index], now[user]?.[index]];
      if (!was || !is) throw new Error('Not read');
      const [gained, lost] = [idsBeyond(is, was), idsBeyond(was, is)];
      counts.gains += Number(gained.length > 0);
      counts.losses += Number(lost.length > 0);
      const about = `${name}, application ${app}, ${table}: +${gained.join()} -${lost.join()}`;
      const own = said.filter((change) => change.user === name);
      if (question !== undefined && !agrees) expect([...gained, ...lost], `${about}: declined`).toEqual([]);
      else if (was.isBarred || is.isBarred) {
        // What a role is for: only a role gives rows of its application, and only without one are they lost.
        if (was.isBarred !== is.isBarred) expect(kind, about).toBe('role');
        if (!is.isBarred) checkNewRows(own, about, index, is, now);
      } else if (question === undefined) expect(gained, `${about}: not asked`).toEqual([]);
      else {
        try {
          checkRows(own, { table, was, is }, world.rowCount);
        } catch (error) {
          throw new Error(`${about}: ${JSON.stringify(own)}`, { cause: error });
        }
      }
    }
  }
}

/** A user who is new to an application, and sees all of a table that others do not see whole: that is announced. */
function checkNewRows(
  own: readonly RowChange[],
  about: string,
  index: number,
  is: SeenRows,
  all: readonly SeenRows[][],
): void {
  const table = readings[index]?.table ?? '';
  const isOpen = is.ids.size === world.rowCount;
  const isRestricted = all.some((rows) => !rows[index]?.isBarred && (rows[index]?.ids.size ?? 0) < world.rowCount);
  counts.newReadings += 1;
  counts.open += Number(isOpen && isRestricted);
  if (isOpen && isRestricted) expect(gainsOf(own, table), `${about}: all rows`).not.toEqual([]);
  const said = own.find((change) => change.table?.toLowerCase() === table && !change.isPartial);
  if (said?.change === 'all rows' && !is.isClosed) expect(is.ids.size, `${about}: said`).toBe(world.rowCount);
}

async function checkImported(login: string, { question }: Asked, others: readonly SeenRows[][]): Promise<void> {
  const client = await connection.client();
  const [user] = await findUsers(client, login);
  if (!user) return;
  const seen = await world.seenIn(await server.login(login, importedPassword));
  const said = saidChanges(question ?? '').filter((change) => change.user === login);
  for (const [index, is] of seen.entries()) if (!is.isBarred) checkNewRows(said, login, index, is, others);
  await deleteUser(client, String(user.ID), login, undefined);
}

it(
  'asks about every edit that gives rows to a user, and says who gains and who loses which',
  async () => {
    let seen = await seenByAll();
    await fc.assert(
      fc.asyncProperty(productEdit, async (edit) => {
        const login = `new${counts.edits}`;
        const before = seen;
        const asked = await administrator.take(edit, login);
        seen = await seenByAll();
        counts.edits += 1;
        counts.asked += Number(asked.question !== undefined);
        counts.declined += Number(asked.question !== undefined && !edit.agrees);
        byKind.set(edit.step.kind, (byKind.get(edit.step.kind) ?? 0) + 1);
        try {
          checkPresent(edit, asked, before, seen);
          await checkImported(login, asked, seen);
        } catch (error) {
          const client = await connection.client();
          const policies = (await client.call('Shield/GetAllShieldPolicies', {})).map(
            ({ Name, isActive, Constraints, Groups, Users }) => ({ Name, isActive, Constraints, Groups, Users }),
          );
          throw new Error(JSON.stringify({ edit, ...asked, policies }), { cause: error });
        }
      }),
      { numRuns: propertyRuns(60, 2_000), endOnFailure: true },
    );
    // Nothing would be proven by edits that change nothing.
    expect(counts.gains).toBeGreaterThan(counts.edits / 20);
    expect(counts.losses).toBeGreaterThan(counts.edits / 20);
    expect(administrator.unsaved).toBeLessThanOrEqual(counts.declined);
    const kinds = [...byKind].map(([kind, count]) => `${count} ${kind}`).join(', ');
    figure(
      'A2',
      `${counts.edits} edits in the product (${kinds}): ${counts.asked} asked about, ${counts.declined} declined; ${counts.gains} gains and ${counts.losses} losses of rows, 0 differ from what was said; ${counts.open} of ${counts.newReadings} times, a user new to an application sees all rows of a table that is restricted for others`,
    );
  },
  soakSize(300_000, 3_600_000),
);
