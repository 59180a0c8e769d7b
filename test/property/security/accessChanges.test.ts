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
import { AccessWorld, readings, userNames, type SeenRows } from '../../support/access/accessWorld.ts';
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
/** A view and its table show the same rows: what opens one may be announced for the other. */
const sameRows = (table: string) => (table === 'notes' ? ['notes'] : ['deals', 'deals_view']);
const counts = { edits: 0, gains: 0, losses: 0, certain: 0, refused: 0, asked: 0 };

function check(changes: readonly RowChange[], table: string, was: SeenRows, is: SeenRows): void {
  const own = changes.filter((change) => change.table?.toLowerCase() === table);
  const gained = new Set([...is.ids].filter((id) => !was.ids.has(id)));
  const lost = new Set([...was.ids].filter((id) => !is.ids.has(id)));
  counts.gains += Number(gained.size > 0);
  counts.losses += Number(lost.size > 0);
  if (gained.size > 0) {
    const gains = changes.filter(
      (change) => sameRows(table).includes(change.table?.toLowerCase() ?? '') && isGain(change),
    );
    expect(gains, 'rows were gained').not.toEqual([]);
    counts.certain += Number(gains.some(({ change }) => change !== 'changed'));
  }
  const isViewed = table !== 'notes' && (was.isClosed || is.isClosed);
  const [change] = own;
  if (change?.isPartial) return;
  switch (change?.change) {
    case 'all rows':
      if (!is.isClosed) expect(is.ids.size, 'all rows').toBe(world.rowCount);
      break;
    case 'more':
      if (!is.isClosed) expect(lost.size, 'more').toBe(0);
      break;
    case 'fewer':
      if (!isViewed) expect(gained.size, 'fewer').toBe(0);
      break;
    case 'no rows':
      expect(is.ids.size, 'no rows').toBe(0);
      break;
    case 'changed':
      break;
    case undefined:
      if (!isViewed && !is.isClosed) expect(lost.size, 'nothing was said').toBe(0);
  }
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
              check(ofUser, table, was, is);
            } catch (error) {
              throw new Error(facts(), { cause: error });
            }
          }
        }
      }),
      { numRuns: soakSize(200, 2_000), endOnFailure: true },
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
