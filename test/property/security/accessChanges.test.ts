import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessChanges, isGain, type RowChange } from '../../../src/access/rows/accessChanges.ts';
import { creating } from '../../../src/access/rows/accessEdits.ts';
import { readAccessLists } from '../../../src/access/rows/accessEffect.ts';
import { snapshotOf } from '../../../src/access/rows/snapshot.ts';
import { parseExact } from '../../../src/objects/json.ts';
import type { ObjectServer } from '../../../src/objects/objectServer.ts';
import { step } from '../../support/access/accessSteps.ts';
import { AccessWorld, readings, userNames } from '../../support/access/accessWorld.ts';
import { checkRows, gainsOf, idsBeyond, type Seen } from '../../support/access/checkRows.ts';
import { planStep } from '../../support/access/makeStep.ts';
import { figure } from '../../support/run/figure.ts';
import { soakSize } from '../../support/run/soakSize.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/*
 * An administrator edits memberships, groups, data tags, policies and profiles at random. Before each edit, the changes of rows are
 * predicted; after it, every user runs a report on every table: the rows gained and lost are those that were predicted.
 */

const folder = mkdtempSync(path.join(tmpdir(), 'access-'));
let server: TestServer;
let world: AccessWorld;
let reader: ObjectServer;

beforeAll(async () => {
  server = await startServer();
  world = await AccessWorld.open(server, folder);
  reader = {
    name: 'test',
    installation: async () => 'test',
    call: async (endpoint, body) => parseExact((await world.admin.call(endpoint, body)).text),
  };
}, 60_000);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const seenByAll = () => Promise.all(userNames.map((_, user) => world.seenBy(user)));
const counts = { edits: 0, gains: 0, losses: 0, certain: 0, refused: 0, asked: 0 };

function check(changes: readonly RowChange[], seenRows: Seen): void {
  const { table, was, is } = seenRows;
  counts.losses += Number(idsBeyond(was, is).length > 0);
  if (idsBeyond(is, was).length > 0) {
    counts.gains += 1;
    counts.certain += Number(gainsOf(changes, table).some(({ change }) => change !== 'changed'));
  }
  checkRows(changes, seenRows, world.rowCount);
}

it(
  'says for every edit who gains and who loses rows of which table',
  async () => {
    let seen = await seenByAll();
    await fc.assert(
      fc.asyncProperty(step, async (wanted) => {
        const lists = await readAccessLists(reader, creating('policy', { isActive: true }));
        if (!lists) throw new Error('Nothing was read');
        const planned = await planStep(world, lists, wanted);
        const changes = accessChanges(snapshotOf(lists), snapshotOf(planned.edit(lists)));
        const before = seen;
        const isTaken = await planned.send();
        seen = await seenByAll();
        counts.edits += 1;
        counts.refused += Number(!isTaken);
        counts.asked += Number(changes.some(isGain));
        for (const [user, name] of userNames.entries()) {
          const ofUser = isTaken ? changes.filter((change) => change.user === name) : [];
          for (const [index, { app, table }] of readings.entries()) {
            const [was, is] = [before[user]?.[index], seen[user]?.[index]];
            if (!was || !is) throw new Error('Not read');
            const facts = () =>
              JSON.stringify({
                wanted,
                name,
                app,
                table,
                ofUser,
                was: [...was.ids],
                is: [...is.ids],
                policies: lists.policies.map(({ Constraints, Groups, Users, isActive }) => ({
                  Constraints,
                  Groups,
                  Users,
                  isActive,
                })),
                tags: lists.tags,
              });
            try {
              check(ofUser, { table, was, is });
            } catch (error) {
              throw new Error(facts(), { cause: error });
            }
          }
        }
      }),
      { numRuns: soakSize(100, 2_000), endOnFailure: true },
    );
    // The prediction would be worthless if it asked always, or knew nothing for certain.
    expect(counts.certain).toBeGreaterThan(counts.gains / 2);
    expect(counts.asked).toBeLessThan(counts.edits / 2);
    figure(
      'A1',
      `${counts.edits} edits (${counts.refused} refused): ${counts.gains} gains and ${counts.losses} losses of rows, 0 unannounced; ${counts.certain} gains certain, ${counts.asked} edits asked about`,
    );
  },
  soakSize(300_000, 3_600_000),
);
